"""Somebody looks up a dimension and its witness."""


def test_search_and_open_a_class(person):
    person.go("zoo")
    person.see("classes")
    person.type("#q", "thresholds, 7")
    person.press("form[role=search] button")
    person.see("1 of")
    person.look("zoo")
    person.press("main table a")
    person.see("the verifier accepts the witness")
    person.look("zoo-entry")
    assert person.complaints == []
