"""What do my 3,000 patients buy? Asked and changed by a person."""


def test_more_patients_buy_less_error(person):
    person.go("buys")
    person.see("With 3,000 records", seconds=60)
    person.see("tree, 2 levels")
    person.look("buys")
    first = person.find("#answer tbody td.number").text
    person.type("#n", "30000")
    person.see("With 30,000 records", seconds=60)
    assert float(person.find("#answer tbody td.number").text) < float(first)
    assert person.complaints == []
