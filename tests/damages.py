"""What may happen to a notebook on its way: each damage changes a document of JSON, or returns the bytes of a file."""

import copy
import json

from courseware import read
from repairs import blank, cell_of, code, markdown, source, strip

from grader.notebook import is_answer, is_check, marks

DAMAGES = {}


def damage(function):
    DAMAGES[function.__name__.replace("_", " ")] = function
    return function


@damage
def all_metadata_stripped(document, rng, path):
    strip(document["cells"], ids=False)


@damage
def all_metadata_and_ids_stripped(document, rng, path):
    strip(document["cells"])


@damage
def some_metadata_stripped(document, rng, path):
    strip(rng.sample(document["cells"], len(document["cells"]) // 2))


@damage
def an_older_format_without_ids(document, rng, path):
    document["nbformat_minor"] = 0
    for cell in document["cells"]:
        del cell["id"]


@damage
def the_format_of_ten_years_ago(document, rng, path):
    cells = document.pop("cells")
    strip(cells)
    for cell in cells:
        if cell["cell_type"] == "code":
            cell["input"], cell["language"] = cell.pop("source"), "python"
        elif source(cell).startswith("# ") and "\n" not in source(cell):
            cell |= {"cell_type": "heading", "level": 1, "source": source(cell)[2:]}
    document |= {"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells, "metadata": {}}]}


@damage
def fresh_ids(document, rng, path):
    for cell in document["cells"]:
        cell["id"] = f"{rng.randrange(16**8):08x}"


@damage
def the_checks_deleted(document, rng, path):
    document["cells"] = [cell for cell in document["cells"] if not is_check(cell)]


@damage
def all_but_the_answers_deleted(document, rng, path):
    document["cells"] = [cell for cell in document["cells"] if is_answer(cell)]


@damage
def all_but_the_stripped_answers_deleted(document, rng, path):
    document["cells"] = [cell for cell in document["cells"] if is_answer(cell)]
    strip(document["cells"])


@damage
def the_answers_alone_twice_as_stripped_text(document, rng, path):
    all_but_the_answers_deleted(document, rng, path)
    every_cell_duplicated(document, rng, path)
    the_answers_turned_into_another_kind(document, rng, path)
    strip(document["cells"])


@damage
def the_setup_and_the_first_words_emptied(document, rng, path):
    cell_of(document, "setup")["source"] = "  \n"
    document["cells"][0]["source"] = []


@damage
def the_setup_deleted(document, rng, path):
    document["cells"] = [cell for cell in document["cells"] if cell["id"] != "setup"]


@damage
def every_cell_duplicated(document, rng, path):
    document["cells"] = [copy.deepcopy(cell) for cell in document["cells"] for _ in range(2)]


@damage
def the_notebook_twice_in_one_file(document, rng, path):
    document["cells"] += copy.deepcopy(document["cells"])


@damage
def the_notebook_twice_in_one_file_and_stripped(document, rng, path):
    document["cells"] += copy.deepcopy(document["cells"])
    strip(document["cells"])


@damage
def the_checks_duplicated(document, rng, path):
    document["cells"] += [copy.deepcopy(cell) for cell in document["cells"] if is_check(cell)]


@damage
def an_empty_copy_before_each_answer(document, rng, path):
    empty = {cell.id: cell.source for cell in read(path).cells}
    document["cells"] = [
        one
        for cell in document["cells"]
        for one in ([{**copy.deepcopy(cell), "source": empty[cell["id"]]}, cell] if is_answer(cell) else [cell])
    ]


@damage
def an_empty_copy_at_the_end(document, rng, path):
    document["cells"] += filter(is_answer, blank(path)["cells"])


@damage
def shuffled(document, rng, path):
    rng.shuffle(document["cells"])


@damage
def shuffled_and_stripped(document, rng, path):
    rng.shuffle(document["cells"])
    strip(document["cells"])


@damage
def upside_down(document, rng, path):
    document["cells"].reverse()


@damage
def one_cell_moved(document, rng, path):
    document["cells"].append(document["cells"].pop(2))


@damage
def the_checks_emptied(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["source"] = []


@damage
def the_checks_replaced_by_a_print(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["source"] = ["print(100)\n", "100"]


@damage
def the_checks_asking_for_something_else(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["source"] = f'check("{marks(cell)["grade_id"]}", sum)  # {source(cell)}'


@damage
def stripped_checks_commented_out(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["source"] = "# " + source(cell)
        strip([cell])


@damage
def the_checks_made_text(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        cell["cell_type"] = "markdown"


@damage
def more_points(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        marks(cell)["points"] = 1000


@damage
def points_that_are_no_number(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        marks(cell)["points"] = rng.choice(["nan", float("nan"), -1, float("inf"), None, [1]])


@damage
def other_flags(document, rng, path):
    for cell in document["cells"]:
        for flag in ("grade", "solution", "locked", "task"):
            if flag in marks(cell):
                marks(cell)[flag] = not marks(cell)[flag]


@damage
def flags_taken_away(document, rng, path):
    for cell in document["cells"]:
        for flag in ("grade", "solution", "locked", "task", "points", "schema_version", "checksum"):
            marks(cell).pop(flag, None)


@damage
def metadata_of_no_use(document, rng, path):
    strange = [[], ["a"], {"nbgrader": []}, {"nbgrader": "yes"}, {"nbgrader": {"grade_id": 7}}, None, 3, "x"]
    for cell in document["cells"]:
        cell["metadata"] = copy.deepcopy(rng.choice(strange))


@damage
def checks_with_the_name_of_their_answer(document, rng, path):
    for cell in filter(is_check, document["cells"]):
        marks(cell)["grade_id"] += "-answer"
        cell["id"] += "-answer"


@damage
def checks_with_the_name_of_their_stripped_answer(document, rng, path):
    strip(list(filter(is_answer, document["cells"])))
    checks_with_the_name_of_their_answer(document, rng, path)


@damage
def answers_with_the_name_of_their_check(document, rng, path):
    for cell in filter(is_answer, document["cells"]):
        marks(cell)["grade_id"] = marks(cell)["grade_id"].removesuffix("-answer")


@damage
def answers_whose_names_are_swapped(document, rng, path):
    answers = [cell for cell in document["cells"] if is_answer(cell) and cell["cell_type"] == "code"]
    names = [(cell["id"], cell["metadata"]) for cell in answers]
    for cell, (name, metadata) in zip(answers, names[1:] + names[:1], strict=True):
        cell |= {"id": name, "metadata": metadata}


@damage
def the_answers_turned_into_another_kind(document, rng, path):
    for cell in filter(is_answer, document["cells"]):
        cell["cell_type"] = "raw" if cell["cell_type"] == "markdown" else rng.choice(["markdown", "raw"])


@damage
def the_answers_turned_into_another_kind_and_stripped(document, rng, path):
    the_answers_turned_into_another_kind(document, rng, path)
    strip(document["cells"])


@damage
def written_answers_as_code(document, rng, path):
    for cell in filter(is_answer, document["cells"]):
        cell["cell_type"] = "code"


@damage
def all_prose_as_code(document, rng, path):
    for cell in document["cells"]:
        cell["cell_type"] = "code"


@damage
def unknown_kinds_of_cells(document, rng, path):
    for cell in document["cells"]:
        cell["cell_type"] = rng.choice(["sql", None, 5, ["code"], {}])


@damage
def the_kernel_of_another_language(document, rng, path):
    document["metadata"] = {"kernelspec": {"display_name": "R", "language": "R", "name": "ir"}}


@damage
def no_metadata_at_all(document, rng, path):
    del document["metadata"]


@damage
def sources_as_plain_text(document, rng, path):
    for cell in document["cells"]:
        cell["source"] = source(cell)


@damage
def sources_as_lines_without_ends(document, rng, path):
    for cell in document["cells"]:
        cell["source"] = source(cell).split("\n")


@damage
def line_ends_of_windows(document, rng, path):
    for cell in document["cells"]:
        cell["source"] = source(cell).replace("\n", "\r\n")


@damage
def cells_that_are_none(document, rng, path):
    document["cells"] = [one for cell in document["cells"] for one in (cell, rng.choice([None, 3, "x", [], [{}]]))]


@damage
def sources_that_are_none(document, rng, path):
    for place in range(0, 40, 5):
        document["cells"].insert(place, code(rng.choice([None, 3, {"a": 1}, [1, None], True])))


@damage
def keys_and_numbers_that_json_does_not_have(document, rng, path):
    document |= {"extra": float("nan"), "nbformat_minor": "five", "more": [[[float("inf")]]]}
    document["cells"][0]["metadata"]["deep"] = json.loads("[" * 500 + "]" * 500)


@damage
def a_byte_order_mark(document, rng, path):
    return b"\xef\xbb\xbf" + json.dumps(document, ensure_ascii=False).encode("utf-8")


@damage
def utf_16(document, rng, path):
    return json.dumps(document, ensure_ascii=False).encode("utf-16")


@damage
def utf_16_without_a_mark(document, rng, path):
    return json.dumps(document, ensure_ascii=False).encode("utf-16-be")


@damage
def utf_32(document, rng, path):
    return json.dumps(document, ensure_ascii=False).encode("utf-32")


@damage
def the_encoding_of_windows(document, rng, path):
    document["cells"].append(markdown("Für Élise"))
    return json.dumps(document, ensure_ascii=False).encode("cp1252", "replace")


@damage
def a_damaged_letter(document, rng, path):
    document["cells"].append(markdown("ein Wort für Wörter: größer " * 5))
    return json.dumps(document, ensure_ascii=False).encode("utf-8").replace("größer ".encode(), b"gr\xc3er ", 1)


@damage
def a_file_with_line_ends_of_windows(document, rng, path):
    return json.dumps(document, indent=1).replace("\n", "\r\n").encode("utf-8")


@damage
def zeros_at_the_end(document, rng, path):
    return json.dumps(document).encode("utf-8") + bytes(4096)


@damage
def a_number_of_ten_thousand_digits(document, rng, path):
    return json.dumps(document).encode("utf-8")[:-1] + b', "n": ' + b"9" * 10_000 + b"}"


@damage
def a_destroyed_beginning(document, rng, path):
    return b"\x01\x02" * 3_000 + json.dumps(document).encode("utf-8")


@damage
def something_after_the_end(document, rng, path):
    return json.dumps(document).encode("utf-8") + b"\n}}}"


@damage
def a_key_twice(document, rng, path):
    return b'{"cells": [], ' + json.dumps(document).encode("utf-8")[1:]


@damage
def a_comma_too_many(document, rng, path):
    return json.dumps(document)[:-1].encode("utf-8") + b",}"


@damage
def the_last_bytes_missing(document, rng, path):
    return json.dumps(document, indent=1).encode("utf-8")[: -len("\n}")]


@damage
def a_comma_missing_between_cells(document, rng, path):
    return json.dumps(document).replace('}, {"cell_type"', '} {"cell_type"', 3).encode("utf-8")


@damage
def one_cell_nested_too_deeply(document, rng, path):
    document["cells"].insert(3, markdown("deep"))
    return json.dumps(document).replace('"deep"', "[" * 100_000 + "]" * 100_000).encode("utf-8")


@damage
def a_list_of_cells_alone(document, rng, path):
    return json.dumps(document["cells"]).encode("utf-8")


@damage
def two_sides_of_a_merge(document, rng, path):
    # The first side is untouched, as after a rebase.
    lines = [json.dumps(one, indent=1).split("\n") for one in (blank(path), document)]
    text = ["{", "<<<<<<< HEAD", *lines[0][1:-1], "||||||| base", "}", "=======", *lines[1][1:-1], ">>>>>>> mine", "}"]
    return "\n".join(text).encode("utf-8")


@damage
def answers_on_both_sides_of_a_merge(document, rng, path):
    # Of every two cells with an answer, one was answered on one side and one on the other.
    cells, text = blank(path)["cells"], '{"cells": ['
    answered = [i for i, (cell, own) in enumerate(zip(cells, document["cells"], strict=True)) if cell != own]
    for i, (cell, own) in enumerate(zip(cells, document["cells"], strict=True)):
        empty, full = json.dumps(cell), json.dumps(own)
        end = "\n" if i == len(cells) - 1 else ",\n"
        if i not in answered[:2]:
            text += full + end
            continue
        upper, lower = (empty, full) if i == answered[0] else (full, empty)
        text += f"\n<<<<<<< HEAD\n{upper}{end}=======\n{lower}{end}>>>>>>> mine\n"
    return (text + '], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}').encode("utf-8")


SILENT = {
    "no metadata at all",
    "sources as plain text",
    "sources as lines without ends",
    "line ends of windows",
    "sources that are none",
    "keys and numbers that json does not have",
    "a byte order mark",
    "a file with line ends of windows",
    "zeros at the end",
    "a number of ten thousand digits",
    "a key twice",
    "a list of cells alone",
}
# Here even the prose of the release cannot be told from what a learner might have written.
ONLY_GRADED = {"the encoding of windows"}
