"""Collecting submissions: what learning platforms give, and what somebody may hide in it."""

import errno
import json
import time
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from downloads import (
    BARE,
    EMBEDDINGS,
    GOOD,
    KERNELS,
    OTHER,
    PART,
    SOFTMAX,
    course_in,
    everything,
    there,
    why,
    zipped,
)
from nbgrader.coursedir import CourseDirectory

from grader.classroom.collect import collect, gradescope, placing, reading
from grader.classroom.collect.lms_names import any_time, file_name, safe_name, stem_of
from grader.classroom.collect.origins import read_origin
from grader.classroom.collect.unpack import Allowance
from grader.classroom.staging import staging, sweep
from grader.errors import CourseError
from grader.notebook import as_json

pytestmark = pytest.mark.more


@pytest.fixture
def course(tmp_path):
    """Return a course that nobody has handed in to."""
    return course_in(tmp_path / "course")


# ---- what learning platforms give

LAYOUTS = {
    "a folder a student": {"ada/3-softmax.ipynb": "ada", "ben/3-softmax.ipynb": "ben"},
    "a folder a student and part": {f"ada/{PART}/3-softmax.ipynb": "ada", f"ben/{PART}/3-softmax.ipynb": "ben"},
    "a folder a part and student": {f"{PART}/ada/3-softmax.ipynb": "ada", f"{PART}/ben/3-softmax.ipynb": "ben"},
    "a folder around everything": {"The class/ada/3-softmax.ipynb": "ada", "The class/ben/3-softmax.ipynb": "ben"},
    "two folders around everything": {"a/b/ada/3-softmax.ipynb": "ada", "a/b/ben/3-softmax.ipynb": "ben"},
    "a part and a folder around everything": {
        f"{PART}/export/ada/3-softmax.ipynb": "ada", f"{PART}/export/ben/3-softmax.ipynb": "ben",
    },
    "folders within": {"ada/work/3-softmax.ipynb": "ada", "ben/3-softmax.ipynb": "ben"},
    "one student": {"ada/3-softmax.ipynb": "ada", "ada/1-embeddings.ipynb": "ada"},
    "Moodle": {
        "Ada Lovelace_123456_assignsubmission_file_/3-softmax.ipynb": "ada-lovelace-123456",
        "José Núñez_123457_assignsubmission_file_/3-softmax.ipynb": "jose-nunez-123457",
        "Participant 9_123458_assignsubmission_file_/sub folder/3-softmax.ipynb": "participant-9-123458",
        "Dr. Li_1_assignsubmission_onlinetext_/3-softmax.ipynb": "dr.-li-1",
    },
    "Moodle, one student": {"Ada Lovelace_123456_assignsubmission_file_/3-softmax.ipynb": "ada-lovelace-123456"},
    "Moodle without folders": {
        "Ada Lovelace_123456_assignsubmission_file_3-softmax.ipynb": "ada-lovelace-123456",
        "Ben B_7_assignsubmission_file_3-softmax.ipynb": "ben-b-7",
    },
    "Moodle in a folder": {"x/Ada Lovelace_12_assignsubmission_file_/3-softmax.ipynb": "ada-lovelace-12"},
    "Canvas": {
        "lovelaceada_LATE_12345_67890_3-softmax.ipynb": "lovelaceada-12345",
        "babbagecharles_12346_67891_3-softmax-1.ipynb": "babbagecharles-12346",
    },
    "Canvas, names with underscores": {
        "de_la_cruzana_12345_67890_3-softmax.ipynb": "de_la_cruzana-12345",
        "li_wei_LATE_12346_67891_3-softmax.ipynb": "li_wei-12346",
    },
    "Canvas, anonymous": {
        "anon_aB3x9_67890_3-softmax.ipynb": "anon-aB3x9",
        "LATE_anon_40817_67891_3-softmax.ipynb": "anon-40817",
    },
    "Canvas in a folder": {"submissions/lovelaceada_12345_67890_3-softmax.ipynb": "lovelaceada-12345"},
    "Blackboard": {
        f"{PART}_alovelace_attempt_2026-11-20-10-11-12_3-softmax.ipynb": "alovelace",
        f"{PART}_bbaker_attempt_2026-11-20-10-11-12_3-softmax.ipynb": "bbaker",
    },
    "Brightspace, as countries write times": {
        "101-55 - Ada Lovelace - 20 November, 2026 1011 AM/3-softmax.ipynb": "101-55-ada-lovelace",
        "102-55 - Ben B - 20 novembre 2026 14 h 05/3-softmax.ipynb": "102-55-ben-b",
        "103-55 - Cy - Nov 20, 2026 1011 AM - 3-softmax.ipynb": "103-55-cy",
    },
    "what came into nbgrader's exchange": {
        f"inbound/ada+{PART}+2026-11-20 10:11:12.123456 UTC+YWRh/3-softmax.ipynb": "ada",
        f"inbound/b_b+{PART}+2026-11-20 11:11:12.123456 UTC/3-softmax.ipynb": "b_b",
    },
    "Google Classroom": {
        "Part 1/Ada Lovelace - 3-softmax.ipynb": "Ada-Lovelace",
        "Part 1/Ben Bar - Copy of 3-softmax.ipynb": "Ben-Bar",
        "Part 1/Ben Bar - 1-embeddings.ipynb": "Ben-Bar",
    },
    "Teams": {
        "Submitted files/Ada L/Homework 1/Version 1/3-softmax.ipynb": "Ada-L",
        "Submitted files/Ben B/Homework 1/Version 2/3-softmax.ipynb": "Ben-B",
    },
    "the folder of a part as people call it": {
        "Part 1/ada/3-softmax.ipynb": "ada", "ada/part_1/1-embeddings.ipynb": "ada",
    },
    "Teams, a single student": {"Submitted files/Ada L/Homework 1/Version 1/3-softmax.ipynb": "Ada-L"},
    "Teams, a single student in a folder": {"class/Submitted files/Ada L/Homework 1/3-softmax.ipynb": "Ada-L"},
    "Teams, a single student's folder": {"Ada L/Homework 1/Version 10/3-softmax.ipynb": "Ada-L"},
    "the folder of an assignment around students with versions": {
        "Homework 1/Ada L/Version 1/3-softmax.ipynb": "Ada-L", "Homework 1/Ben/Version 1/3-softmax.ipynb": "Ben",
    },
    "Moodle in groups": {
        "Group 1/Ada_12_assignsubmission_file_/3-softmax.ipynb": "ada-12",
        "Default/Ben_13_assignsubmission_file_/3-softmax.ipynb": "ben-13",
    },
    "sections of several": {
        "Tuesday/ada/3-softmax.ipynb": "ada",
        "Tuesday/ben/work/3-softmax.ipynb": "ben",
        "Thursday/cy/3-softmax.ipynb": "cy",
        "Thursday/dora/3-softmax.ipynb": "dora",
    },
    "numbered sections, one with a single student": {
        "term/Section A/ada/3-softmax.ipynb": "ada",
        "term/Section A/ben/3-softmax.ipynb": "ben",
        "term/Section B/cy/3-softmax.ipynb": "cy",
    },
    "sections with letters, one with a single student": {
        "groupA/ada/3-softmax.ipynb": "ada",
        "groupA/ben/3-softmax.ipynb": "ben",
        "groupB/cy/3-softmax.ipynb": "cy",
    },
    "folders within that are no students": {
        "ada/work/3-softmax.ipynb": "ada", "ben/src/3-softmax.ipynb": "ben", "cy/final/3-softmax.ipynb": "cy",
    },
    "students with numbers and folders within": {
        "s1/work/3-softmax.ipynb": "s1", "s2/src/3-softmax.ipynb": "s2",
    },
    "flat, with an underscore": {"ada_3-softmax.ipynb": "ada", "ben_3-softmax.ipynb": "ben"},
    "flat, with a hyphen, in a folder": {"class/ada-3-softmax.ipynb": "ada", "class/b-1-3-softmax.ipynb": "b-1"},
    "flat, with mail addresses": {"ada@uni.example_3-softmax.ipynb": "ada@uni.example"},
    "saved as text by a browser": {
        "ada/3-softmax.ipynb.txt": "ada",
        "Ben_7_assignsubmission_file_/3-softmax.ipynb.json": "ben-7",
        "cy_8_9_3-softmax.ipynb.txt": "cy-8",
    },
    "logins with capitals": {"ALovelace/3-softmax.ipynb": "ALovelace", "b_baker/3-softmax.ipynb": "b_baker"},
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("part", [PART, None], ids=["part given", "part found"])
@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_a_layout_is_understood(course, pack, spread, layout, part, kind):
    files = {name: SOFTMAX if "softmax" in name else EMBEDDINGS for name in layout}
    source = spread(files) if kind == "folder" else pack(files)
    collected = collect(course, source, part)
    assert collected.refused == []
    assert collected.status == 0
    assert there(course) == {
        f"{student}/{PART}/{'3-softmax' if 'softmax' in name else '1-embeddings'}.ipynb": files[name]
        for name, student in layout.items()
    }


def test_the_folder_of_a_part_is_nobody(course, pack):
    collected = collect(course, pack({"Part 1/Copy of 3-softmax.ipynb": SOFTMAX}), PART)
    assert there(course) == {}
    assert "folder named by the student" in why(collected)["Part 1/Copy of 3-softmax.ipynb"]


def test_what_teams_keeps_of_those_who_go_on_working_is_left_out_beside_what_they_handed_in(course, pack):
    files = {
        "Submitted files/Ada L/Homework/Version 1/3-softmax.ipynb": BARE,
        "Submitted files/Ada L/Homework/Version 2/3-softmax.ipynb": SOFTMAX,
        "Working files/Ada L/Homework/3-softmax.ipynb": BARE + b" ",
        "Working files/Ben B/Homework/3-softmax.ipynb": BARE,
    }
    collected = collect(course, pack(files), PART)
    assert collected.refused == []
    assert there(course) == {f"Ada-L/{PART}/3-softmax.ipynb": SOFTMAX}
    assert "What lies in Working files was not handed in, and was left out." in collected.told


def test_folders_of_groups_are_told_and_no_students_own_folders_are_taken_for_them(course, pack):
    groups = pack({f"{name}/3-softmax.ipynb": SOFTMAX for name in ("A/ada", "A/ben", "B/cy", "B/dora")})
    told = "These folders were taken for groups, and for nobody's names: A and B."
    assert told in collect(course, groups).told
    assert {name.split("/")[0] for name in there(course)} == {"ada", "ben", "cy", "dora"}
    # Those who have handed in before are students, whatever lies in their folders.
    again = collect(
        course, pack({f"{name}/3-softmax.ipynb": SOFTMAX for name in ("ada/x", "ada/y", "ben/x2")}, "b.zip")
    )
    assert {student for _, student, _ in again.unchanged} == {"ada", "ben"}
    # Attempts are called alike in the folders of several.
    names = ("eve/first", "eve/second", "fay/first", "fay/second")
    collect(course, pack({f"{name}/3-softmax.ipynb": SOFTMAX for name in names}, "c.zip"))
    assert {"eve", "fay"} < {name.split("/")[0] for name in there(course)}


def test_two_folders_of_teams_with_versions_of_one_notebook_are_not_mixed(course, pack):
    files = {"Ada/One/Version 3/3-softmax.ipynb": SOFTMAX, "Ada/Two/Version 1/3-softmax.ipynb": BARE}
    collected = collect(course, pack({**files, "Ben/One/Version 1/3-softmax.ipynb": SOFTMAX}), PART)
    assert set(there(course)) == {f"Ben/{PART}/3-softmax.ipynb"}
    assert len(collected.refused) == 2


def test_two_downloads_of_one_evening_are_two_classes_and_a_student_s_own_zip_is_none(course, pack):
    name = "{}_assignsubmission_file_/3-softmax.ipynb"
    evening = {
        f"CS101-{number}.zip": zipped({name.format(f"{student}_{number}"): SOFTMAX for student in ("Ada L", "Ben B")})
        for number in (5555, 5556)
    }
    collected = collect(course, pack(evening))
    assert collected.refused == []
    assert {each.split("/")[0] for each in there(course)} == {"ada-l-5555", "ada-l-5556", "ben-b-5555", "ben-b-5556"}
    assert len([line for line in collected.told if "lies beside others of its kind" in line]) == 2
    # Whoever packs another's name into a zip of their own is who the zip is named for.
    forged = {"eve.zip": zipped({name.format("Cy C_7"): SOFTMAX}), "dora.zip": zipped({"3-softmax.ipynb": SOFTMAX})}
    collect(course, pack(forged, "forged.zip"))
    assert {each.split("/")[0] for each in there(course)} >= {"eve", "dora"}
    assert not any(each.startswith("cy-c-7") for each in there(course))


TIME = "timestamp.txt"
METADATA = b"""
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '9011'
    :email: ada@u.example
  :created_at: 2026-11-19 17:43:02.000000000 Z
  :score: 0.0
submission_12:
  submitters:
  - {name: Ben B, sid: 9012}
  - {name: Cy C, email: cy@u.example}
  created_at: 2026-11-19 19:43:02 +01:00
submission_13:
  :submitters:
  - :name: John Smith
    :sid: '1'
submission_14:
  :submitters:
  - :name: John Smith
    :sid: '2'
submission_15:
  :submitters: 7
submission_16:
  :submitters:
  - :name: John Smith
    :sid:
other: [1]
"""


@pytest.mark.parametrize("around", ["", "assignment_777_export/"])
def test_gradescopes_own_file_says_who_and_when(course, pack, around):
    files = {f"submission_{number}/3-softmax.ipynb": SOFTMAX for number in (11, 12, 13, 15, 16)}
    files |= {"submission_14/report.pdf": b"x", "submission_metadata.yml": METADATA}
    # What a student packs is the student's, whatever it is called.
    files["submission_13/submission_metadata.yml"] = METADATA.replace(b"Ada", b"Eve")
    collected = collect(course, pack({around + name: data for name, data in files.items()}))
    assert collected.refused == []
    students = {name.split("/")[0] for name in there(course)}
    assert students == {
        "ada-lovelace-9011",
        "ben-b-9012-and-cy-c-cy@u.example",
        "john-smith-1",
        "john-smith-submission-16",
        "submission_15",
    }
    assert stamp(course, "ada-lovelace-9011") == "2026-11-19 17:43:02 UTC\n"
    assert stamp(course, "ben-b-9012-and-cy-c-cy@u.example") == "2026-11-19 18:43:02 UTC\n"
    assert not stamped(course, "john-smith-1")
    assert "Of groups, which count as one student each: submission_12." in collected.told
    assert [line for line in collected.told if "says who handed them in" in line and line.endswith(": submission_15.")]
    assert "john-smith-2 handed in no notebook, only report.pdf." in collected.told
    assert not any("time zone" in line for line in collected.told)


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        b"",
        b"[1, 2",
        b"- 1",
        b"a: !!python/object/apply:os.system [ls]",
        b"\xff\xfe\x00",
        b"[" * 5000,
        b"x: 2026-13-45",
    ],
    ids=["none", "empty", "cut", "list", "python", "binary", "deep", "date"],
)
def test_where_gradescopes_file_is_missing_or_bad_folders_keep_their_numbers_and_it_is_told(course, pack, metadata):
    files = {f"submission_{number}/3-softmax.ipynb": SOFTMAX for number in (11, 12)}
    files |= {} if metadata is None else {"submission_metadata.yml": metadata}
    collected = collect(course, pack(files))
    assert {name.split("/")[0] for name in there(course)} == {"submission_11", "submission_12"}
    assert [line for line in collected.told if line.endswith(": submission_11, submission_12.")]
    if metadata not in (None, b"x: 2026-13-45"):
        assert [line for line in collected.told if line.startswith("submission_metadata.yml was not read")]


def test_gradescopes_file_may_not_be_too_large(course, pack, monkeypatch):
    monkeypatch.setattr(gradescope, "LARGEST", 100)
    told = collect(course, pack({"submission_11/3-softmax.ipynb": SOFTMAX, "submission_metadata.yml": METADATA})).told
    assert "submission_metadata.yml was not read, so that folders have no names: it is larger than 100 bytes." in told


def test_a_student_without_a_notebook_is_named(course, pack):
    files = {
        "ada/3-softmax.ipynb": SOFTMAX,
        "ben/answers.pdf": b"x",
        "ben/work.rar": b"x",
        "cy.zip": zipped({"work.7z": b"x"}),
        "Dora_7_assignsubmission_file_/work.rar": b"x",
        "index.html": b"x",
    }
    told = collect(course, pack(files), PART).told
    assert [line for line in told if "no notebook" in line] == [
        "ben handed in no notebook, only answers.pdf and work.rar.",
        "cy handed in no notebook, only work.7z.",
        "dora-7 handed in no notebook, only work.rar.",
    ]


@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_whose_notebook_lies_only_in_the_folder_of_checkpoints_is_named_and_whose_zip_is_empty(
    course, pack, spread, kind
):
    copied = ".ipynb_checkpoints/3-softmax-checkpoint.ipynb"
    files = {
        "Ada_7_assignsubmission_file_/3-softmax.ipynb": SOFTMAX,
        f"Ada_7_assignsubmission_file_/{copied}": SOFTMAX,
        f"Ben_8_assignsubmission_file_/{copied}": SOFTMAX,
        "Cy_9_assignsubmission_file_/work.zip": zipped({f"work/{copied}": SOFTMAX}),
        "Dora_10_assignsubmission_file_/work.zip": zipped({}),
        "Eve_11_assignsubmission_file_/work.zip": zipped({"__MACOSX/._work.txt": b"x"}),
        copied: SOFTMAX,
    }
    told = collect(course, pack(files) if kind == "zip" else spread(files), PART).told
    assert [line for line in told if "no notebook" in line] == [
        f"ben-8 handed in no notebook, only {copied}.",
        f"cy-9 handed in no notebook, only {copied}.",
        "dora-10 handed in no notebook, only work.zip, in which there is nothing.",
        "eve-11 handed in no notebook, only work.zip, in which there is nothing.",
    ]
    assert set(there(course)) == {f"ada-7/{PART}/3-softmax.ipynb"}


def test_what_a_student_typed_into_canvas_is_named_like_a_file(course, pack):
    files = {
        "lovelaceada_12345_67890_3-softmax.ipynb": SOFTMAX,
        "lovelaceada_12345_text.html": b"x",
        "halhtml_LATE_1012_text.html": b"x",
        "anon_aB3x9_text.html": b"x",
    }
    told = collect(course, pack(files), PART).told
    assert [line for line in told if "no notebook" in line] == [
        "anon-aB3x9 handed in no notebook, only anon_aB3x9_text.html.",
        "halhtml-1012 handed in no notebook, only halhtml_LATE_1012_text.html.",
    ]


def test_a_notebook_that_is_too_large_comes_with_what_to_do_and_its_student_is_named(course, pack):
    files = {
        "ada/3-softmax.ipynb": SOFTMAX + b" " * 2**20,
        "ada/report.pdf": b"x",
        "ben/3-softmax.ipynb": SOFTMAX,
        "ben/1-embeddings.ipynb": EMBEDDINGS + b" " * 2**20,
        "cy.zip": b"no zip",
    }
    collected = collect(course, pack(files), PART, allowance=Allowance(file=2**20))
    words = "it is larger than 1 MB; ask the student to clear all outputs"
    assert why(collected)["ada/3-softmax.ipynb"].startswith(words)
    assert collected.told[0] == "Nothing was taken in of ada, cy: why is said of each file below."
    assert not any("no notebook" in line for line in collected.told)


def test_a_copy_of_a_notebook_names_nobody(course, pack):
    collected = collect(course, pack({"Copy of 3-softmax.ipynb": SOFTMAX, "ben/Copy of 3-softmax.ipynb": SOFTMAX}))
    assert "folder named by the student" in why(collected)["Copy of 3-softmax.ipynb"]
    assert set(there(course)) == {f"ben/{PART}/Copy of 3-softmax.ipynb"}


def test_zips_of_students_are_unpacked_two_deep(course, pack):
    deep = zipped({"all.zip": zipped({"work/3-softmax.ipynb": SOFTMAX})})
    files = {
        "ada.zip": zipped({"3-softmax.ipynb": SOFTMAX, "1-embeddings.ipynb": EMBEDDINGS}),
        "Ben B_7_assignsubmission_file_/homework.zip": zipped({f"homework/{PART}/3-softmax.ipynb": SOFTMAX}),
        "chencora_5_6_work.zip": zipped({"3-softmax.ipynb": SOFTMAX}),
        "dora/work.zip": deep,
    }
    collected = collect(course, pack(files))
    assert collected.refused == []
    assert set(there(course)) == {
        f"ada/{PART}/3-softmax.ipynb",
        f"ada/{PART}/1-embeddings.ipynb",
        f"ben-b-7/{PART}/3-softmax.ipynb",
        f"chencora-5/{PART}/3-softmax.ipynb",
        f"dora/{PART}/3-softmax.ipynb",
    }


def test_a_zip_of_the_class_within_a_folder_or_zip_is_not_taken_for_a_student(course, pack, spread):
    inner = zipped({"ada/3-softmax.ipynb": SOFTMAX, "ben/3-softmax.ipynb": SOFTMAX})
    for source in (pack({"export.zip": inner, "readme.txt": b"x"}), spread({"export.zip": inner})):
        collected = collect(course, source)
        assert {name.split("/")[0] for name in there(course)} == {"ada", "ben"}
        assert any("export.zip" in words for words in collected.told)


def test_one_students_zip_by_itself_is_the_students(course, spread):
    collect(course, spread({"ada.zip": zipped({"3-softmax.ipynb": SOFTMAX, "notes/1-embeddings.ipynb": EMBEDDINGS})}))
    assert set(there(course)) == {f"ada/{PART}/3-softmax.ipynb", f"ada/{PART}/1-embeddings.ipynb"}


def test_a_folder_named_by_somebody_who_handed_in_before_is_a_students(course, pack):
    collect(course, pack({"ada/3-softmax.ipynb": SOFTMAX}))
    collect(course, pack({"ada/work/1-embeddings.ipynb": EMBEDDINGS}, "b.zip"))
    assert set(there(course)) == {f"ada/{PART}/3-softmax.ipynb", f"ada/{PART}/1-embeddings.ipynb"}


def test_a_students_own_names_hand_in_for_nobody_else(course, pack):
    moodle, canvas = "Ada Lovelace_1_assignsubmission_file_", "lovelaceada_12345_67890_3-softmax.ipynb"
    files = {
        f"{moodle}/3-softmax.ipynb": SOFTMAX,
        "mallory/3-softmax.ipynb": SOFTMAX,
        f"mallory/{moodle}/1-embeddings.ipynb": BARE,
        f"mallory/{canvas}": BARE,
        "oscar.zip": zipped({f"{moodle}/3-softmax.ipynb": BARE, "mallory/1-embeddings.ipynb": BARE, canvas: BARE}),
        "eve_7_8_ben_3-softmax.ipynb": BARE,
        "Eve_9_assignsubmission_file_/Ben_1_assignsubmission_file_3-softmax.ipynb": BARE,
    }
    collect(course, pack(files), PART)
    assert {name.split("/")[0] for name in there(course)} == {"ada-lovelace-1", "mallory", "oscar", "eve-7", "eve-9"}
    assert there(course)[f"ada-lovelace-1/{PART}/3-softmax.ipynb"] == SOFTMAX


def test_mixed_parts_are_told_apart_by_their_cells_names_and_folders(course, pack):
    stripped = SOFTMAX.replace(b'"grade_id"', b'"lost"')
    files = {
        "ada/renamed.ipynb": SOFTMAX,
        "ada/homework (2).ipynb": KERNELS,
        "ben/2-kernel-machines.ipynb": BARE,
        "chen/whatever.ipynb": stripped,
        f"dora/{OTHER}/whatever.ipynb": BARE,
        "emil/truncated.ipynb": SOFTMAX[: len(SOFTMAX) // 2],
        "fay/3-softmax (1).ipynb": b"",
        "gus/3-softmax.ipynb": SOFTMAX,
        "gus/unknown.ipynb": BARE,
    }
    collected = collect(course, pack(files))
    assert collected.refused == []
    assert set(there(course)) == {
        f"ada/{PART}/renamed.ipynb",
        f"ada/{OTHER}/homework (2).ipynb",
        f"ben/{OTHER}/2-kernel-machines.ipynb",
        f"chen/{PART}/whatever.ipynb",
        f"dora/{OTHER}/whatever.ipynb",
        f"emil/{PART}/truncated.ipynb",
        f"fay/{PART}/3-softmax (1).ipynb",
        f"gus/{PART}/3-softmax.ipynb",
        f"gus/{PART}/unknown.ipynb",
    }


def test_a_notebook_of_no_part_is_refused_unless_the_part_is_named(course, pack):
    source = pack({"ada/notes.ipynb": BARE, "ben/3-softmax.ipynb": SOFTMAX})
    assert "--part" in why(collect(course, source))["ada/notes.ipynb"]
    assert collect(course, source, PART).status == 0
    assert f"ada/{PART}/notes.ipynb" in there(course)


def test_with_a_part_the_folders_of_others_are_left_out_and_a_notebook_of_another_is_told(course, pack):
    files = {f"ada/{OTHER}/x.ipynb": KERNELS, "ada/3-softmax.ipynb": SOFTMAX, "ben/3-softmax.ipynb": KERNELS}
    collected = collect(course, pack(files), PART)
    assert set(there(course)) == {f"ada/{PART}/3-softmax.ipynb", f"ben/{PART}/3-softmax.ipynb"}
    assert collected.others == 1
    assert [words for words in collected.told if OTHER in words and "ben/3-softmax" in words]


def test_an_unknown_part_is_an_error_that_names_those_there_are(course, pack):
    with pytest.raises(CourseError, match=PART):
        collect(course, pack({"ada/3-softmax.ipynb": SOFTMAX}), "part-one")


def test_the_courses_own_pattern_for_nbgraders_collector_is_asked_first(course, pack):
    course.config.FileNameCollectorPlugin.named_regexp = r".*hw(?P<file_id>\d-\w+) by (?P<student_id>\w+)"
    files = {"top/hw3-softmax by ada.ipynb": SOFTMAX, "top/ben_3-softmax.ipynb": SOFTMAX}
    collected = collect(course, pack(files))
    assert collected.refused == []
    assert set(there(course)) == {f"ada/{PART}/3-softmax.ipynb", f"ben/{PART}/3-softmax.ipynb"}


def test_a_broken_pattern_of_the_course_is_an_error(course, pack):
    course.config.FileNameCollectorPlugin.named_regexp = "(?P<student_id>"
    with pytest.raises(CourseError, match="named_regexp"):
        collect(course, pack({"ada/3-softmax.ipynb": SOFTMAX}))


def test_what_is_no_notebook_is_left_out_and_counted(course, pack):
    files = {
        "ada/3-softmax.ipynb": SOFTMAX, "ada/essay.pdf": b"x", "ada/numpy.py": b"x", "index.html": b"x",
        "__MACOSX/ada/._3-softmax.ipynb": b"x", "ada/.ipynb_checkpoints/3-softmax-checkpoint.ipynb": SOFTMAX,
        "ada/.DS_Store": b"x",
    }  # fmt: skip
    collected = collect(course, pack(files))
    assert set(there(course)) == {f"ada/{PART}/3-softmax.ipynb"}
    assert collected.others == 3
    assert collected.refused == []


def test_a_notebook_that_names_no_student_is_refused_with_advice(course, pack):
    assert "folder named by the student" in why(collect(course, pack({"3-softmax.ipynb": SOFTMAX})))["3-softmax.ipynb"]


def test_several_attempts_of_one_student_the_newest_wins_and_is_told(course, pack):
    head = f"{PART}_ada_attempt_2026-11"
    files = {
        f"{head}-21-10-00-00_3-softmax (1).ipynb": SOFTMAX,
        f"{head}-20-10-00-00_3-softmax.ipynb": BARE,
        f"{head}-20-10-00-00_1-embeddings.ipynb": EMBEDDINGS,
        "benb_5_70_3-softmax.ipynb": BARE,
        "benb_5_71_3-softmax-1.ipynb": BARE + b" ",
        "benb_5_72_3-softmax-2.ipynb": SOFTMAX,
        # The number of the attempt says what is newer, and the number of the file only when attempts are the same.
        "carac_6_90_3-softmax-1.ipynb": BARE,
        "carac_6_81_3-softmax-2.ipynb": SOFTMAX,
    }
    collected = collect(course, pack(files), PART)
    assert collected.refused == []
    assert there(course) == {
        f"ada/{PART}/3-softmax (1).ipynb": SOFTMAX,
        f"ada/{PART}/1-embeddings.ipynb": EMBEDDINGS,
        f"benb-5/{PART}/3-softmax.ipynb": SOFTMAX,
        f"carac-6/{PART}/3-softmax.ipynb": SOFTMAX,
    }
    assert len([words for words in collected.told if "newest attempt" in words]) == 3


ILIAS = "Exercise 1/Submissions/{}/{}_{}.ipynb"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            ILIAS.format("Love_Ada_al_301", "20261118174302", "3-softmax"),
            ILIAS.format("Love_Ada_al_301", "20261119174302", "3-softmax"),
        ),
        ("Love_Ada_al_301/3-softmax 2026-11-18.ipynb", "Love_Ada_al_301/3-softmax 2026-11-19.ipynb"),
        ("Love_Ada_al_301/2026-11-18 17.43/3-softmax.ipynb", "Love_Ada_al_301/2026-11-18 18.02/3-softmax.ipynb"),
        ("Love_Ada_al_301/2026-11-18/3-softmax.ipynb", "Love_Ada_al_301/2026-11-19/3-softmax (1).ipynb"),
    ],
    ids=["ILIAS", "names", "folders", "folders and a copy"],
)
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "beside another"])
def test_of_files_with_dates_the_last_counts_and_the_others_are_kept_as_attempts(course, pack, older, newer, alone):
    worked = SOFTMAX.replace(b"# YOUR CODE HERE", b"return x")
    files = {older: SOFTMAX.replace(b"# YOUR CODE HERE", b"return 1"), newer: worked}
    ben = newer.replace("Love_Ada_al_301", "Ben_B_bb_302")
    other = {} if alone else {ben: SOFTMAX, ben.replace("3-softmax", "1-embeddings"): EMBEDDINGS}
    collected = collect(course, pack(files | other))
    assert collected.refused == []
    found = there(course)
    assert {name.split("/")[0] for name in found} == {"Love_Ada_al_301"} | ({*()} if alone else {"Ben_B_bb_302"})
    assert [data for name, data in found.items() if name.startswith("Love")] == [worked]
    assert [line for line in collected.told if line.endswith(f"the newest attempt was taken; not {older}.")]
    assert len([*course.attempts(PART, "Love_Ada_al_301").iterdir()]) == 1
    assert not stamped(course, "Love_Ada_al_301"), "a student may have written the date"
    assert collect(course, pack(files | other)).new == []


def test_a_date_decides_nothing_beside_a_file_without_one(course, pack):
    worked = [SOFTMAX.replace(b"# YOUR CODE HERE", b"return %d" % number) for number in (1, 2)]
    collected = collect(
        course, pack({f"ada/3-softmax{add}.ipynb": data for add, data in zip(("", "-2026-11-18"), worked, strict=True)})
    )
    assert len(there(course)) == 2
    assert (
        "ada: `3-softmax-2026-11-18.ipynb` was set aside: `3-softmax.ipynb` was taken for 3-softmax." in collected.told
    )


def test_which_of_several_copies_counts_is_told_of_some_and_the_others_counted(course, pack):
    released = as_json(course.released(PART)["3-softmax"]).encode()
    worked = [released.replace(b"# YOUR CODE HERE", b"return %d" % number) for number in (1, 2)]
    names = ("3-softmax.ipynb", "3-softmax (1).ipynb")
    files = {f"s{student}/{name}": data for student in range(10) for name, data in zip(names, worked, strict=True)}
    files |= {
        "ada/3-softmax.ipynb": released,
        "ada/3-softmax-Copy1.ipynb": worked[0],
        "ada/1-embeddings.ipynb": EMBEDDINGS,
    }
    told = collect(course, pack(files)).told
    first = "ada: `3-softmax.ipynb` holds no answers, so `3-softmax-Copy1.ipynb` was taken for 3-softmax."
    assert told[0] == first
    assert told[1] == "s0: `3-softmax (1).ipynb` was set aside: `3-softmax.ipynb` was taken for 3-softmax."
    assert told[8] == "... and 3 more like these."
    assert not [line for line in told if "two people's" in line]


def test_two_people_of_one_name_may_be_behind_numbered_files(course, pack):
    worked = [SOFTMAX.replace(b"# YOUR CODE HERE", b"return %d" % number) for number in (1, 2)]
    files = {
        "John Smith - 3-softmax.ipynb": worked[0],
        "John Smith - 3-softmax (1).ipynb": worked[1],
        "Ann Lee - 3-softmax.ipynb": worked[0],
        "Ann Lee - 1-embeddings.ipynb": EMBEDDINGS,
    }
    told = collect(course, pack(files)).told
    assert "John-Smith: `3-softmax (1).ipynb` was set aside: `3-softmax.ipynb` was taken for 3-softmax." in told
    (line,) = [line for line in told if "two people's" in line]
    assert "John Smith" in line
    assert "Ann" not in line
    assert "put the files of each into a folder with another name" in line


def test_times_without_a_zone_are_told_and_are_read_again_once_the_course_names_one(course, pack):
    head = f"{PART}_ada_attempt_2026-11-20-23-30-00"
    files = pack({f"{head}_3-softmax.ipynb": SOFTMAX})
    first = collect(course, files)
    assert [line for line in first.told if "read as UTC" in line]
    assert stamp(course, "ada") == "2026-11-20 23:30:00 UTC\n"
    (course.grading / "course.toml").write_text('timezone = "America/New_York"\n', encoding="utf-8")
    again = collect(course, files)
    assert not [line for line in again.told if "read as UTC" in line]
    assert stamp(course, "ada") == "2026-11-21 04:30:00 UTC\n"
    (course.grading / "course.toml").write_text('timezone = "Europe/Berlin"\nattempts = "best"\n', encoding="utf-8")
    collect(course, files)
    assert stamp(course, "ada") == "2026-11-20 22:30:00 UTC\n"
    # The same, handed in once more and later, is no change: it was there before.
    later = pack({f"{head.replace('-20-', '-22-')}_3-softmax.ipynb": SOFTMAX}, "later.zip")
    collect(course, later)
    assert stamp(course, "ada") == "2026-11-20 22:30:00 UTC\n"


def test_the_folder_of_the_whole_course_is_what_was_worked_in(course, pack):
    untouched = {
        f"{part}/{name}.ipynb": as_json(notebook).encode()
        for part in (PART, OTHER)
        for name, notebook in course.released(part).items()
    }
    worked = untouched[f"{PART}/3-softmax.ipynb"].replace(b"# YOUR CODE HERE", b"return x")
    work, files = {f"{PART}/3-softmax.ipynb": worked}, {}
    for student in ("ada", "ben"):
        files |= {f"{student}/attention-course-main/notebooks/{name}": data for name, data in untouched.items()}
        files |= {f"{student}/attention-course-main/work/{name}": data for name, data in (untouched | work).items()}
    collected = collect(course, pack(files))
    assert collected.refused == []
    found = there(course)
    assert {name.split("/")[1] for name in found} == {PART}
    assert found[f"ben/{PART}/3-softmax.ipynb"] == worked
    assert found[f"ada/{PART}/1-embeddings.ipynb"] == untouched[f"{PART}/1-embeddings.ipynb"]
    assert [line for line in collected.told if "as handed out, beside others that were worked in" in line]


def test_of_a_zip_of_the_whole_course_what_was_worked_in_counts_also_where_names_say_the_attempt(course, pack):
    untouched = {
        f"{part}/{name}.ipynb": as_json(notebook).encode()
        for part in (PART, OTHER)
        for name, notebook in course.released(part).items()
    }
    worked = untouched[f"{PART}/3-softmax.ipynb"].replace(b"# YOUR CODE HERE", b"return x")
    files = {f"notebooks/{name}": data for name, data in untouched.items()}
    files |= {
        f"work/{PART}/3-softmax.ipynb": worked,
        f"work/{PART}/2-scores.ipynb": untouched[f"{PART}/2-scores.ipynb"],
    }
    handed_in = {"leekim_7_101_main.zip": zipped(files), "bobben_8_102_3-softmax.ipynb": SOFTMAX}
    collected = collect(course, pack(handed_in))
    assert collected.refused == []
    found = there(course)
    assert {name.split("/")[1] for name in found} == {PART}
    assert found[f"leekim-7/{PART}/3-softmax.ipynb"] == worked
    (line,) = [line for line in collected.told if "as handed out" in line]
    assert line.endswith("(of leekim-7).")
    # What was handed in later, as it was handed out, is what counts: it came as an attempt of its own.
    collect(course, pack({"cyd_9_101_3-softmax.ipynb": worked, "cyd_9_102_3-softmax-1.ipynb": SOFTMAX}, "later.zip"))
    assert there(course)[f"cyd-9/{PART}/3-softmax.ipynb"] == SOFTMAX


def test_what_nobody_has_worked_in_is_handed_in_all_the_same(course, pack):
    others = {f"ben/{PART}/3-softmax.ipynb": SOFTMAX, f"ben/{OTHER}/2-kernel-machines.ipynb": KERNELS}
    collect(course, pack({f"ada/{PART}/3-softmax.ipynb": SOFTMAX, **others}))
    assert set(there(course)) == {f"ada/{PART}/3-softmax.ipynb", *others}


def test_blackboards_notes_name_logins_with_underscores(course, pack):
    stamp = "attempt_2026-11-20-10-00-00"
    files = {}
    for login in ("a_love", "b_love"):
        files[f"{PART}_{login}_{stamp}_3-softmax.ipynb"] = SOFTMAX
        files[f"{PART}_{login}_{stamp}.txt"] = f"Name: Somebody ({login})\nName: Eve (love)\n".encode()
    collected = collect(course, pack(files))
    assert {name.split("/")[0] for name in there(course)} == {"a_love", "b_love"}
    assert collected.refused == []
    assert collected.others == 2


def test_a_note_that_names_somebody_else_is_not_believed(course, pack):
    head = f"{PART}_mallory_attempt_2026-11-20-10-00-00"
    collect(course, pack({f"{head}_3-softmax.ipynb": SOFTMAX, f"{head}.txt": b"Name: Ada (ada)"}))
    assert set(there(course)) == {f"mallory/{PART}/3-softmax.ipynb"}


def test_logins_that_cannot_be_told_apart_without_notes_are_refused(course, pack):
    stamp = "attempt_2026-11-20-10-00-00_3-softmax.ipynb"
    collected = collect(course, pack({f"{PART}_{login}_{stamp}": SOFTMAX for login in ("a_love", "b_love", "cy")}))
    assert {name.split("/")[0] for name in there(course)} == {"cy"}
    assert len(collected.refused) == 2


@pytest.mark.parametrize(
    "files",
    [
        {"Ada L/3-softmax.ipynb": SOFTMAX, "Ada-L/3-softmax.ipynb": EMBEDDINGS, "ben/3-softmax.ipynb": SOFTMAX},
        {"Ada/3-softmax.ipynb": SOFTMAX, "ada/3-softmax.ipynb": EMBEDDINGS, "ben/3-softmax.ipynb": SOFTMAX},
        {"José/3-softmax.ipynb": SOFTMAX, "Jose/3-softmax.ipynb": EMBEDDINGS, "ben/3-softmax.ipynb": SOFTMAX},
    ],
)
def test_two_students_never_fall_together(course, pack, files):
    collected = collect(course, pack(files))
    students = {name.split("/")[0] for name in there(course)}
    assert "ben" in students
    assert len(students) + len(set(collected.refused)) == 3
    assert "rename" in collected.refused[0][1]


def test_two_different_files_for_one_notebook_are_refused_and_the_least_deep_wins(course, pack):
    files = {
        "ada/a/3-softmax.ipynb": SOFTMAX, "ada/b/3-softmax.ipynb": BARE,
        "ben/3-softmax.ipynb": SOFTMAX, "ben/old/3-softmax.ipynb": BARE,
        "cy/a/3-softmax.ipynb": SOFTMAX, "cy/b/3-softmax.ipynb": SOFTMAX,
    }  # fmt: skip
    collected = collect(course, pack(files), PART)
    assert there(course) == {f"ben/{PART}/3-softmax.ipynb": SOFTMAX, f"cy/{PART}/3-softmax.ipynb": SOFTMAX}
    assert {name.split("/")[0] for name, _ in collected.refused} == {"ada"}
    assert any("ben/old" in words for words in collected.told)


def test_changed_names_are_told(course, pack):
    collected = collect(course, pack({"Ada Lovelace_1_assignsubmission_file_/3-softmax.ipynb": SOFTMAX}))
    assert "Ada Lovelace_1 is the student ada-lovelace-1." in collected.told


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("ada", "ada"), ("a.b_c-d@e.f", "a.b_c-d@e.f"), ("../x", "x"), ("-rf", "rf"), (".hidden", "hidden"),
        ("a/b\\c:d*e?f", "a-b-c-d-e-f"), ("[ada]*", "ada"), ("a\n\x1b[31mb", "a-31mb"), ("李", "李"), ("한국", "한국"),
        ("a" * 500, "a" * 128), ("李" * 500, "李" * 42), ("...", ""), ("\u202egnp", "gnp"),
    ],
)  # fmt: skip
def test_a_students_name_becomes_the_name_of_a_folder(name, safe):
    assert safe_name(name) == safe


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("3-softmax.ipynb", "3-softmax.ipynb"), ("x/3-softmax (1).ipynb", "3-softmax (1).ipynb"),
        ("a\nb\x1b.IPYNB", "a_b_.ipynb"), (".ipynb", "notebook.ipynb"), ("é.ipynb", "é.ipynb"),
        ("a:b*c.ipynb", "a_b_c.ipynb"),
    ],
)  # fmt: skip
def test_a_files_name_is_kept_as_far_as_every_system_allows(name, kept):
    assert file_name(name) == kept


@pytest.mark.parametrize(
    "name",
    [
        "3-softmax.ipynb",
        "3-Softmax (1).ipynb",
        "3-softmax-2.ipynb",
        "3-softmax - Copy.ipynb",
        "3-softmax(12).ipynb",
        "Copy of 3-softmax.ipynb",
        "Copy (2) of 3-softmax.ipynb",
    ],
)
def test_copies_of_a_notebook_stand_for_it(name):
    assert stem_of(name, {"3-softmax", "1-embeddings"}) == "3-softmax"


# ---- times


def stamp(course, student):
    return (course.submitted(PART, student) / "timestamp.txt").read_text(encoding="utf-8")


def stamped(course, student):
    return (course.submitted(PART, student) / "timestamp.txt").exists()


def test_the_time_comes_from_the_name_or_a_file_that_came_along_and_is_never_guessed(course, pack):
    files = {
        "ada/3-softmax.ipynb": SOFTMAX,
        f"{PART}_ben_attempt_2026-11-21-01-02-03_3-softmax.ipynb": SOFTMAX,
        "chen/3-softmax.ipynb": SOFTMAX,
        "chen/timestamp.txt": b"2026-11-19 08:00:00 UTC",
        "dora/3-softmax.ipynb": SOFTMAX,
        "dora/timestamp.txt": b"'; DROP TABLE student; --",
        "eve/3-softmax.ipynb": SOFTMAX,
        "eve/timestamp.txt": b"20261119174302000",  # older editions of Sakai
    }
    collected = collect(course, pack(files), PART)
    # When a zip was packed says little of when somebody handed in.
    assert [stamped(course, student) for student in ("ada", "ben", "chen", "dora")] == [False, True, True, False]
    assert stamp(course, "ben") == "2026-11-21 01:02:03 UTC\n"
    assert stamp(course, "chen") == "2026-11-19 08:00:00 UTC\n"
    assert stamp(course, "eve") == "2026-11-19 17:43:02 UTC\n"
    assert [words for words in collected.told if "dora/timestamp.txt" in words]


def test_nbgrader_reads_the_times_that_are_written(course, spread):
    collect(course, spread({f"{PART}_ada_attempt_2023-11-14-22-13-20_3-softmax.ipynb": SOFTMAX}))
    folder = str(course.submitted(PART, "ada"))
    read = CourseDirectory(config=course.config).get_existing_timestamp(folder)
    assert read == datetime(2023, 11, 14, 22, 13, 20)


def test_a_time_that_cannot_be_is_not_written(course, pack):
    collect(course, pack({f"{PART}_ada_attempt_2026-13-32-10-11-12_3-softmax.ipynb": SOFTMAX}))
    assert not stamped(course, "ada")
    assert there(course)


@pytest.mark.parametrize("text", ["", "yesterday", "9" * 5000, "1066-10-14", "2026-13-45", "\0", "12:00 2999-01-01"])
def test_what_is_no_time_is_none(text):
    assert any_time(text) is None


# ---- what is there already


def test_collecting_twice_changes_nothing(course, pack, spread):
    files = {
        "ada/3-softmax.ipynb": SOFTMAX,
        "ada/3-softmax (1).ipynb": BARE,
        "ben/3-softmax.ipynb": SOFTMAX,
        f"{PART}_cy_attempt_2026-11-20-10-00-00_3-softmax.ipynb": SOFTMAX,
    }
    for source in (pack(files), spread({name: files[name] for name in list(files)[:3]})):
        collect(course, source, PART)
        before = everything(course)
        for replace in (False, True):
            again = collect(course, source, PART, replace=replace)
            assert everything(course) == before
            assert (again.new, again.replaced, again.refused) == ([], [], [])
            assert len(again.unchanged) >= 3


def test_another_version_is_kept_out_unless_replaced_and_then_the_old_one_is_put_aside(course, pack):
    collect(course, pack({"ada/3-softmax.ipynb": BARE, "ada/1-embeddings.ipynb": EMBEDDINGS}), PART)
    newer = pack({"ada/3-softmax.ipynb": SOFTMAX}, "newer.zip")
    kept = collect(course, newer, PART)
    assert there(course)[f"ada/{PART}/3-softmax.ipynb"] == BARE
    assert kept.status == 1
    assert "--replace" in kept.problems
    taken = collect(course, newer, PART, replace=True)
    assert there(course) == {f"ada/{PART}/3-softmax.ipynb": SOFTMAX, f"ada/{PART}/1-embeddings.ipynb": EMBEDDINGS}
    assert (taken.status, taken.replaced) == (0, [(PART, "ada", "3-softmax.ipynb")])
    (old,) = (course.grading / "replaced").rglob("3-softmax.ipynb")
    assert old.read_bytes() == BARE
    assert old.parts[-3:-1] == ("ada", PART)
    assert str(taken.aside) in taken.summary


def test_a_copy_of_a_notebook_that_is_there_counts_as_another_version(course, pack):
    collect(course, pack({"ada/3-softmax.ipynb": BARE}), PART)
    newer = pack({"ada/3-softmax (1).ipynb": SOFTMAX}, "newer.zip")
    assert collect(course, newer, PART).status == 1
    collect(course, newer, PART, replace=True)
    assert there(course) == {f"ada/{PART}/3-softmax (1).ipynb": SOFTMAX}
    # The same notebook under another name is nothing new.
    assert collect(course, pack({"ada/3-softmax-2.ipynb": SOFTMAX}, "same.zip"), PART).unchanged


def test_replacing_time_and_again_loses_nothing(course, pack):
    versions = [BARE + b" " * i for i in range(5)]
    for i, version in enumerate(versions):
        collect(course, pack({"ada/3-softmax.ipynb": version}, f"{i}.zip"), PART, replace=True)
    kept = {path.read_bytes() for path in (course.grading / "replaced").rglob("*.ipynb")}
    assert kept | set(there(course).values()) == set(versions)


def test_a_notebook_more_makes_the_submission_later_but_never_earlier(course, pack):
    first, earlier, later = (
        f"{PART}_ada_attempt_{date}-00-00-00_{name}.ipynb"
        for name, date in (("3-softmax", "2026-11-20"), ("1-embeddings", "2026-01-01"), ("2-scores", "2026-12-01"))
    )
    collect(course, pack({first: SOFTMAX}), PART)
    collect(course, pack({earlier: EMBEDDINGS}, "b.zip"), PART)
    assert stamp(course, "ada").startswith("2026-11-20")
    collect(course, pack({later: BARE}, "c.zip"), PART)
    assert stamp(course, "ada").startswith("2026-12-01")


def test_a_time_that_is_there_and_cannot_be_read_is_put_aside(course, pack):
    source = pack({f"{PART}_ada_attempt_2026-11-20-10-11-12_3-softmax.ipynb": SOFTMAX})
    collect(course, source, PART)
    (course.submitted(PART, "ada") / "timestamp.txt").write_text("garbage", encoding="utf-8")
    collected = collect(course, source, PART)
    assert stamp(course, "ada") == "2026-11-20 10:11:12 UTC\n"
    assert [words for words in collected.told if "put aside" in words]
    assert [path.read_text() for path in (course.grading / "replaced").rglob("timestamp.txt")] == ["garbage"]


def test_links_in_place_of_folders_and_files_are_never_written_through(course, pack, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "3-softmax.ipynb").write_bytes(b"mine")
    top = course.grading / "submitted"
    (top / "ben" / PART).mkdir(parents=True)
    (top / "ada").symlink_to(outside)
    (top / "ben" / PART / "3-softmax.ipynb").symlink_to(outside / "3-softmax.ipynb")
    (top / "cy").write_text("a file")
    files = {f"{student}/3-softmax.ipynb": SOFTMAX for student in ("ada", "ben", "cy", "dora")}
    collected = collect(course, pack(files), PART, replace=True)
    assert (outside / "3-softmax.ipynb").read_bytes() == b"mine"
    assert list(outside.iterdir()) == [outside / "3-softmax.ipynb"]
    assert {name.split("/")[0] for name, _ in collected.refused} == {"ada", "cy"}
    assert (top / "ben" / PART / "3-softmax.ipynb").read_bytes() == SOFTMAX
    assert (top / "dora" / PART / "3-softmax.ipynb").read_bytes() == SOFTMAX


def test_a_student_whose_name_differs_in_capitals_only_is_refused(course, pack):
    collect(course, pack({"ada/3-softmax.ipynb": SOFTMAX}), PART)
    collected = collect(course, pack({"Ada/1-embeddings.ipynb": EMBEDDINGS}, "b.zip"), PART)
    assert "student ada already" in collected.problems
    assert set(there(course)) == {f"ada/{PART}/3-softmax.ipynb"}


def test_a_run_that_is_killed_leaves_whole_files_and_the_next_one_completes_it(course, pack, monkeypatch):
    files = {f"s{i}/3-softmax.ipynb": SOFTMAX for i in range(5)}
    source = pack(files)
    put, calls = Path.replace, []

    def dying(self, target):
        calls.append(target)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return put(self, target)

    monkeypatch.setattr(Path, "replace", dying)
    with pytest.raises(KeyboardInterrupt):
        collect(course, source, PART)
    monkeypatch.undo()
    assert 0 < len(there(course)) < 5
    assert set(there(course).values()) == {SOFTMAX}
    collect(course, source, PART)
    assert len(there(course)) == 5


def test_what_a_killed_run_left_goes_with_the_next_command_and_is_no_student(course, pack):
    top = course.grading / "submitted"
    left = top / ".collecting-old"
    left.mkdir(parents=True)
    (left / "0.ipynb").write_bytes(SOFTMAX)
    assert course.students(PART) == []
    with staging(top) as in_use:
        sweep(course)
        assert not left.exists()
        left.mkdir()
        collect(course, pack({"ada/3-softmax.ipynb": SOFTMAX}), PART)
        assert not left.exists()
        assert in_use.exists()
    assert [path.name for path in top.iterdir()] == ["ada"]


def test_a_full_disk_is_a_clear_error_and_nothing_that_was_there_is_lost(course, pack, monkeypatch):
    collect(course, pack({"ada/3-softmax.ipynb": BARE}), PART)
    before = there(course)

    def full(entry, target, allowance, budget):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(reading, "copy", full)
    with pytest.raises(CourseError, match="disk is full"):
        collect(course, pack({"ada/3-softmax.ipynb": SOFTMAX}, "b.zip"), PART, replace=True)
    assert there(course) == before


# ---- what is said


def test_the_words_count_what_was_collected(course, pack):
    files = {"ada/3-softmax.ipynb": SOFTMAX, "ada/1-embeddings.ipynb": EMBEDDINGS, "ben/3-softmax.ipynb": SOFTMAX}
    collected = collect(course, pack({**files, "ben/x.pdf": b"", "../evil.ipynb": b""}))
    assert f"{PART}: 2 students; notebooks: 3 new" in collected.summary
    assert "1 file that no submission needs" in collected.summary
    assert "../evil.ipynb: its path leads out" in collected.problems
    again = collect(course, pack(files))
    assert "3 there already" in again.summary
    assert again.problems == ""


def test_a_class_of_many_is_collected_in_a_moment(course, pack):
    files = {f"s{i:03}/{name}.ipynb": SOFTMAX for i in range(60) for name in ("1-embeddings", "3-softmax")}
    began = time.monotonic()
    assert len(collect(course, pack(files), PART).new) == 120
    assert time.monotonic() - began < 15


def test_what_is_collected_can_be_read_back(course, pack):
    collect(course, pack(GOOD))
    assert json.loads(there(course)[f"good/{PART}/3-softmax.ipynb"])["nbformat"] == 4
    assert course.students(PART) == ["good"]


@pytest.mark.parametrize("name", ["ada\u202e", "x" * 129, "\u5b57" * 80, "..%2f..%2fetc"])
def test_a_name_that_could_not_be_graded_is_refused_at_once(course, pack, name):
    from grader.classroom.course import can_be_kept

    collected = collect(course, pack({f"{name}/3-softmax.ipynb": SOFTMAX}), PART)
    taken = course.students(PART)
    assert all(map(can_be_kept, taken)), taken
    assert taken or "rename it" in collected.problems


def test_a_folder_that_may_not_be_read_costs_its_student_only(course, pack, monkeypatch):
    collect(course, pack({f"{student}/3-softmax.ipynb": BARE for student in ("ada", "ben")}), PART)
    exists, closed = Path.exists, course.submitted(PART, "ada")

    def may_not(path, **how):  # root may look everywhere
        if path == closed:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return exists(path, **how)

    monkeypatch.setattr(Path, "exists", may_not)
    newer = {f"{student}/3-softmax.ipynb": SOFTMAX for student in ("ada", "ben", "cy")}
    collected = collect(course, pack(newer, "b.zip"), PART, replace=True)
    assert f"{closed}: Permission denied; mend that" in collected.problems
    assert [student for _, student, _ in (*collected.new, *collected.replaced)] == ["cy", "ben"]


def test_a_time_that_a_student_has_packed_is_not_believed(course, tmp_path):
    """It would take the days off by which something is late."""
    early = "2026-11-01 10:00:00 UTC"
    own = zipped({"3-softmax.ipynb": SOFTMAX, "timestamp.txt": early})
    source = tmp_path / "class.zip"
    source.write_bytes(
        zipped({"eve_LATE_12_34_work.zip": own, "ada_13_35_3-softmax.ipynb": SOFTMAX, "LATE_anon_40817_36_x.zip": own})
    )
    said = collect(course, source, PART).summary
    assert "was not believed" in said
    assert "Late, says Canvas, and not when: anon-40817 and eve-12." in said
    assert not list(course.grading.rglob("timestamp.txt"))


def test_one_file_without_a_name_makes_no_student_of_the_whole_class(course, tmp_path):
    source = tmp_path / "class.zip"
    names = ("Ada Lovelace - 3-softmax.ipynb", "Ben Bar - 3-softmax.ipynb", "Untitled0.ipynb")
    source.write_bytes(zipped({f"Part 1/{name}": SOFTMAX for name in names}))
    collected = collect(course, source, PART)
    assert set(there(course)) == {f"{who}/{PART}/3-softmax.ipynb" for who in ("Ada-Lovelace", "Ben-Bar")}
    assert [what for what, _ in collected.refused] == ["Part 1/Untitled0.ipynb"]


def test_two_people_whose_names_make_one_id_are_told_apart_also_one_after_the_other(course, tmp_path):
    def handed_in(name):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        (folder / name).mkdir(parents=True)
        (folder / name / "3-softmax.ipynb").write_bytes(SOFTMAX)
        (folder / "ben").mkdir()
        (folder / "ben" / "3-softmax.ipynb").write_bytes(SOFTMAX)
        return collect(course, folder, PART)

    assert handed_in("Jörg Müller").status == 0
    [(_, said)] = handed_in("Jorg Muller").refused
    assert "Jorg Muller and Jörg Müller would both be the student Jorg-Muller" in said
    # Spelt otherwise in Unicode it is the same name; and an instructor may write the id itself.
    assert handed_in("Jo\u0308rg Mu\u0308ller").status == 0
    assert handed_in("Jorg-Muller").status == 0


def test_a_time_that_a_student_has_put_beside_a_notebook_is_not_believed(course, pack):
    """Where a platform keeps folders, all that lies deeper than its own file is the student's."""
    early = b"2026-11-01 10:00:00 UTC"
    sakai = "Bea(bea)/Submission attachment(s)"
    of_gradescope = {f"submission_11/{name}": data for name, data in (("3-softmax.ipynb", SOFTMAX), (TIME, early))}
    of_sakai = {f"{sakai}/3-softmax.ipynb": SOFTMAX, f"Bea(bea)/{TIME}": b"20261125174302000", f"{sakai}/{TIME}": early}
    of_teams = {f"{who}/Homework/Version 1/3-softmax.ipynb": SOFTMAX for who in ("Cy", "Dora")}
    of_teams[f"Cy/Homework/Version 1/{TIME}"] = early
    said = ""
    for files in ({**of_gradescope, "submission_metadata.yml": METADATA}, of_sakai, of_teams):
        said += collect(course, pack(files), PART).summary
    assert said.count("was not believed") == 3
    assert stamp(course, "ada-lovelace-9011") == "2026-11-19 17:43:02 UTC\n"
    assert stamp(course, "Bea-bea") == "2026-11-25 17:43:02 UTC\n"
    assert not stamped(course, "Cy")


def test_a_file_that_is_refused_leaves_the_name_and_the_time_of_the_one_that_is_there(course, pack):
    course.grading.mkdir()
    (course.grading / "course.toml").write_text('timezone = "UTC"\n', encoding="utf-8")
    first, later = (f"hw_ada_attempt_2026-11-{day}-10-11-12_3-softmax.ipynb" for day in (20, 25))
    collect(course, pack({first: BARE}), PART)
    again = pack({later: SOFTMAX}, "later.zip")
    assert [collect(course, again, PART).status for _ in range(2)] == [1, 1]
    assert stamp(course, "ada") == "2026-11-20 10:11:12 UTC\n"
    assert read_origin(course, PART, "ada").files == {"3-softmax.ipynb": first}
    collect(course, again, PART, replace=True)
    assert read_origin(course, PART, "ada").files == {"3-softmax.ipynb": later}


def test_a_folder_of_somebody_with_a_name_of_two_words_is_a_students_as_well(course, pack):
    collect(course, pack({f"{who}/3-softmax.ipynb": SOFTMAX for who in ("Ada Lovelace", "Ben Baker")}))
    collect(course, pack({"Ada Lovelace/work/1-embeddings.ipynb": EMBEDDINGS}, "b.zip"))
    assert {name.split("/")[0] for name in there(course)} == {"Ada-Lovelace", "Ben-Baker"}


@pytest.mark.parametrize("times", [("30 April, 2026 1011", "2 Mai, 2026 1011"), ("05.11.2026 1011", "13.11.2026 1011")])
def test_a_time_that_cannot_be_read_is_no_early_one(course, pack, times):
    older, newer = (f"31-901 - Ada - {time}/3-softmax.ipynb" for time in times)
    collected = collect(course, pack({older: BARE, newer: SOFTMAX, f"32-901 - Ben - {times[1]}/x.ipynb": SOFTMAX}))
    assert set(why(collected)) == {older, newer}
    assert [student for _, student, _ in collected.new] == ["32-901-ben"]
    assert not stamped(course, "32-901-ben")


class OfAMac(zipfile.ZipInfo):
    """A file in a zip whose name is in UTF-8, which the zip does not say."""

    def _encodeFilenameFlags(self):
        return self.filename.encode(), 0


def test_names_in_a_zip_of_a_mac_are_read_as_they_were_written(course, pack):
    names = [f"{who}/3-softmax.ipynb" for who in ("Jo\u0308rg", "\u674e\u660e")]
    collect(course, pack({OfAMac(name): SOFTMAX for name in names}))
    assert {name.split("/")[0] for name in there(course)} == {"Jorg", "\u674e\u660e"}


def test_a_line_break_in_a_files_name_makes_nobody_else_of_its_student(course, pack):
    files = {f"{who}_assignsubmission_file_/3-soft\nmax.ipynb": SOFTMAX for who in ("Ada_1", "Ben_2")}
    assert collect(course, pack(files)).status == 0
    assert {name.split("/")[0] for name in there(course)} == {"ada-1", "ben-2"}


def test_a_group_is_the_same_whoever_of_it_has_sent_the_files(course, pack):
    for number, order in enumerate(
        (b"{name: Ada, sid: 1}, {name: Cy, sid: 2}", b"{name: Cy, sid: 2}, {name: Ada, sid: 1}")
    ):
        files = {f"submission_{number}/3-softmax.ipynb": SOFTMAX, "submission_9/3-softmax.ipynb": SOFTMAX}
        metadata = b"submission_%d:\n  submitters: [%s]\n" % (number, order)
        collect(course, pack({**files, "submission_metadata.yml": metadata}, f"{number}.zip"))
    assert {name.split("/")[0] for name in there(course)} == {"ada-1-and-cy-2", "submission_9"}


def test_a_second_command_that_collects_meanwhile_is_refused_and_nothing_is_lost(course, pack, monkeypatch):
    """It would put a folder into place that lacks what the other has just put there."""
    collect(course, pack({"ada/3-softmax.ipynb": SOFTMAX}), PART)
    other, said = pack({"ada/1-embeddings.ipynb": EMBEDDINGS}, "other.zip"), []

    def put(fresh, folder, put_folder=placing.put_folder):
        with pytest.raises(CourseError) as problem:
            collect(course, other, PART)
        said.append(str(problem.value))
        put_folder(fresh, folder)

    with monkeypatch.context() as patch:
        patch.setattr(placing, "put_folder", put)
        collect(course, pack({"ada/4-context-vectors.ipynb": BARE}, "b.zip"), PART)
    assert ["wait until it is done" in words for words in said] == [True]
    assert collect(course, other, PART).new == [(PART, "ada", "1-embeddings.ipynb")]
    assert len(there(course)) == 3
