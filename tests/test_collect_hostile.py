"""Collecting submissions: what somebody may hide in a download."""

import errno
import io
import os
import stat
import struct
import time
import zipfile

import pytest
from downloads import (
    BARE,
    DATE,
    GOOD,
    PART,
    SOFTMAX,
    course_in,
    there,
    why,
    zipped,
)

from grader.classroom.collect import collect, reading, unpack
from grader.classroom.collect.unpack import Allowance, Refused, components
from grader.errors import CourseError

pytestmark = pytest.mark.more


@pytest.fixture
def course(tmp_path):
    """Return a course that nobody has handed in to."""
    return course_in(tmp_path / "course")


def info(name, **about):
    entry = zipfile.ZipInfo("x", DATE)
    entry.filename = name
    for key, value in about.items():
        setattr(entry, key, value)
    return entry


def refused_from(course, source, allowance=None):
    """Collect; check that the good one is there alone, and nothing anywhere else; return what was refused, by name."""
    around = {path for path in source.parent.rglob("*") if course.grading not in path.parents}
    collected = collect(course, source, PART, allowance=allowance)
    assert there(course) == {f"good/{PART}/3-softmax.ipynb": SOFTMAX}
    assert {path for path in source.parent.rglob("*") if course.grading not in path.parents} - around <= {
        course.grading
    }
    assert collected.status == 1
    return why(collected)


HOSTILE_NAMES = {
    "/etc/evil.ipynb": "absolute",
    "../evil.ipynb": "leads out",
    "ada/../../evil.ipynb": "leads out",
    "ada/..": "leads out",
    "C:/evil.ipynb": "drive",
    "c:evil.ipynb": "drive",
    "ada\\..\\..\\evil.ipynb": "leads out",
    "\\\\server\\share\\evil.ipynb": "absolute",
    "ada/work\\evil.ipynb": "backslashes",
    "ada/evil.ipynb\0.txt": "null character",
    "ada/CON.ipynb": "device",
    "nul/3-softmax.ipynb": "device",
    "ada/lpt1": "device",
    f"ada/{'x' * 300}.ipynb": "too long",
    f"{'a/' * 600}x.ipynb": "too long",
    "con_3-softmax.ipynb": "cannot be the name",
    "---/3-softmax.ipynb": "cannot be the name",
}


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_that_is_a_trick_is_refused_and_the_rest_is_collected(course, pack, name):
    found = refused_from(course, pack({info(name): SOFTMAX, **GOOD}))
    assert HOSTILE_NAMES[name] in " ".join(found.values())
    assert len(found) == 1


@pytest.mark.parametrize("name", [name for name, words in HOSTILE_NAMES.items() if words != "cannot be the name"])
def test_a_trick_within_a_students_zip_costs_that_file_only(course, pack, name):
    inner = zipped({info(name): SOFTMAX})
    found = refused_from(course, pack({"eve.zip": inner, **GOOD}))
    assert HOSTILE_NAMES[name] in " ".join(found.values())


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices_in_a_zip_are_refused(course, pack, mode):
    entry = info("eve/3-softmax.ipynb", create_system=3, external_attr=(mode | 0o777) << 16)
    assert len(refused_from(course, pack({entry: b"/etc/passwd", **GOOD}))) == 1


def test_an_encrypted_file_is_refused(course, pack):
    source = pack({"eve/3-softmax.ipynb": SOFTMAX, **GOOD})
    data = bytearray(source.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(signature)
        data[at + offset] |= 1
    source.write_bytes(data)
    assert "encrypted" in refused_from(course, source)["eve/3-softmax.ipynb"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_unusual_method_of_packing_is_refused(course, pack, method):
    found = refused_from(course, pack({info("eve/3-softmax.ipynb", compress_type=method): SOFTMAX, **GOOD}))
    assert "usual zip" in found["eve/3-softmax.ipynb"]


def test_a_file_that_is_too_large_is_stopped_while_it_is_read(course, pack):
    allowance = Allowance(file=200_000)
    found = refused_from(course, pack({"eve/3-softmax.ipynb": bytes(10**7), **GOOD}), allowance)
    assert "larger than" in found["eve/3-softmax.ipynb"]


def test_a_size_that_lies_is_not_believed(course, pack):
    source = pack({"eve/3-softmax.ipynb": bytes(10**7), **GOOD})
    data = bytearray(source.read_bytes())
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 100)
    source.write_bytes(data)
    assert "eve/3-softmax.ipynb" in refused_from(course, source, Allowance(file=200_000))


def test_a_student_who_hands_in_too_much_takes_no_room_from_others(course, pack):
    files = {f"eve/{i}.ipynb": bytes(90_000) for i in range(40)}
    files["eve/work.zip"] = zipped({f"{i}.ipynb": bytes(90_000) for i in range(40)})
    collected = collect(course, pack({**files, **GOOD}), PART, allowance=Allowance(submission=200_000, total=10**6))
    assert there(course)[f"good/{PART}/3-softmax.ipynb"] == SOFTMAX
    assert "of one student" in collected.problems
    assert sum(map(len, there(course).values())) < 10**6


def test_all_together_may_be_too_much(course, pack):
    files = {f"s{i:02}/3-softmax.ipynb": SOFTMAX for i in range(20)}
    collected = collect(course, pack(files), PART, allowance=Allowance(total=len(SOFTMAX) * 5 + 10))
    assert len(there(course)) == 5
    assert len(collected.refused) == 15
    assert "all files together" in collected.problems


def test_a_zip_or_folder_with_too_many_files_is_refused_as_a_whole(course, pack, spread):
    files = {f"ada/{i}.txt": b"" for i in range(60)}
    for source in (pack({**files, **GOOD}), spread({**files, **GOOD})):
        with pytest.raises(CourseError, match=r"50 .* taken in|more than 50 files"):
            collect(course, source, PART, allowance=Allowance(entries=50))
    assert there(course) == {}


def test_the_usual_allowance_are_those_that_are_promised():
    assert Allowance() == Allowance(50 * 2**20, 200 * 2**20, 2 * 2**30, 20_000, 2_000, 2)


def test_a_students_zip_with_too_many_files_costs_the_student_only(course, pack):
    many = zipped({f"{i}.txt": b"" for i in range(60)})
    found = refused_from(course, pack({"eve.zip": many, **GOOD}), Allowance(submission_entries=50))
    assert "more than 50 files" in found["eve.zip"]


@pytest.mark.parametrize("before", range(unpack.CHUNK - 4, unpack.CHUNK + 1))
def test_files_are_counted_wherever_their_records_fall_in_what_is_read_at_once(before):
    records = (unpack.RECORD + b"x" * 42) * 3
    data = b"-" * before + records
    with pytest.raises(unpack.Refused, match="more than 2 files"):
        unpack.unzipped(io.BytesIO(data), 2, counted=True)
    with pytest.raises(unpack.Refused, match="it is no zip"):
        unpack.unzipped(io.BytesIO(data), 3, counted=True)


def test_zips_in_zips_in_zips_are_refused(course, pack):
    deep = {"3-softmax.ipynb": SOFTMAX}
    for _ in range(6):
        deep = {"z.zip": zipped(deep)}
    assert "too deep" in " ".join(refused_from(course, pack({"eve.zip": zipped(deep), **GOOD})).values())


def test_a_small_bomb_of_zips_is_stopped(course, pack):
    bomb = zipped({f"{i}.zip": zipped({f"{j}.ipynb": bytes(10**6) for j in range(20)}) for i in range(20)})
    assert len(bomb) < 10**6
    began = time.monotonic()
    collected = collect(course, pack({"eve.zip": bomb, **GOOD}), PART, allowance=Allowance(submission=3 * 10**6))
    assert there(course)[f"good/{PART}/3-softmax.ipynb"] == SOFTMAX
    assert "of one student" in collected.problems
    assert sum(map(len, there(course).values())) < 5 * 10**6
    assert time.monotonic() - began < 20


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_in_a_zip_are_both_refused(course, pack):
    twice = {info("eve/3-softmax.ipynb"): SOFTMAX, info("eve/3-softmax.ipynb"): BARE}
    assert "several files of this name" in refused_from(course, pack({**twice, **GOOD}))["eve/3-softmax.ipynb"]


def test_a_file_whose_content_is_damaged_costs_itself_only(course, pack):
    source = pack({"eve/3-softmax.ipynb": SOFTMAX, **GOOD})
    data = bytearray(source.read_bytes())
    data[200:260] = bytes(60)
    source.write_bytes(data)
    assert "damaged" in refused_from(course, source)["eve/3-softmax.ipynb"]


def test_a_students_zip_that_is_none_costs_the_student_only(course, pack):
    found = refused_from(course, pack({"eve.zip": b"no zip", "mallory.zip": zipped(GOOD)[:-30], **GOOD}))
    assert set(found) == {"eve.zip", "mallory.zip"}
    assert all("no zip" in words for words in found.values())


def test_a_truncated_download_is_an_error(course, pack):
    source = pack(GOOD)
    source.write_bytes(source.read_bytes()[:-40])
    with pytest.raises(CourseError, match="the end of it is missing"):
        collect(course, source)
    assert there(course) == {}


@pytest.mark.parametrize("content", [b"", b"hello", SOFTMAX, b"PK\x05\x06" + bytes(18)])
def test_a_file_that_is_no_zip_is_an_error_or_empty(course, tmp_path, content):
    source = tmp_path / "download"
    source.write_bytes(content)
    if content.startswith(b"PK"):
        assert "No notebooks" in collect(course, source).summary
    else:
        with pytest.raises(CourseError, match="no zip"):
            collect(course, source)


def test_a_source_that_is_missing_or_lies_in_the_submissions_is_an_error(course, tmp_path, pack):
    with pytest.raises(CourseError, match="does not exist"):
        collect(course, tmp_path / "nowhere.zip")
    collect(course, pack(GOOD), PART)
    for source in (course.grading / "submitted", course.grading, course.grading / "submitted" / "good"):
        with pytest.raises(CourseError, match="one in the other"):
            collect(course, source, PART)


def test_links_and_devices_in_a_folder_are_refused_and_never_opened(course, spread, tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_bytes(b"mine")
    source = spread(GOOD)
    (source / "eve").mkdir()
    (source / "eve" / "3-softmax.ipynb").symlink_to(secret)
    (source / "mallory").symlink_to(tmp_path)
    os.mkfifo(source / "eve" / "1-embeddings.ipynb")
    (source / "eve" / "work.zip").symlink_to("/dev/zero")
    assert set(refused_from(course, source)) == {
        "eve/3-softmax.ipynb",
        "eve/1-embeddings.ipynb",
        "eve/work.zip",
        "mallory",
    }


def test_a_file_that_becomes_a_link_after_it_was_seen_is_refused(course, spread, tmp_path, monkeypatch):
    secret = tmp_path / "secret.ipynb"
    secret.write_bytes(b"mine")
    source = spread({"eve/3-softmax.ipynb": SOFTMAX, **GOOD})
    real = reading.copy

    def late(entry, *args):
        if "eve" in entry.path:
            (source / "eve/3-softmax.ipynb").unlink()
            (source / "eve/3-softmax.ipynb").symlink_to(secret)
        return real(entry, *args)

    monkeypatch.setattr(reading, "copy", late)
    assert "link" in refused_from(course, source)["eve/3-softmax.ipynb"]


def test_a_file_that_cannot_be_read_costs_itself_only(course, spread, monkeypatch):
    source = spread({"eve/3-softmax.ipynb": SOFTMAX, **GOOD})
    real = os.open

    def blind(path, *flags, **more):
        if str(path) == str(source / "eve/3-softmax.ipynb"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *flags, **more)

    monkeypatch.setattr(os, "open", blind)
    assert set(refused_from(course, source)) == {"eve/3-softmax.ipynb"}


def test_a_folder_that_cannot_be_listed_costs_itself_only(course, spread, monkeypatch):
    source = spread({"eve/3-softmax.ipynb": SOFTMAX, **GOOD})
    real = os.scandir

    def deaf(path):
        if path == source / "eve":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", deaf)
    assert "Permission denied" in refused_from(course, source)["eve"]


def test_a_plain_path_is_taken_apart():
    assert components("a b/ü/c.ipynb") == ("a b", "ü", "c.ipynb")
    assert components("./ada//c.ipynb") == ("ada", "c.ipynb")
    assert components("ada\\work\\c.ipynb") == ("ada", "work", "c.ipynb")
    with pytest.raises(Refused):
        components("")
