"""How often something that reaches over a table is noticed, on photographs of one camera, and how often for nothing.

    .venv/bin/python -m tests.device.arms FOLDER

A measuring script, not a test. FOLDER is as for `jurado bench`, its pictures taken one after another by a camera that
stands still: what most of the twelve around a picture show in a place stands for the empty tray. Arms are drawn.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from device.camera.base import Image
from device.drift import Light, light_of, reaching
from vision.bench import read_labels

TONES = {
    "a pale arm": (150, 170, 205),
    "a tanned arm": (95, 130, 180),
    "a brown arm": (60, 90, 135),
    "a dark arm": (40, 55, 80),
    "a blue sleeve": (140, 70, 40),
    "a black sleeve": (30, 30, 30),
    "a white sleeve": (225, 225, 225),
}
"""Blue, green, red, where the table's lightness is 190."""
AROUND = 6


def with_arm(image: Image, tone: tuple[int, int, int], *, at: float, to: float, reach: float, wide: float) -> Image:
    """Return the picture with an arm that reaches in from below: where it comes in and where its end lies, how far it
    reaches and how wide it is, all as shares of the picture's width or height."""
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.float32)
    end = (round(to * width), round((1 - reach) * height))
    cv2.line(mask, (round(at * width), height), end, 1.0, round(wide * width), cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), 1.5)[..., None]
    return np.clip(image * (1 - mask) + np.array(tone) * mask, 0, 255).astype(np.uint8)


def any_arm(image: Image, tone: tuple[int, int, int], rng: np.random.Generator) -> Image:
    """Return the picture with an arm a tenth of it wide that reaches over 14 to 40 % of it, lit as the table is."""
    at, lit = rng.uniform(0.12, 0.88), rng.uniform(0.75, 1.1) * float(image.mean()) / 190
    blue, green, red = (round(light * lit) for light in tone)
    to, reach, wide = at + rng.uniform(-0.12, 0.12), rng.uniform(0.14, 0.4), rng.uniform(0.08, 0.14)
    return with_arm(image, (blue, green, red), at=at, to=to, reach=reach, wide=wide)


def with_shadow(image: Image, rng: np.random.Generator) -> Image:
    """Return the picture with a shadow over its left side, whose edge is a little soft."""
    shade = np.ones(image.shape[:2], np.float32)
    shade[:, : round(rng.uniform(0.15, 0.55) * image.shape[1])] = rng.uniform(0.55, 0.9)
    return np.asarray(image * cv2.GaussianBlur(shade, (0, 0), 9)[..., None], np.uint8)


def empty_around(lights: list[Light], at: int) -> Light:
    near = [lights[other] for other in range(max(0, at - AROUND), min(len(lights), at + AROUND + 1)) if other != at]
    return np.asarray(np.median(near, axis=0), np.float64)


def main() -> None:
    folder = Path(sys.argv[1])
    paths = sorted((folder / "images").iterdir())
    labels, rng = read_labels(folder / "labels.csv"), np.random.default_rng(1)
    images = [cv2.imread(str(path)) for path in paths]
    lights = [light_of(image) for image in images]
    told: Counter[str] = Counter()
    noticed: list[str] = []
    for at, (path, image) in enumerate(zip(paths, images, strict=True)):
        height, width = image.shape[:2]
        boxes = [die.box for die in labels.get(path.name, ()) if die.box is not None]
        dice = [(x / width, y / height, w / width, h / height) for x, y, w, h in boxes]
        before = empty_around(lights, at)
        if reaching(before, lights[at], dice):
            noticed.append(path.name)
            continue
        told["a shadow"] += reaching(before, light_of(with_shadow(image, rng)), dice)
        for name, tone in TONES.items():
            told[name] += reaching(before, light_of(any_arm(image, tone, rng)), dice)
    others = len(paths) - len(noticed)
    print(json.dumps({"photographs": len(paths), "noticed as they are": noticed}, indent=1))
    print(json.dumps({name: f"{count} of {others}" for name, count in told.items()}, indent=1))


if __name__ == "__main__":
    main()
