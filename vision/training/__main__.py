"""`python -m vision.training STEP PHOTOS --work FOLDER`: every step from photographs to the models that are shipped.

The steps in order: render, detector, crops, pose, poses, marks, colour, export, verifier, calibrate, measure, install;
or all, which goes through poses, pose and marks twice: the marks network has first to learn from renders what a numeral
is, to say where it stands on the photographs. And beside them holdout: what training never saw, for `jurado bench`.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from vision.detect import Detector, models_folder
from vision.training.pace import Pace

STEPS_TAKEN = {"detector": 16_000, "pose": 20_000, "marks": 20_000, "colour": 4_000, "verifier": 4_000}
RATES = {"detector": 2.5e-3, "pose": 2e-3, "marks": 2e-3, "colour": 2e-3, "verifier": 3e-3}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("step", choices=[*STEPS, "holdout", "all"])
    parser.add_argument("photos", type=Path, help="the folder of labelled sets, each with images/ and labels.csv")
    parser.add_argument("--work", type=Path, default=Path("training"), help="where checkpoints and caches are kept")
    parser.add_argument("--steps", type=int, default=None, help="how many steps this training takes")
    parser.add_argument("--seconds", type=float, default=None, help="how long it trains, instead of counting steps")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--start", type=Path, default=None, help="a checkpoint to go on from")
    parser.add_argument("--average", action="store_true", help="end halfway between --start and what was learned since")
    parser.add_argument("--rate", type=float, default=None, help="the learning rate at its highest")
    parser.add_argument("--chunks", type=int, default=120, help="render: files of 40 scenes")
    parser.add_argument("--first", type=int, default=0, help="render: number of the first file")
    parser.add_argument("--fonts", type=Path, default=None, help="render: a folder of typefaces")
    args = parser.parse_args()
    if args.average and (args.start is None or args.start.suffix != ".pt"):
        parser.error("--average needs the checkpoint (.pt) that the training goes on from: --start FILE")
    args.work.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    for step in ALL if args.step == "all" else [args.step]:
        print(f"== {step}", flush=True)
        if step in taken and step in STEPS_TAKEN:
            args.start = args.work / f"{step}.pt"
        taken.add(step)
        {**STEPS, "holdout": _holdout}[step](args)


def _pace(args: argparse.Namespace, name: str) -> Pace:
    rate = args.rate or RATES[name]
    if args.seconds is not None:
        return Pace(rate, seconds=args.seconds)
    return Pace(rate, steps=args.steps or STEPS_TAKEN[name])


def _seed(args: argparse.Namespace) -> dict[str, int]:
    return {} if args.seed is None else {"seed": args.seed}


def _note(args: argparse.Namespace, name: str, pace: Pace) -> None:
    """Write down, for the card, how the model `name` was trained; what it was started from is kept before it.

    With `--average` the checkpoint becomes the mean of the two first.
    """
    if args.average:
        from vision.training import learning

        learning.average(args.start, args.work / f"{name}.pt")
    log = args.work / f"{name}.how.json"
    before = json.loads(log.read_text())["runs"] if log.exists() and args.start else []
    command = f"python -m vision.training {name} PHOTOS --work WORK --steps {pace.steps} --rate {pace.rate:g}"
    command += "" if args.seed is None else f" --seed {args.seed}"
    command += f" --start WORK/{args.start.name}" if args.start else ""
    command += " --average" if args.average else ""
    runs = [*before, {"command": command, **pace.told()}]
    log.write_text(json.dumps({"command": runs[-1]["command"], "runs": runs}, indent=1))


def _holdout(args: argparse.Namespace) -> None:
    from vision.training.holdout import lay_out

    for folder, count in lay_out(args.photos, args.work).items():
        print(f"jurado bench {folder}    # {count} photographs")


def _render(args: argparse.Namespace) -> None:
    from vision.training import synthesis

    seed = 3 if args.seed is None else args.seed
    synthesis.render(args.work / "renders", chunks=args.chunks, first=args.first, seed=seed, fonts=args.fonts)


def _detector(args: argparse.Namespace) -> None:
    from vision.training import detector, shipping

    renders = args.work / "renders"
    pace = _pace(args, "detector")
    checkpoint = detector.train(
        args.photos,
        args.work / "detector.pt",
        pace=pace,
        start=args.start,
        renders=renders if renders.exists() else None,
        **_seed(args),
    )
    _note(args, "detector", pace)
    shipping.export("detector", checkpoint, args.work / "models", args.photos, _how(args, "detector"))


def _crops(args: argparse.Namespace) -> None:
    from vision.training import crops
    from vision.training.photos import photographs

    found = crops.from_photos(photographs(args.photos, part="train"), Detector(models=args.work / "models"))
    crops.keep(found, args.work / "real.npz")
    print(f"{len(found)} dice")


def _samples(args: argparse.Namespace, real: str = "real.npz", every: int = 1) -> list:
    from vision.training import crops

    files = [
        file for file in sorted((args.work / "renders").glob("dice_*.npz")) if (int(file.stem[5:]) + 1) % every == 0
    ]
    rendered = [one for file in files for one in crops.kept(file)]
    return crops.kept(args.work / real) + rendered


def _pose(args: argparse.Namespace) -> None:
    from vision.training import reading

    pace = _pace(args, "pose")
    posed = "real_posed.npz" if (args.work / "real_posed.npz").exists() else "real.npz"
    # The poses of pips are the pose network's own: it would only learn what it says already.
    samples = [
        replace(one, centres=None, faces=None) if one.pips == 1 and one.source != "rendered" else one
        for one in _samples(args, posed)
    ]
    reading.train_pose(samples, args.work / "pose.pt", pace=pace, start=args.start, **_seed(args))
    _note(args, "pose", pace)


def _poses(args: argparse.Namespace) -> None:
    from vision.training import crops, reading

    pose, marks = (args.work / f"{name}.pt" for name in ("pose", "marks"))
    crops.keep(
        reading.with_poses(crops.kept(args.work / "real.npz"), args.start or pose, marks if marks.exists() else None),
        args.work / "real_posed.npz",
    )


def _marks(args: argparse.Namespace) -> None:
    from vision.training import reading

    samples = _samples(args, "real_posed.npz")
    pace = _pace(args, "marks")
    reading.train_marks(samples, args.work / "marks.pt", pace=pace, start=args.start, **_seed(args))
    _note(args, "marks", pace)


def _colour(args: argparse.Namespace) -> None:
    from vision.training import colours

    pace = _pace(args, "colour")
    colours.train(_samples(args, every=3), args.work / "colour.pt", pace=pace, **_seed(args))
    _note(args, "colour", pace)


def _how(args: argparse.Namespace, step: str) -> dict[str, object]:
    log = args.work / f"{step}.how.json"
    return json.loads(log.read_text()) if log.exists() else {"command": f"python -m vision.training {step} PHOTOS"}


def _export(args: argparse.Namespace) -> None:
    from vision.training import shipping

    for name in shipping.MODELS[:-1]:
        shipping.export(name, args.work / f"{name}.pt", args.work / "models", args.photos, _how(args, name))


def _verifier(args: argparse.Namespace) -> None:
    """Gather what the exported detector finds, and train and export the verifier for the exported pose network."""
    from vision.training import finds, shipping, verifying

    models = args.work / "models"
    seen = finds.pictures(args.photos, args.work / "renders", args.work / "cuts.npz", made=6000, seed=6)
    found = finds.kept_finds(Detector(models=models), seen, args.work / "finds.npz")
    pace = _pace(args, "verifier")
    checkpoint = verifying.train(found, models, args.work / "verifier.pt", pace=pace, **_seed(args))
    _note(args, "verifier", pace)
    shipping.export("verifier", checkpoint, models, args.photos, _how(args, "verifier"))


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
    "verifier": _verifier,
    "calibrate": _calibrate,
    "measure": _measure,
    "install": _install,
}
ALL = [*list(STEPS)[:6], "poses", "pose", "marks", *list(STEPS)[6:]]


if __name__ == "__main__":
    main()
