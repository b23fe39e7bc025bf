"""Nothing that a file names can steer a terminal, forge a line, or begin a tag or a link."""

import pytest

from tacit.core.printable import in_markdown, lines, one_line

STEERING = "\x1b[2J\x07\r\x00\x7f\x9b31m\u202e\u2066\u2028\ufeff\ud800"


@pytest.mark.parametrize("name", ["âge", "CRP mg/l", "年齢", "🙂", "a\u00a0b", "نام\u200cها"])
def test_names_stay_as_their_owner_wrote_them(name):
    assert one_line(name) == lines(name) == in_markdown(name) == name


def test_what_could_steer_is_written_out():
    shown = one_line(f"a{STEERING}\nb")
    assert shown.isprintable()
    assert shown.startswith(r"a\x1b[2J\x07\r\x00")
    assert shown.endswith(r"\n" + "b")
    assert r"\u202e" in shown


def test_lines_of_a_text_stay_lines():
    assert lines("if a:\x1b yes\nif b: no") == "if a:\\x1b yes\nif b: no"


@pytest.mark.parametrize("before", ["", "\\", "\\\\"])
def test_no_tag_and_no_link_begins_in_markdown(before):
    tag = in_markdown(f"{before}<script>x</script><!-- ")
    assert "<" not in tag
    assert "](" not in in_markdown(f"{before}[a](http://b)")
    assert in_markdown("n <= 5, a[1] < 3") == "n <= 5, a[1] < 3"
