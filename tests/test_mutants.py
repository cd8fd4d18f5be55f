"""The mutation test itself: faults are made, an obvious one is caught, and the code is as it was afterwards."""

import ast
import importlib.util

import pytest
from courseware import ROOT

_SPEC = importlib.util.spec_from_file_location("mutants", ROOT / "scripts" / "mutants.py")
script = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(script)

CODE = '''"""One plus one."""

LIMIT = 2


def capped(a, b):
    """No word of this is a fault."""
    total = a + b  # what is in two lines stays one thing
    if (
        total > LIMIT
        and not b < 0
    ):
        print(f"{total} is more than {LIMIT}")
        return LIMIT
    return total
'''
TESTS = """
from calc import capped


def test_a_sum_has_a_limit():
    assert capped(1, 0) == 1
    assert capped(1, 4) == 2
"""


def test_each_fault_changes_one_thing_and_leaves_code():
    found = script.mutants("calc.py", CODE)
    data = CODE.encode()
    for mutant in found:
        assert data[mutant.begin : mutant.end].decode() == mutant.old
        changed = (data[: mutant.begin] + mutant.new.encode() + data[mutant.end :]).decode()
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(CODE))
    assert {(mutant.line, mutant.known_by[2]) for mutant in found} == {
        (3, "3"),
        (10, "(not (total > LIMIT and (not b < 0)))"),
        (10, "(total > LIMIT or not b < 0)"),
        (10, "total >= LIMIT"),
        (11, "(b < 0)"),
        (11, "b <= 0"),
        (11, "1"),
        (13, "pass"),
        (14, "return None"),
        (15, "return None"),
    }


@pytest.fixture
def small(tmp_path):
    """Return a folder with a module and its test."""
    (tmp_path / "calc.py").write_text(CODE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_calc.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    return tmp_path


@pytest.mark.more
def test_an_obvious_fault_is_caught_and_one_that_no_test_watches_survives(small):
    by_new = {mutant.known_by[2]: mutant for mutant in script.mutants("calc.py", CODE)}
    chosen = [by_new["3"], by_new["pass"], by_new["return None"]]
    said = []
    survivors = script.examine(small, {"calc.py": "test_calc.py"}, chosen, say=said.append)
    assert survivors == [by_new["pass"]]
    assert ["caught" in words for words in said[1:]] == [True, False, True]
    assert script.table(chosen, survivors).splitlines()[-1].split() == ["all", "2", "of", "3", "67%"]
    assert (small / "calc.py").read_text() == CODE


def test_tests_that_fail_without_any_fault_say_nothing_about_faults(small):
    (small / "tests" / "test_calc.py").write_text("def test_nothing(): assert False")
    with pytest.raises(SystemExit, match=r"without any fault, `pytest test_calc\.py` fails"):
        script.examine(small, {"calc.py": "test_calc.py"}, script.mutants("calc.py", CODE), say=str)


def test_every_module_and_test_of_the_table_is_there():
    for path, tests in script.TESTS.items():
        assert (ROOT / path).is_file(), path
        files = [word for word in tests.split() if word.endswith(".py")]
        assert files
        for name in files:
            assert (ROOT / "tests" / name).is_file(), name


def test_a_fault_that_is_called_equivalent_can_still_be_made():
    made = set()
    for path in script.TESTS:
        made |= {mutant.known_by for mutant in script.mutants(path, (ROOT / path).read_text(encoding="utf-8"))}
    assert made >= script.EQUIVALENT


def test_a_sample_is_the_same_every_time(capsys):
    lists = []
    for seed in ("1", "1", "2"):
        assert script.main(["--only", "compare", "--sample", "7", "--seed", seed, "--list"]) == 0
        lists.append(capsys.readouterr().out.splitlines())
    assert lists[0] == lists[1] != lists[2]
    assert len(lists[0]) == 7
