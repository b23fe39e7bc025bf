"""The planner, used as a person would."""


def _number(person, css):
    return int(person.find(css).text.replace(",", ""))


def test_the_number_follows_what_is_typed(person):
    person.go("plan")
    person.see("records suffice")
    person.see("Records against epsilon")
    before = _number(person, "#enough")
    person.type("#epsilon", "0.5")
    person.wait(lambda: _number(person, "#enough") > before)
    person.see("--epsilon 0.5")
    person.see("No algorithm can do with fewer")
    assert "epsilon=0.5" in person.driver.current_url
    person.look("plan")
    assert person.complaints == []


def test_a_slider_moves_the_number_by_keys(person):
    person.go("plan")
    person.see("Records against epsilon")
    before = _number(person, "#enough")
    slider = person.find("[data-slides=alpha]")
    slider.send_keys("\ue014" * 4)  # right arrow
    person.wait(lambda: _number(person, "#enough") < before)
    assert float(person.find("#alpha").get_property("value")) > 0.1


def test_another_class_brings_its_own_fields(person):
    person.go("plan")
    person.see("records suffice")
    person.choose("#class", "lines")
    person.wait(lambda: "class=lines" in person.driver.current_url)
    assert person.find("[name='o.size']").get_property("value")
    person.see("records suffice")


def test_what_is_wrong_is_said_beside_the_form(person):
    person.go("plan")
    person.see("records suffice")
    person.type("#alpha", "2")
    person.see("alpha")
    person.wait(lambda: person.find("#answer [role=alert]").is_displayed())
    assert "Traceback" not in person.driver.page_source


def test_dark_and_without_script(person):
    person.dark(on=True)
    person.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        person.go("plan")
        person.press("form#plan button[type=submit]")
        person.see("Records against epsilon")
        person.look("plan-dark")
    finally:
        person.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        person.dark(on=False)
