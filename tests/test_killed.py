"""Collecting, returning and reporting, ended at any step: what is there is what was there, or what the run makes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.grading
@pytest.mark.skipif(not hasattr(os, "fork"), reason="it needs forks")
def test_ended_at_any_step_nothing_is_half_and_the_same_command_completes_it(template, tmp_path):
    shutil.copytree(template, tmp_path / "template")
    script = Path(__file__).parent / "killed_between.py"
    done = subprocess.run([sys.executable, script, tmp_path], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert all(int(tried) >= 2 for tried in done.stdout.split()), done.stdout
