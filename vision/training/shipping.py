"""From checkpoints to models with cards, ready for `vision.reader`; calibration and figures are filled in later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from vision.classify import CROP, PATCH, SHAPES
from vision.colour import NAMES, SIDE
from vision.training.export import FEATURES_TOLD, Bytes, Whole, to_onnx, write_card
from vision.training.networks import ColourNet, DetectorNet, MarksNet, PoseNet, VerifierNet
from vision.training.photos import LICENSED, PARTS, photographs
from vision.training.scenes import LONGEST

MODELS = ("detector", "pose", "marks", "colour", "verifier")

FIRST_CALIBRATION = {
    "shape_temperature": 1.0,
    "numeral_temperature": 1.0,
    "pips_direct": 0.5,
    "pips_patch": 0.5,
    "number_temperature": 1.0,
    "angle_weight": 0.3,
    "numeral_doubt": 0.02,
}
FIRST_DOUBT = {
    "pips_value": 0.95,
    "pips_shape": 0.9,
    "numeral_value": 0.97,
    "numeral_shape": 0.95,
    "colour": 0.6,
    "score": 0.4,
    "side": 12.0,
    "cocked": 0.8,
}
"""What calibration starts from, before `vision.training.calibration` has looked at photographs."""


def export(name: str, checkpoint: Path, folder: Path, photos: Path, how: dict[str, Any]) -> Path:
    """Write the model `name` from `checkpoint` into `folder` with its card; `how` says how it was trained."""
    weights = torch.load(checkpoint)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.onnx"
    facts: dict[str, Any] = {"name": name, "precision": "fp32", "opset": 17}
    if name == "detector":
        network: torch.nn.Module = DetectorNet()
        network.load_state_dict(weights)
        example = torch.zeros(1, 130, 194, 3, dtype=torch.uint8)
        to_onnx(Whole(network), example, path, given="picture", dynamic={0: "n", 1: "h", 2: "w"})
        facts["does"] = f"Finds dice in a picture reduced to {LONGEST} pixels."
        facts["input"] = (
            "picture: N x H+2 x W+2 x 3 uint8, BGR; H and W multiples of 64, with a rim of one pixel of grey 115 around"
        )
        facts["output"] = (
            "answer: N x 5 x H/8 x W/8: score 0..1 that a die's centre lies in the cell, its offset in the cell "
            "(x, y), width, height in pixels"
        )
        facts["settings"] = {"threshold": 0.4, "longest": LONGEST, "again": LONGEST // 2}
    elif name == "pose":
        network = PoseNet()
        network.load_state_dict(weights)
        example = torch.zeros(2, CROP, CROP, 3, dtype=torch.uint8)
        to_onnx(Bytes(network), example, path, given="crops", dynamic={0: "n"}, features=True)
        facts["does"] = "Sees a die's shape, where its up-face lies, how it is turned, and counts its pips."
        facts["input"] = f"crops: N x {CROP} x {CROP} x 3 uint8, BGR, the die's longer side 0.78 of the crop"
        facts["output"] = (
            "answer: N x 55: shape logits 0-5, up-face's centre 6-7 and stretch 8-10 in half crops, 36 angle bins "
            "11-46, cocked 47, bears a numeral 48, pips 1..6 49-54" + FEATURES_TOLD
        )
        facts["labels"] = {"shape": [shape.value for shape in SHAPES], "pips": [1, 2, 3, 4, 5, 6]}
        facts["calibration"], facts["doubt"] = dict(FIRST_CALIBRATION), dict(FIRST_DOUBT)
    elif name == "marks":
        network = MarksNet()
        network.load_state_dict(weights)
        to_onnx(network, torch.zeros(2, 3, PATCH, PATCH), path, given="patches", dynamic={0: "n"}, features=True)
        facts["does"] = "Reads the number or the pips on an upright, un-squashed up-face."
        facts["input"] = f"patches: N x 3 x {PATCH} x {PATCH} float32: light, red-green, yellow-blue, each evened out"
        facts["output"] = (
            "answer: N x 32: 28 logits, then how far the patch is off: its face's centre (2, in inradii), the turn and "
            "growth that put it right (cosine and sine of an angle times a factor)" + FEATURES_TOLD
        )
        facts["labels"] = [*map(str, range(21)), *(f"pips {count}" for count in range(1, 7)), "nothing"]
    elif name == "verifier":
        network = VerifierNet()
        network.load_state_dict(weights)
        to_onnx(network, torch.zeros(2, network.mean.shape[0]), path, given="seen", dynamic={0: "n"})
        facts["does"] = "Looks once more at what the detector isn't plain about: is it a die?"
        facts["input"] = (
            "seen: N x 216 float32: the pose network's answer and features, and how large beside plain finds"
        )
        facts["output"] = "answer: N x 1, the logit that it is a die, to be weighed with the detector's own"
        facts["calibration"] = {"detector": round(network.trust.item(), 3), "verifier": 1.0}
    else:
        network = ColourNet(len(NAMES))
        network.load_state_dict(weights)
        example = torch.zeros(2, SIDE, SIDE, 3, dtype=torch.uint8)
        to_onnx(Bytes(network), example, path, given="crops", dynamic={0: "n"})
        facts["does"] = "Names a die's colour."
        facts["input"] = f"crops: N x {SIDE} x {SIDE} x 3 uint8, BGR, the die's longer side 0.8 of the crop"
        facts["output"] = "answer: N x 12 logits"
        facts["labels"] = list(NAMES)
        facts["calibration"] = {"temperature": 1.0}
    facts["parameters"] = sum(part.numel() for part in network.parameters())
    facts["training"] = {**how, "data": data(photos), "licence": "MIT, as Jurado; the photographs keep their own"}
    write_card(path, facts)
    return path


def data(photos: Path) -> list[dict[str, Any]]:
    """Return what a card says of the photographs: set, licence and credit, photographs and dice in each part."""
    rows = []
    for source, licence in LICENSED.items():
        of_source = photographs(photos, (source,))
        counts = {part: sum(photo.part == part for photo in of_source) for part in PARTS}
        dice = {part: sum(len(photo.labels) for photo in of_source if photo.part == part) for part in PARTS}
        rows.append({"set": source, "licence": licence, "photographs": counts, "dice": dice})
    rows.append({"set": "rendered", "licence": "MIT, drawn by vision.rendering"})
    return rows


def amend(path: Path, **facts: Any) -> None:
    """Change entries of the card at `path` (a .json)."""
    known = json.loads(path.read_text(encoding="utf-8"))
    known.update(facts)
    path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
