"""``tacit serve`` as a process: where it listens, how it ends, what it refuses."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from tacit.cli import main


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_this_machine_and_ends_when_told(tmp_path, end):
    words = [sys.executable, "-m", "tacit.cli", "serve", "--data", str(tmp_path)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            found = re.search(r"http://127\.0\.0\.1:\d+/[\w-]{32}/plan", server.stdout.readline())
            assert found is not None
            base = found[0].removesuffix("/plan")
            with urllib.request.urlopen(f"{base}/static/page.css", timeout=60) as answer:
                assert answer.status == 200
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(f"{base[:-1]}/plan", timeout=60)
        finally:
            server.send_signal(end)
        said, wrong = server.communicate(timeout=60)
        assert "ended" in said
        assert wrong == ""
        assert server.returncode == 0


def test_what_cannot_be_served_is_said(tmp_path, capsys):
    assert main(["serve", "--data", str(tmp_path / "absent")]) == 2
    assert "not a folder" in capsys.readouterr().err
