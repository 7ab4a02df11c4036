"""A school alone, by phone: its form, two whole parades, the ladder, the bag; the marks in the order of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engine.carnavalesco.career import FLAG_LAYOUTS
from engine.dice import Die
from tests.engine.carnavalesco.parade import ALL_PERFECT, FLAT_STRIP, takes_that_fill
from tests.waiting import until
from tests.webui.phone import WIDTH, Phone
from tests.webui.stage import COLOURS, Served, Stage

SCHOOL = "Império do Leão Dourado"
SOLO = {"colours": ["red", "blue"], "career": {"parades": None}, "flag": {"layout": "rays", "colours": ["red", "blue"]}}
TAKES = takes_that_fill(ALL_PERFECT)
LEFT_OVER = [Die(colour, value) for colour, value in zip(COLOURS, (1, 2, 5, 6), strict=False)]


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    one = Phone()
    yield one
    one.close()


def alone(**more: object) -> dict[str, object]:
    """Return the setup of a career on a strip of fives."""
    school = {"name": SCHOOL, "division": "A", **more}
    return {"players": [school], "division_tables": dict.fromkeys("AS", FLAT_STRIP), "solo": SOLO}


def fits(phone: Phone, where: str) -> None:
    assert phone.run("return document.documentElement.scrollWidth") <= WIDTH, f"{where} is too wide"
    small = phone.run(
        "return [...document.querySelectorAll('main button, main select, main summary, .bar button')]"
        ".filter((e) => e.offsetParent && (e.offsetHeight < 48 || e.offsetWidth < 48))"
        ".map((e) => e.outerHTML.slice(0, 90))"
    )
    assert not small, f"{where} has targets under 48 px"


def choose(phone: Phone, selector: str, value: str) -> None:
    until(lambda: phone.all(selector))
    phone.run(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
        "for (const news of ['input', 'change']) e.dispatchEvent(new Event(news, {bubbles: true}));",
        selector,
        value,
    )


def play_round(phone: Phone, stage: Stage, take: Sequence[tuple[Die, str]]) -> None:
    """Photograph eight dice, confirm them, and put four where they belong."""
    stage.reader.dice = [*LEFT_OVER[:2], *(die for die, _ in take), *LEFT_OVER[2:]]
    phone.tap("#capture")
    phone.tap("#confirm:not([disabled])")
    until(lambda: stage.table.now().state.roll)
    roll = list(stage.table.now().state.roll)
    for die, element in take:
        at = roll.index(die)
        roll[at] = None
        phone.tap(f"[data-die='{at}']:not([disabled])")
        phone.tap(f"[data-element='{element}']:not([disabled])")
    phone.tap("#take:not([disabled])")
    until(lambda: not stage.table.now().state.roll)


def play_parade(stage: Stage, takes: Sequence[Sequence[tuple[Die, str]]]) -> None:
    """Play a whole parade at the table itself."""
    for take in takes:
        stage.roll([*(die for die, _ in take), *LEFT_OVER])
        places = [{"die": at, "element": element} for at, (_, element) in enumerate(take)]
        stage.table.apply({"move": "take", "seat": 0, "places": places})


def hear_all(phone: Phone) -> None:
    phone.tap("#to-end")
    phone.tap("#next")
    phone.tap("#all")


def test_who_fails_in_the_lowest_division_stays_there(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game({**alone(division="D"), "division_tables": {"D": FLAT_STRIP}})
    play_parade(stage, [[(Die("red", value), element) for value in (1, 2, 3, 4)] for element in ALL_PERFECT])
    assert stage.table.game.scoreboard(stage.table.state)["career"]["parades"][0]["result"] == "relegated"
    phone.open(served.url)
    hear_all(phone)
    phone.waits_for("Stays in D", ".champion")
    until(lambda: "=" in phone.run("return document.querySelector('.ladder .points')?.textContent || ''"))
    assert not phone.all(".ladder .relegated")


def test_a_whole_career_of_two_parades_is_played_from_a_phone(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.table.save_strip("A", FLAT_STRIP)
    phone.open(f"{served.url}/new/carnavalesco")
    phone.tap("#alone")
    until(lambda: len(phone.all("[data-name]")) == 1)
    phone.all("[data-name]")[0].send_keys(SCHOOL)
    choose(phone, "[data-division='0']", "A")
    phone.tap("#start")
    phone.waits_for("needs its two official colours", "#trouble")
    phone.tap("[data-official='red']")
    phone.tap("[data-official='blue']")
    until(lambda: len(phone.all("[data-flag] svg.flag")) == len(FLAG_LAYOUTS))
    phone.tap("[data-flag='cross']")
    phone.tap("[data-third='pink']")
    phone.tap("#turn-flag")
    choose(phone, "#career-length", "several")
    choose(phone, "#parades", "99")
    phone.tap("#start")
    phone.waits_for("1 to 50", ".wrong")
    fits(phone, "the form")
    phone.complaints()  # of what was refused
    choose(phone, "#parades", "2")
    phone.tap("#start")
    phone.waits_for(f"{SCHOOL} draws 8 dice", "#prompt")
    setup = stage.table.now().state.setup
    assert setup.solo.as_json() == {
        "colours": ["red", "blue"],
        "career": {"parades": 2},
        "flag": {"layout": "cross", "colours": ["blue", "red", "pink"]},
    }
    until(lambda: phone.all("#school svg.flag"))
    phone.waits_for("Parade 1 of 2", "#school")
    phone.waits_for("In the bag: 150 dice", "#bag")
    until(lambda: phone.all("[data-need='flag_bearers']"))
    phone.waits_for("Any die will do: Vanguard, Storyline", "#bag")

    for take in TAKES[:-1]:
        play_round(phone, stage, take)
    phone.waits_for("In the bag: 118 dice", "#bag")
    assert (
        phone.run("return document.querySelectorAll('[data-bag=\"red\"] rect.in').length")
        == (stage.table.now().state.left_in_bag()["red"])
    )
    fits(phone, "the bag")
    play_round(phone, stage, TAKES[-1])

    phone.waits_for("The judges are ready", "#prompt")
    assert not phone.all("#next-parade"), "the result is a secret until it was heard"
    phone.tap("#to-end")
    phone.waits_for("Parade 1 of 2", "#judge")
    phone.tap("#next")
    phone.waits_for("Vanguard Commission", "#judge h1")
    phone.waits_for("10 so far", ".envelope")
    phone.tap("#all")
    phone.waits_for("Promoted", ".champion")
    assert phone.all(".champion svg.flag")
    until(lambda: phone.all("#career svg[aria-label='Parade 1: division A, 90 points, Promoted']"))
    phone.waits_for("The printed strip of division S is not copied yet", "#career")
    fits(phone, "the end of a parade")
    phone.tap("#next-parade")
    phone.waits_for("Round 1 of 9", "#prompt")
    phone.waits_for("Parade 2 of 2", "#school")
    phone.waits_for("In the bag: 150 dice", "#bag")
    assert stage.table.now().state.setup.schools[0].division == "S"

    for take in TAKES:
        play_round(phone, stage, take)
    hear_all(phone)
    phone.waits_for("Champion of the Special division!", ".champion")
    phone.waits_for("It took 2 parades", ".champion")
    until(lambda: phone.all("#career svg[aria-label$='Parade 2: division S, 90 points, Champion']"))
    fits(phone, "the end of a career")
    phone.tap("#rematch")
    phone.waits_for("Round 1 of 9", "#prompt")
    now = stage.table.now().state.setup
    assert (now.schools[0].division, now.solo) == ("A", setup.solo)
    assert not [line for line in phone.complaints() if "favicon" not in line]


def test_a_school_ends_its_career_after_a_parade(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game(alone())
    play_parade(stage, TAKES)
    phone.open(served.url)
    hear_all(phone)
    phone.waits_for("Promoted", ".champion")
    phone.tap("#retire")
    assert stage.table.outcome is None, "it is asked once more"
    phone.tap("[data-yes]")
    phone.waits_for("ends after one parade, in division S", "#judge")
    phone.waits_for("A new career", "#rematch")
    assert stage.table.outcome is not None


def test_what_was_heard_of_one_parade_tells_nothing_of_the_next(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game(alone())
    play_parade(stage, TAKES)
    phone.open(served.url)
    hear_all(phone)
    phone.tap("#next-parade")
    phone.waits_for("Round 1 of 9", "#prompt")
    play_parade(stage, TAKES[::-1])
    phone.waits_for("The game is over. The judges are ready", "#prompt")
    assert not phone.sees("champion", "main")
    client = stage.app.test_client()
    without_scripts = re.sub(r"<script.*?</script>", "", client.get("/").text, flags=re.DOTALL)
    assert "The judges are ready" in without_scripts
    assert "champion" not in without_scripts


def test_marks_are_read_in_the_order_of_the_rules_with_their_own_sums(phone: Phone, served: Served) -> None:
    stage = served.stage
    stage.open_game({**alone(), "solo": {"colours": ["red", "blue"]}})
    takes = [[(Die("red", value), element) for value in (1, 2, 3, 4)] for element in ALL_PERFECT]
    play_parade(stage, takes)
    told = stage.table.game.scoreboard(stage.table.state)["reveal"]
    assert told[-1]["element"] == "counters"
    phone.open(f"{served.url}/end")
    for at, step in enumerate(told, 1):
        phone.tap("#next")
        phone.waits_for(f"{at} of {len(told)}", "#judge")
        mark = str(step["scores"][0]).replace("-", "−")
        assert phone.run("return document.querySelector('.envelope .mark').innerText") == mark
        phone.waits_for(f"{step['totals'][0]} so far".replace("-", "−"), ".envelope")
    phone.waits_for("The −1 counters", "#judge h1")
    phone.tap("#next")
    until(lambda: phone.all(".champion.calm"))
    rows = phone.run("return [...document.querySelectorAll('.judge table tbody tr')].map((e) => e.innerText)")
    assert len(rows) == len(told) + 1
    phone.tap("#rematch")
    phone.waits_for("Round 1 of 9", "#prompt")
    assert stage.table.now().state.setup.schools[0].division == "B", "relegated, and one parade at a time"


def test_several_schools_have_a_bag_and_no_flag(phone: Phone, served: Served) -> None:
    served.stage.open_game()
    phone.open(served.url)
    phone.waits_for("Ana: a die for a perfect 10 among the next 12", "#bag")
    assert len(phone.all("[data-bag]")) == 6
    assert not phone.all("#school, #career")
    phone.tap("#bag summary")
    served.stage.roll()
    phone.waits_for("takes two dice", "#prompt")
    assert not phone.all("#bag[open]")
    phone.waits_for("In the bag: 138 dice", "#bag")


def test_a_career_on_the_big_screen(phone: Phone, served: Served) -> None:
    served.stage.open_game(alone())
    phone.open(f"{served.url}/tv")
    phone.waits_for("In the bag: 150 dice", "#work")
    play_parade(served.stage, TAKES)
    phone.waits_for("The judges are ready", "#work")
    served.stage.table.hear("parade 1", 10)
    phone.waits_for("Promoted", "#work")
    until(lambda: phone.all("#work svg.flag"))


def test_a_career_played_is_in_the_history_with_its_parades(stage: Stage) -> None:
    stage.open_game({**alone(), "solo": {**SOLO, "career": {"parades": 2}}})
    play_parade(stage, TAKES)
    stage.table.apply({"move": "next_parade"})
    play_parade(stage, TAKES)
    game, client = stage.table.game_id, stage.app.test_client()
    page = client.get(f"/history/{game}").text
    assert re.search(r"<th scope=\"row\">1</th>\s*<td>A</td>\s*<td class=\"number\">90</td>", page)
    assert re.search(r"<th scope=\"row\">2</th>\s*<td>S</td>\s*<td class=\"number\">90</td>", page)


def test_who_only_watches_hears_the_marks_and_decides_nothing(phone: Phone, closed_stage: Stage) -> None:
    house = Served(closed_stage)
    try:
        closed_stage.open_game(alone())
        play_parade(closed_stage, TAKES)
        page = closed_stage.app.test_client().get(f"/history/{closed_stage.table.game_id}").text
        assert '<details class="card" data-result>' in page, "folded up until the marks were heard"
        phone.open(f"{house.url}/end")
        phone.waits_for("The judges are ready", "#judge")
        assert not phone.all("#next"), "the table reads the marks"
        closed_stage.table.hear("parade 1", 1)
        phone.waits_for("1 of 9", "#judge")
        phone.tap("#all")
        phone.waits_for("Promoted", ".champion")
        phone.tap("#replay")
        phone.waits_for("The judges are ready", "#judge")
        phone.tap("#next")
        phone.tap("#all")
        until(lambda: phone.all("#bar a[href='/']"))
        assert not phone.all("#next-parade, #retire")
        closed_stage.table.apply({"move": "next_parade"})
        phone.waits_for("Not yet", "#judge")
    finally:
        house.close()


def test_every_layout_of_the_rules_is_drawn() -> None:
    script = Path(__file__).parents[2] / "webui/static/js/games/carnavalesco/flag.js"
    painted = re.search(r"const PAINT = \{(.*?)^\};", script.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert painted is not None
    assert set(re.findall(r"^  (\w+):", painted[1], re.MULTILINE)) == set(FLAG_LAYOUTS)
