"""What is read in a learner's lines: slips, and words that speak only of what stands there."""

import numpy as np
import pytest

import attnlib
from grader.judging.judge import judge
from grader.judging.source import Source
from grader.judging.verdict import Advice

LOST = Advice("your result is the right one, but only its first row", "", "")


def body(*lines, arguments="x"):
    return Source("\n".join([f"def answer({arguments}):", *(f"    {line}" for line in lines)]))


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("k = np.fill_diagonal(x, 0)", "np.fill_diagonal"),
        ("return x.sort()", "x.sort"),
        ("y = softmax(np.put_along_axis(x, i, 0, axis=1))", "np.put_along_axis"),
        ("y = x + rows.append(1)", "rows.append"),
        ("y = f(a=rng.shuffle(x))", "rng.shuffle"),
    ],
)
def test_a_call_that_returns_none_is_told_where_its_result_is_used(line, call):
    name, advice = body(line).none_in_use()
    assert name == "not-a-method-result"
    assert f"`{call}(" in advice.looks_like


@pytest.mark.parametrize(
    ("line", "method"),
    [
        ("return x @ y.transpose", "y.transpose"),
        ("if x.any: return 0", "x.any"),
        ("y = [c for c in x if c.isalnum]", "c.isalnum"),
        ("for c in x.lower: y = c", "x.lower"),
        ("while not x.all: y = 1", "x.all"),
        ("y = 1 if x.sum > 0 else 2", "x.sum"),
    ],
)
def test_a_method_without_its_parentheses_is_told(line, method):
    name, advice = body(line).uncalled()
    assert name == "not-called"
    assert advice.looks_like.startswith(f"`{method}` ")


@pytest.mark.parametrize(
    "lines",
    [
        ["return x @ y.transpose()"],
        ["add = x.append", "y = map(str.lower, x)", "y = sorted(x, key=x.index)"],
        ["y = x + np.finfo(float).max"],
        ["limits = np.finfo(float)", "y = x + limits.min"],
        ["y = x.T + x.size + self.sum"],
    ],
)
def test_a_method_that_is_called_or_handed_on_and_a_limit_of_numbers_are_none(lines):
    assert body(*lines).uncalled() is None


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("return x / (s + 1e-9)", [1e-9]),
        ("for beta in range(1, 1000): y = beta / 100", [1, 100, 1000]),
        ("h = 10**-4", [1e-4, 4, 10]),
        ("h = 1 / 250 if -0.5 else 1 / 0", [1 / 250, 0.5, 1, 250]),
        ("return x[0], True, '7', 2j, 10.0**400, 0 * 3", [3, 10, 400]),
        ("return (-8) ** 0.5 * 10**5000", [0.5, 8, 10, 5000]),
        ("return x", []),
    ],
)
def test_the_numbers_that_stand_in_the_lines_are_found(line, numbers):
    assert body(line).numbers() == pytest.approx(numbers)


@pytest.mark.parametrize(
    "line", ["np.fill_diagonal(x, 0)", "y = np.append(x, 1)", "y = np.sort(x)", "rows.append(x)", "y = sorted(x)"]
)
def test_a_call_on_a_line_of_its_own_or_one_that_returns_something_is_no_slip(line):
    assert body(line).none_in_use() is None


@pytest.mark.parametrize(
    "lines",
    [
        ["up = x", "down = x"],
        ["up = down = x.copy()"],
        ["up = x.copy()", "down = up"],
        ["y = x", "up = y", "down = x"],
        ["x = x.astype(float)", "up = x", "down = x"],
    ],
)
def test_two_names_for_one_array_are_told_where_it_is_changed_under_both(lines):
    name, advice = body(*lines, "up[0] += 1", "down[0] -= 1").one_array()
    assert name == "one-array-twice"
    assert "`up` and `down`" in advice.looks_like
    assert body(*lines, "up[0] += 1").one_array() is None


@pytest.mark.parametrize(
    "lines",
    [
        ["up = x.copy()", "down = x.copy()"],
        ["up, down = x.copy(), x.copy()"],
        ["up = x", "x = x.copy()", "down = x"],
        ["up = x", "down = x", "down = x.copy()"],
        ["up = x", "down = x + 1"],
    ],
)
def test_names_of_different_arrays_are_no_two_names_for_one(lines):
    assert body(*lines, "up[0] += 1", "down[0] -= 1").one_array() is None


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["for i in range(3):", "    y[i] = 1", "    return y"], "`return` inside a loop"),
        (["for i in range(1, n):", "    y[i] = x[i]", "return y"], "`range(1, n)`"),
        (
            ["for i in range(n):", "    for j in range(i + 1, n):", "        y[i] = x[j]", "return y"],
            "`range(i + 1, n)`",
        ),
        (["for i in range(n - 1):", "    y[i] = x[i]", "return y"], "`range(n - 1)`"),
        (["return f(x)[0]"], "`f(x)[0]`"),
        (["n = x.shape[0]", "for row in x:", "    y = row", "return y"], "through two rounds"),
        (["return np.cumsum(x).sum()"], "after each step"),
    ],
)
def test_where_something_is_lost_is_asked_of_what_stands_there(lines, said):
    words = body(*lines).where_lost(LOST)
    assert said in words.cure
    assert words.looks_like == LOST.looks_like
    assert ("loop" in words.cause + words.cure) == (said in ("`return` inside a loop", "through two rounds"))


def test_where_an_argument_is_not_used_up_a_return_in_a_loop_is_asked_about():
    assert "every round" in body("for i in range(3):", "    y += x[i]", "    return y").where_unused(LOST).cure
    assert body("for i in range(3):", "    y += x[i]", "return y").where_unused(LOST) == LOST


@pytest.mark.parametrize(
    ("lines", "marks"),
    [
        (['for mark in ".,!":', '    text = text.replace(mark, " ")'], ".,!"),
        (['a = text.replace(".", " ").replace("don\'t", "")', "b = 'a.b;'"], ".';"),
        (['"""Say: what - it does."""', "return text.split()"], ""),
    ],
)
def test_the_marks_in_texts_are_those_of_the_lines_and_not_of_a_description(lines, marks):
    assert sorted(body(*lines).marks()) == sorted(marks)


def test_a_call_that_takes_too_long_is_told_of_a_while_only_where_there_is_one():
    assert "`while` runs for ever" in body("while True:", "    pass").never_ends().cause
    assert "while" not in body("for p in permutations(x):", "    f(p)").never_ends().cause
    assert "Either" in Source("").never_ends().cause


def test_an_argument_is_told_whose_name_a_loop_takes_or_that_is_not_read():
    source = body("for beta in range(3):", "    y = beta", "return y", arguments="beta, X")
    assert [name for name, _ in source.overwritten()] == ["beta"]
    assert [name for name, _ in source.unused()] == ["X"]
    assert "`x`" in next(iter(body("return x", arguments="X").unused()))[1].looks_like


def test_the_variable_in_the_place_of_an_argument_is_told():
    def looks(line, arguments="X"):
        return [advice.looks_like for _, advice in body(line, arguments=arguments).unused()]

    assert "you use `table`, which is a variable" in looks("return np.sum(table.T)")[0]
    for line in (
        *("return np.sum(math.tau)", "return table + sizes", "return helper(len([]))", "y = 1\nreturn y"),
        "return [helper(layer, num_heads) for layer in layers]",  # as the task says
        "turn = lambda P: P.T\n    return turn(1)",
    ):
        assert looks(line) == ["your function never uses its argument `X`"]


def test_what_is_always_the_same_is_said_to_use_a_variable_of_the_notebook():
    numbers = np.arange(3.0)

    def softmax(x, axis=-1):
        return np.exp(numbers) / np.exp(numbers).sum()

    text = " ".join(judge("softmax", softmax, 0).text.split())
    assert "never uses its argument `x`; you use `numbers`, which is a variable of the notebook" in text


@pytest.mark.parametrize("text", ["", "def", "x = (", "\0", "(" * 5_000])
def test_lines_that_are_no_python_say_nothing(text):
    source = Source(text)
    assert source.none_in_use() is None
    assert [*source.slips(), *source.overwritten(), *source.unused()] == []


@pytest.mark.parametrize(
    "line",
    [
        "if x is None:\n        raise ValueError\n        return softmax(x)",
        "for row in x:\n        if row.any():\n            continue\n            return softmax(x)",
        "for row in x:\n        break\n        return softmax(x)",
    ],
)
def test_a_return_that_nothing_reaches_is_named_and_what_it_calls_is_not(line):
    slip, advice = body(line).never_reached()
    assert slip == "return-not-reached"
    assert "`return softmax(x)` is never reached" in advice.looks_like
    assert body(line).none_handed_on() is None


def test_a_return_that_nothing_reaches_is_told_in_a_verdict():
    def softmax_with_temperature(x, temperature):
        if temperature <= 0:
            raise ValueError("too cold")
            return attnlib.softmax(x / temperature)

    assert judge("softmax_with_temperature", softmax_with_temperature, 0).diagnosis == "return-not-reached"


def test_a_return_that_is_met_by_some_inputs_hands_nothing_on():
    for line in ("if x is None:\n        return softmax(x)", "for row in x:\n        return softmax(row)"):
        assert body(line).never_reached() is None
        assert body(line).none_handed_on() is None
    ends = "try:\n        return softmax(x)\n    except ValueError:\n        raise"
    assert body(ends).none_handed_on()[0] == "not-a-method-result"


@pytest.mark.parametrize(
    "line", ["return softmax(x)", "if x is None:\n        return softmax(1)\n    return softmax(x / 2)"]
)
def test_a_function_whose_none_is_handed_on_is_named(line):
    slip, advice = body(line).none_handed_on()
    assert slip == "not-a-method-result"
    assert advice.looks_like == "you return what `softmax` gives, and that is None"


@pytest.mark.parametrize(
    "line",
    ["y = softmax(x)", "return x.sum()", "return print(x)", "return answer(x)", "return softmax(x) + 1", "return"],
)
def test_where_nothing_is_handed_on_no_function_is_named(line):
    assert body(line).none_handed_on() is None


@pytest.mark.parametrize(
    ("above", "cache"),
    [
        ("@lru_cache", "lru_cache"),
        ("@functools.cache", "cache"),
        ("@ft.lru_cache(maxsize=None)", "lru_cache"),
        ("", ""),
    ],
)
def test_a_decorator_that_keeps_results_is_found(above, cache):
    assert Source(f"{above}\ndef answer(x):\n    return x").cache == cache


@pytest.mark.parametrize(
    "lines",
    [
        ["softmax = softmax(x)", "return softmax"],
        ["for row in x:", "    norm = norm(row)", "return norm"],
        ["scale = scale * 2", "return scale * x"],
    ],
)
def test_a_name_that_hides_what_is_called_so_outside_is_known(lines):
    name = lines[-1].split()[1]
    assert body(*lines).hides(name)


@pytest.mark.parametrize(
    "lines",
    [
        ["for row in x:", "    state = merge(state, row)", "return state"],
        ["for i in range(len(x)):", "    state = x[i] if i == 0 else merge(state, x[i])", "return state"],
        ["if len(x):", "    state = x", "    state = state + 1", "return state"],
        ["state = x", "state = state + 1", "return state"],
        ["return state"],
    ],
)
def test_a_name_that_lacks_a_beginning_hides_nothing(lines):
    assert not body(*lines).hides("state")


def test_room_that_nobody_has_filled_is_told_unless_something_is_drawn():
    name, advice = body("y = np.empty(len(x))").unfilled()
    assert name == "not-all-filled"
    assert "`np.empty(len(x))`" in advice.looks_like
    assert body("y = np.empty_like(x)").unfilled()
    assert body("y = np.zeros(len(x))").unfilled() is None
    assert body("y = np.empty(len(x))", "y[:] = np.random.rand()").unfilled() is None
