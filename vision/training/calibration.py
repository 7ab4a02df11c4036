"""Making doubt honest: temperatures and thresholds, fitted on photographs that training did not see."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.bench import LabelledDie, match
from vision.classify import SHAPES, Classifier, Face, Sight, fused, grown, judge
from vision.colour import ColourNamer, among, crops_of
from vision.detect import Detector, Found, card
from vision.reader import NEARNESS
from vision.reading import Confidence, ReadDie
from vision.rendering import built_in_fonts
from vision.seen import DieState
from vision.training import pictures
from vision.training.photos import TOP_FACE_ONLY, Photo, photographs
from vision.training.shipping import amend
from vision.training.synthesis import LABELLED, draw_roll, draw_scene, labels_of
from vision.verify import Verifier

WRONG_AND_SURE = 0.003
"""The share of dice that may be called sure and be wrong, on the photographs for calibration."""


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled die of a photograph, found by the detector, and what the networks said of it.

    `again` is what they say when it is looked at again, as the reader does with doubtful dice.
    """

    source: str
    label: LabelledDie
    found: Found
    sight: Sight
    colours: dict[str, float]
    again: tuple[Sight, ...] = ()


def verified(folder: Path, weight: float | None = None) -> Detector:
    """Return the detector in `folder` with its verifier, as the reader has it or with another `weight` of its word."""
    verifier = Verifier(Classifier(models=folder), models=folder)
    if weight is not None:
        verifier.calibration["verifier"] = weight
    return Detector(models=folder, verify=verifier.weigh)


def labelled(photo: Photo) -> list[LabelledDie]:
    """Return the photograph's labels as `vision.bench` takes them."""
    return [LabelledDie(one.box, one.shape, one.value or None, one.colours) for one in photo.labels]


def as_die(found: Found) -> ReadDie:
    """Return what was found as a die of which only the place matters."""
    return ReadDie(SHAPES[1], "white", 1, DieState.UNSURE, found.box, Confidence(1, 1, 1))


def tables(
    photos: Sequence[Photo], rolls: int = 24, mixed: int = 60
) -> Iterator[tuple[str, np.ndarray, list[LabelledDie]]]:
    """Yield source, picture and labels of every photograph of a whole table, and of rendered rolls and mixed tables."""
    for photo in photos:
        if not photo.is_crop and photo.source not in TOP_FACE_ONLY:
            yield photo.source, photo.image(), labelled(photo)
    for number in range(rolls):
        scene = draw_roll(np.random.default_rng([41, number]))
        yield "rendered", scene.image, labels_of(scene)
    for number in range(mixed):
        scene = draw_scene(np.random.default_rng([42, number]), built_in_fonts())
        yield "rendered mixed", scene.image, labels_of(scene)


def choose_threshold(photos: Sequence[Photo], folder: Path) -> tuple[float, float, list[dict[str, float]]]:
    """Return the weight of the verifier, the score from which a find counts as a die, and the curve it was chosen on.

    A die missed weighs twice as much as a die too many, which is the easier to put right; each source weighs the same.
    Of weights and of scores that are as good (within 3 %) they are the least: tables have dice that neither network
    ever saw.
    """
    floors = np.round(np.arange(0.1, 0.75, 0.05), 2)
    pictures = list(tables(photos))
    tried = {weight: _misses(pictures, folder, weight, floors) for weight in VERIFIER_WEIGHTS}
    losses = {weight: _smooth(2 * missed + extra) for weight, (missed, extra) in tried.items()}
    bar = 1.03 * min(float(loss.min()) for loss in losses.values())
    weight = min(weight for weight, loss in losses.items() if loss.min() <= bar)
    missed, extra = tried[weight]
    curve = [
        {"score": float(floor), "missed": round(float(lost), 4), "extra": round(float(more), 4)}
        for floor, lost, more in zip(floors, missed, extra, strict=True)
    ]
    return weight, float(floors[int((losses[weight] <= bar).argmax())]), curve


def _smooth(curve: np.ndarray) -> np.ndarray:
    """Return the mean of each value and its two neighbours: of so few photographs two dice make a dent."""
    wide = np.pad(curve, 1, mode="edge")
    smooth: np.ndarray = (wide[:-2] + wide[1:-1] + wide[2:]) / 3
    return smooth


VERIFIER_WEIGHTS = (0.25, 0.5, 0.75, 1.0)
"""What may be made of the verifier's word."""


def _misses(
    pictures: Sequence[tuple[str, np.ndarray, list[LabelledDie]]], folder: Path, weight: float, floors: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of dice missed, and too many, at each of `floors`, the mean over the sources."""
    detector = verified(folder, weight)
    tallies: dict[str, np.ndarray] = {}
    dice: dict[str, int] = {}
    for source, image, labels in pictures:
        found = detector.find(image, threshold=float(floors[0]))
        dice[source] = dice.get(source, 0) + len(labels)
        tally = tallies.setdefault(source, np.zeros((2, len(floors))))
        for place, floor in enumerate(floors):
            some = [as_die(one) for one in found if one.score >= floor]
            hits = len(match(labels, some))
            tally[:, place] += len(labels) - hits, len(some) - hits
    missed, extra = np.mean([tallies[source] / dice[source] for source in dice], axis=0)
    return missed, extra


def worse(rng: np.random.Generator, image: np.ndarray, labels: Sequence[LabelledDie]) -> tuple[np.ndarray, list[Any]]:
    """Return a photograph as many on the web are: out of proportion, in other light, with blur, noise, JPEG's traces.

    Photographs of one series are alike, and what was trained on some of them is too sure of the others.
    """
    longer = math.exp(rng.uniform(0, pictures.SQUEEZED))
    across, down = (longer, 1.0) if rng.random() < 0.5 else (1.0, longer)
    image = cv2.resize(image, None, fx=across, fy=down, interpolation=cv2.INTER_LINEAR)
    moved = [
        replace(one, box=(one.box[0] * across, one.box[1] * down, one.box[2] * across, one.box[3] * down))
        for one in labels
        if one.box
    ]
    return pictures.shake(rng, image), moved


def cases(photos: Sequence[Photo], folder: Path, *, spoilt: int | None = None) -> list[Case]:
    """Return every labelled die of `photos` that the detector in `folder` finds (crops count as found).

    With a seed in `spoilt` each photograph is made `worse` first.
    """
    detector, classifier, namer = verified(folder), Classifier(models=folder), ColourNamer(models=folder)
    seen = []
    for number, photo in enumerate(photos):
        image, labels = photo.image(), labelled(photo)
        if spoilt is not None:
            image, labels = worse(np.random.default_rng([spoilt, number]), image, labels)
        if photo.is_crop:
            found = [Found(label.box, 1.0) for label in labels if label.box]
            partner = {place: place for place in range(len(found))}
        else:
            found = detector.find(image)
            partner = match(labels, [as_die(one) for one in found])
        sights = classifier.see(image, [one.box for one in found])
        more = _again(classifier, image, [one.box for one in found], sights)
        colours = namer.name(crops_of(image, found))
        for place, number in partner.items():
            seen.append(Case(photo.source, labels[place], found[number], sights[number], colours[number], more[number]))
    return seen


def _again(
    classifier: Classifier, image: np.ndarray, boxes: Sequence[Sequence[float]], sights: Sequence[Sight]
) -> list[tuple[Sight, ...]]:
    """Return what is seen of each die that was seen as `sights` when it is looked at again, as the reader does."""
    leans = [sight.lean for sight in sights]
    looks = [classifier.see(image, [grown(box, size) for box in boxes], leans=leans) for size in NEARNESS]
    return list(zip(*looks, strict=True))


def drawn_cases(folder: Path, *, tables: int = 120, seed: int = 43) -> tuple[list[Case], list[Case]]:
    """Return the dice with pips and those with numerals on rendered tables that training never drew, boxes given.

    They lie flat, and no more than two fifths of them are hidden.
    """
    classifier, fonts = Classifier(models=folder), built_in_fonts()
    pips: list[Case] = []
    numerals: list[Case] = []
    for number in range(tables):
        scene = draw_scene(np.random.default_rng([seed, number]), fonts)
        plain = [die for die in scene.dice if die.visible >= LABELLED and not die.cocked]
        boxes = [die.box for die in plain]
        sights = classifier.see(scene.image, boxes)
        for die, sight, more in zip(plain, sights, _again(classifier, scene.image, boxes, sights), strict=True):
            label = LabelledDie(die.box, die.die.shape.value, die.die.value, ())
            (pips if die.pips else numerals).append(Case("rendered", label, Found(die.box, 1.0), sight, {}, more))
    return pips, numerals


def weights_of(seen: Sequence[Case]) -> np.ndarray:
    """Return a weight for each case so that every source counts as much as the root of its dice."""
    names = [case.source for case in seen]
    weights = np.array([names.count(name) ** -0.5 for name in names])
    return weights / weights.sum()


def doubt_of(seen: Sequence[Case], settings: dict[str, float]) -> tuple[float, list[Face]]:
    """Return the mean surprise (negative log probability) at the true values, and the faces."""
    faces = [judge(case.sight, settings) for case in seen]
    chances = [
        face.values[SHAPES.index(case.label.shape), (case.label.value or 1) - 1]
        for case, face in zip(seen, faces, strict=True)
    ]
    return float(-(weights_of(seen) * np.log(np.maximum(chances, 1e-4))).sum()), faces


def best(seen: Sequence[Case], settings: dict[str, float], grid: dict[str, Sequence[float]]) -> dict[str, float]:
    """Return `settings` with the entries of `grid` at the values that surprise least."""
    options = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    return {**settings, **min(options, key=lambda option: doubt_of(seen, {**settings, **option})[0])}


def calibrate(photos: Path, folder: Path) -> dict[str, Any]:
    """Fit everything on the `calibrate` part, write it into the cards in `folder`, and return what was chosen."""
    part = photographs(photos, part="calibrate")
    weight, threshold, curve = choose_threshold(part, folder)
    amend(folder / "verifier.json", calibration={**card("verifier", folder)["calibration"], "verifier": weight})
    detector_card = card("detector", folder)
    amend(
        folder / "detector.json",
        settings={**detector_card["settings"], "threshold": threshold},
        calibrated_on={"part": "calibrate", "curve": curve},
    )
    seen = [case for case in cases(part, folder) if case.label.shape]
    more = [case for case in cases(part, folder, spoilt=44) if case.label.shape]
    valued = [case for case in (*seen, *more) if case.label.value]
    pips = [case for case in valued if case.label.shape == "d6" and case.source != "lurig"]
    numerals = [case for case in valued if case.source == "lurig"]
    # Photographs of numerals are few, and hold hardly a d12 or d20; of pips they hold few half hidden or seen askew.
    drawn = drawn_cases(folder)
    pips += drawn[0] if pips else []
    numerals += drawn[1] if numerals else []
    coloured = [case for case in seen if case.label.colours]
    if not pips or not coloured:
        raise ValueError(
            f"The detector finds {len(seen)} of the dice to calibrate on, and none with pips and a colour among them, "
            "so nothing could be calibrated. Train it longer."
        )
    pose = card("pose", folder)
    settings = dict(pose["calibration"])
    settings = best(
        pips,
        settings,
        {"pips_direct": np.arange(0, 1.25, 0.1).tolist(), "pips_patch": np.arange(0, 1.85, 0.1).tolist()},
    )
    if numerals:
        settings = best(
            numerals,
            settings,
            {
                "number_temperature": [0.7, 1.0, 1.4, 2.0],
                "angle_weight": [0.0, 0.2, 0.5, 1.0],
                "numeral_doubt": [0.01, 0.03, 0.1, 0.3],
            },
        )
    settings["shape_temperature"] = _shape_temperature(seen)
    doubt = dict(pose["doubt"])
    doubt["score"] = round(max(threshold, 0.4), 2)
    # The photographs for calibration are few, and like those that trained: no less than this, whatever the figures say.
    # At .98, of held-out dice in heaps, squeezed and seen through, one in a hundred was sure and wrong.
    doubt["pips_value"] = _sure_from(pips, settings, doubt["pips_shape"], least=0.993)
    if numerals:
        # A third of the real numerals' dice are also in training: no less than this, whatever the figures say.
        doubt["numeral_value"] = _sure_from(numerals, settings, doubt["numeral_shape"], least=0.991)
    dice = {"pips": len(pips), "numerals": len(numerals)}
    amend(folder / "pose.json", calibration=settings, doubt=doubt, calibrated_on={"part": "calibrate", "dice": dice})
    temperature, doubt["colour"] = _colours(coloured, folder)
    amend(folder / "pose.json", doubt=doubt)
    amend(folder / "colour.json", calibration={"temperature": temperature})
    return {
        "verifier": weight,
        "threshold": threshold,
        "calibration": settings,
        "doubt": doubt,
        "colour": temperature,
        **dice,
    }


def _shape_temperature(seen: Sequence[Case]) -> float:
    logits = np.stack([case.sight.pose[:6] for case in seen]).astype(float)
    truth = np.array([[shape.value for shape in SHAPES].index(case.label.shape) for case in seen])
    return _temperature(logits, truth[:, None] == np.arange(6), weights_of(seen))


def _colours(seen: Sequence[Case], folder: Path, rolls: int = 30) -> tuple[float, float]:
    """Return the colours' temperature, and the probability from which a colour is sure where a game counts colours.

    Rolls on rendered tables are looked at beside the photographs: there are too few photographed dice of known colour.
    """
    names = list(card("colour", folder)["labels"])
    temperature = card("colour", folder)["calibration"]["temperature"]
    rows = [[case.colours[name] for name in names] for case in seen]
    right = [[name in case.label.colours for name in names] for case in seen]
    sources = [case.source for case in seen]
    detector, namer = verified(folder), ColourNamer(models=folder)
    known: list[tuple[dict[str, float], str, tuple[str, ...]]] = []
    for number in range(rolls):
        scene = draw_roll(np.random.default_rng([40, number]))
        palette = tuple({die.die.colour for die in scene.dice})
        found = detector.find(scene.image)
        labels = [LabelledDie(die.box, "d6", die.die.value, (die.die.colour,)) for die in scene.dice]
        colours = namer.name(crops_of(scene.image, found))
        for place, seen_as in match(labels, [as_die(one) for one in found]).items():
            truth = labels[place].colours[0]
            rows.append([colours[seen_as][name] for name in names])
            right.append([name == truth for name in names])
            sources.append("rendered")
            known.append((colours[seen_as], truth, palette))
    logits = np.log(np.maximum(np.array(rows), 1e-9)) * temperature
    weights = np.array([sources.count(source) ** -0.5 for source in sources])
    truths = np.array(right)
    some = truths.any(axis=1)
    fitted = max(0.8, _temperature(logits[some], truths[some], weights[some] / weights[some].sum()))
    sure, wrong = [], []
    for chances, truth, palette in known:
        cooled = np.array([chances[name] for name in names]) ** (temperature / fitted)
        spread = among(dict(zip(names, (cooled / cooled.sum()).tolist(), strict=True)), palette)
        best_name = max(spread, key=spread.__getitem__)
        sure.append(spread[best_name])
        wrong.append(best_name != truth)
    return fitted, _floor(sure, wrong, len(known), least=0.6)


def _temperature(logits: np.ndarray, right: np.ndarray, weights: np.ndarray) -> float:
    """Return the temperature at which the right answers (N, K; several may be right) surprise least."""

    def surprise(temperature: float) -> float:
        scaled = logits / temperature
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        chances = (powers * right).sum(axis=1) / powers.sum(axis=1)
        return float(-(weights * np.log(np.maximum(chances, 1e-6))).sum())

    return float(min(np.round(np.exp(np.linspace(-0.7, 1.4, 43)), 3), key=surprise))


def _sure_from(seen: Sequence[Case], settings: dict[str, float], shape_floor: float, least: float) -> float:
    """Return the lowest probability of a value, at least `least`, from which few enough dice are sure and wrong.

    A die is sure at the first look, or at all of them together.
    """
    sure, wrong = [], []
    for case in seen:
        views = [judge(sight, settings) for sight in (case.sight, *case.again)]
        told = []
        for face in (views[0], fused(views)):
            place = int(face.shapes.argmax())
            value, chance = face.value(place)
            if face.shapes[place] >= shape_floor:
                told.append((chance, value != case.label.value or SHAPES[place].value != case.label.shape))
        if told:
            chance, mistaken = max(told)
            sure.append(chance)
            wrong.append(mistaken)
    return _floor(sure, wrong, len(seen), least)


def _floor(sure: Sequence[float], wrong: Sequence[bool], count: int, least: float) -> float:
    """Return the probability, at least `least`, from which no more than the allowed share of `count` is wrong."""
    if not sure:
        return least
    order = np.argsort(sure)[::-1]
    mistakes = np.cumsum(np.array(wrong)[order])
    allowed = np.nonzero(mistakes <= int(WRONG_AND_SURE * count + 0.5))[0]
    floor = np.array(sure)[order][allowed[-1]] if len(allowed) else 1.0
    if len(allowed) and allowed[-1] + 1 < len(order):
        floor = (floor + np.array(sure)[order][allowed[-1] + 1]) / 2
    return round(float(min(0.999, max(least, floor))), 4)
