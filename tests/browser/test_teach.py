"""A teacher shows four things."""


def test_a_game_is_played_to_its_end(person):
    person.go("teach")
    person.look("teach")
    person.press("main a[href$='/teach/game']")
    person.see("What is its label?")
    while person.driver.find_elements("css selector", "#say-0"):
        said = person.find("main .card strong + strong, main .card p strong:nth-of-type(2)").text
        person.press(f"#say-{1 - int(said)}")
    person.see("You forced 3 mistakes")
    person.look("teach-game")
    person.choose("#class", "parities 2")
    person.wait(lambda: person.find("#left").text == "2")
    assert person.complaints == []


def test_the_attack_catches_one_learner(person):
    person.go("teach/tracing")
    person.press("form button")
    person.see("prove that its epsilon is above", seconds=60)
    person.see("prove nothing about its epsilon")
    person.look("teach-tracing")


def test_weights_move_with_the_slider(person):
    person.go("teach/weights")
    person.see("allows 2.718")
    person.find("[data-slides=epsilon]").send_keys("\ue014" * 4)
    person.see("allows 7.389")
    person.look("teach-weights")


def test_the_region_of_a_mechanism(person):
    person.go("teach/region")
    person.see("Claimed epsilon 1")
    person.look("teach-region")
