"""Numbers, names and lists as a sentence can hold them; see the examples in `grader.words` as well."""

from grader.words import shown, some


def test_names_of_unknown_origin_are_fit_for_a_terminal():
    assert shown("a\x1b[31m\nb\u202e\udcff") == "a\\x1b[31m\\x0ab\\x202e\\xdcff"
    assert len(shown("x" * 9999)) < 200
    assert shown("x" * 9999, longest=30).startswith("x" * 18 + "...")


def test_some_names_are_in_order_and_fit_for_a_terminal():
    assert some(["b\n", "a"]) == "a, b\\x0a"
    assert some(map(str, range(20)), most=3).endswith(" and 17 more")
