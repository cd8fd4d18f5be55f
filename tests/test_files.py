"""Reading files of unknown origin, and writing files that are whole or not there at all."""

import errno
import os
import stat
import threading

import pytest

from grader import files
from grader.errors import CourseError, DiskFull
from grader.files import cannot_write, disk_full, is_full, open_regular, read_regular, write_whole


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "nothing"])
def test_only_a_regular_file_is_opened_and_at_once(tmp_path, kind):
    path, secret = tmp_path / "there", tmp_path / "secret"
    secret.write_text("secret")
    if kind == "link":
        path.symlink_to(secret)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    descriptors = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        open_regular(path)
    if descriptors is not None:
        assert len(os.listdir("/proc/self/fd")) == descriptors


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, largest=5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_regular(path, largest=4)


def test_text_and_bytes_are_written_as_they_are_into_folders_that_are_made(tmp_path):
    path = tmp_path / "a" / "b" / "file"
    assert write_whole(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    assert write_whole(path, b"\r\n")
    assert path.read_bytes() == b"\r\n"
    assert os.listdir(path.parent) == ["file"]


def test_a_reader_never_sees_half_a_file(tmp_path):
    path, sizes = tmp_path / "file", set()
    write_whole(path, bytes(3_000_000))
    done = threading.Event()

    def look():
        while not done.is_set():
            sizes.add(path.stat().st_size)

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(20):
        write_whole(path, bytes(3_000_000))
    done.set()
    reader.join()
    assert sizes == {3_000_000}


def test_an_interruption_leaves_what_was_there_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text("old")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_file_that_is_there_can_be_left_as_it_is(tmp_path, monkeypatch):
    path = tmp_path / "file"
    assert write_whole(path, "mine", replace=False)
    assert not write_whole(path, "theirs", replace=False)

    def without_links(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(files.os, "link", without_links)
    assert not write_whole(path, "theirs", replace=False)
    assert path.read_text() == "mine"
    assert write_whole(tmp_path / "other", "mine", replace=False)
    assert sorted(os.listdir(tmp_path)) == ["file", "other"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_what_is_precious_is_its_owners_alone(tmp_path):
    write_whole(tmp_path / "file", "secret", precious=True)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_a_link_is_replaced_and_not_followed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("theirs")
    (tmp_path / "file").symlink_to(elsewhere)
    write_whole(tmp_path / "file", "mine")
    assert elsewhere.read_text() == "theirs"
    assert not (tmp_path / "file").is_symlink()


def test_a_full_disk_is_told_with_its_place_and_what_to_do():
    problem = OSError(errno.ENOSPC, "No space left on device", "/somewhere")
    assert is_full(problem)
    assert not is_full(OSError(errno.EACCES, "Permission denied"))
    assert not is_full(ValueError("no number"))
    told = disk_full(problem, "run the command again")
    assert isinstance(told, DiskFull)
    assert isinstance(told, CourseError)
    assert str(told) == "the disk is full (/somewhere); make some room, then run the command again"
    assert str(cannot_write(problem, "go on")) == "the disk is full (/somewhere); make some room, then go on"
    copying = OSError(errno.ENOSPC, "No space left on device", "/from", None, "/to")
    assert str(disk_full(copying, "go on")) == "the disk is full (/to); make some room, then go on"


def test_what_cannot_be_written_for_another_reason_is_told_in_the_systems_words():
    told = cannot_write(OSError(errno.EACCES, "Permission denied"), "go on", "/somewhere/else")
    assert isinstance(told, CourseError)
    assert not isinstance(told, DiskFull)
    assert str(told) == "/somewhere/else cannot be written: Permission denied"
