"""`python -m vision.training STEP PHOTOS --work FOLDER`: every step from photographs to the models that are shipped.

The steps in order: render, detector, crops, pose, poses, marks, colour, export, calibrate, measure, install; or all.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from vision.detect import Detector, models_folder

SECONDS = {"detector": 3000, "pose": 3600, "marks": 2400, "colour": 300}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("step", choices=[*STEPS, "holdout", "all"])
    parser.add_argument("photos", type=Path, help="the folder of labelled sets, each with images/ and labels.csv")
    parser.add_argument("--work", type=Path, default=Path("training"), help="where checkpoints and caches are kept")
    parser.add_argument("--seconds", type=float, default=None, help="how long this step trains")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--start", type=Path, default=None, help="a checkpoint to go on from")
    parser.add_argument("--rate", type=float, default=None, help="the learning rate at its highest")
    parser.add_argument("--chunks", type=int, default=120, help="render: files of 40 scenes")
    parser.add_argument("--first", type=int, default=0, help="render: number of the first file")
    parser.add_argument("--fonts", type=Path, default=None, help="render: a folder of typefaces")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    for step in STEPS if args.step == "all" else [args.step]:
        print(f"== {step}", flush=True)
        {**STEPS, "holdout": _holdout}[step](args)


def _training(args: argparse.Namespace, step: str) -> dict[str, object]:
    chosen: dict[str, object] = {"seconds": args.seconds or SECONDS[step]}
    if args.seed is not None:
        chosen["seed"] = args.seed
    if args.rate is not None:
        chosen["rate"] = args.rate
    return chosen


def _holdout(args: argparse.Namespace) -> None:
    from vision.training.photos import photographs

    for photo in photographs(args.photos):
        if photo.part != "train":
            print(f"{photo.part}\t{photo.source}/{photo.path.name}")


def _render(args: argparse.Namespace) -> None:
    from vision.training import synthesis

    seed = 3 if args.seed is None else args.seed
    synthesis.render(args.work / "renders", chunks=args.chunks, first=args.first, seed=seed, fonts=args.fonts)


def _detector(args: argparse.Namespace) -> None:
    from vision.training import detector, shipping

    renders = args.work / "renders"
    checkpoint = detector.train(
        args.photos,
        args.work,
        start=args.start,
        renders=renders if renders.exists() else None,
        **_training(args, "detector"),
    )
    shipping.export("detector", checkpoint, args.work / "models", args.photos, _how(args, "detector"))


def _crops(args: argparse.Namespace) -> None:
    from vision.training import crops
    from vision.training.photos import photographs

    found = crops.from_photos(photographs(args.photos, part="train"), Detector(models=args.work / "models"))
    crops.keep(found, args.work / "real.npz")
    print(f"{len(found)} dice")


def _samples(args: argparse.Namespace, real: str = "real.npz") -> list:
    from vision.training import crops

    rendered = [one for file in sorted((args.work / "renders").glob("dice_*.npz")) for one in crops.kept(file)]
    return crops.kept(args.work / real) + rendered


def _pose(args: argparse.Namespace) -> None:
    from vision.training import reading

    reading.train_pose(_samples(args), args.work / "pose.pt", start=args.start, **_training(args, "pose"))


def _poses(args: argparse.Namespace) -> None:
    from vision.training import crops, reading

    crops.keep(
        reading.with_poses(crops.kept(args.work / "real.npz"), args.work / "pose.pt"), args.work / "real_posed.npz"
    )


def _marks(args: argparse.Namespace) -> None:
    from vision.training import reading

    samples = _samples(args, "real_posed.npz")
    reading.train_marks(samples, args.work / "marks.pt", start=args.start, **_training(args, "marks"))


def _colour(args: argparse.Namespace) -> None:
    from vision.training import colours

    colours.train(_samples(args), args.work / "colour.pt", **_training(args, "colour"))


def _how(args: argparse.Namespace, step: str) -> dict[str, object]:
    log = args.work / f"{step}.how.json"
    return json.loads(log.read_text()) if log.exists() else {"command": f"python -m vision.training {step} PHOTOS"}


def _export(args: argparse.Namespace) -> None:
    from vision.training import shipping

    for name in shipping.MODELS:
        shipping.export(name, args.work / f"{name}.pt", args.work / "models", args.photos, _how(args, name))


def _calibrate(args: argparse.Namespace) -> None:
    from vision.training import calibration

    print(json.dumps(calibration.calibrate(args.photos, args.work / "models"), indent=1))


def _measure(args: argparse.Namespace) -> None:
    from vision.training import measuring

    print(json.dumps(measuring.measure(args.photos, args.work / "models"), indent=1))


def _install(args: argparse.Namespace) -> None:
    for file in sorted((args.work / "models").iterdir()):
        shutil.copy(file, models_folder() / file.name)


STEPS: dict[str, Callable[[argparse.Namespace], None]] = {
    "render": _render,
    "detector": _detector,
    "crops": _crops,
    "pose": _pose,
    "poses": _poses,
    "marks": _marks,
    "colour": _colour,
    "export": _export,
    "calibrate": _calibrate,
    "measure": _measure,
    "install": _install,
}


if __name__ == "__main__":
    main()
