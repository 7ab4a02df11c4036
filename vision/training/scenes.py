"""Pictures that teach the detector: pieces of photographs, mosaics of them, and cut-out dice laid on grounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.training import pictures
from vision.training.photos import TOP_FACE_ONLY, Photo

SMALLEST, LARGEST = 12.0, 290.0
"""The sides in pixels, of a die in the reduced picture, between which the detector must find it."""


LONGEST = 576
"""What the long side of a photograph is reduced to before the detector sees it."""


@dataclass(slots=True)
class Scene:
    """A square picture (BGR uint8) with `boxes` (N, 4: centre x, y, width, height) and areas where no loss is taken."""

    image: np.ndarray
    boxes: np.ndarray
    ignored: np.ndarray


@dataclass(slots=True)
class Cutout:
    """A die cut out of its photograph: BGR pixels, its mask (float 0..1) and the die's box in them (cx, cy, w, h)."""

    pixels: np.ndarray
    mask: np.ndarray
    box: tuple[float, float, float, float]


@dataclass(slots=True)
class Loaded:
    """A photograph in memory with its boxes (N, 4: centre, size); `uncertain` boxes are not learned from."""

    source: str
    image: np.ndarray
    boxes: np.ndarray
    uncertain: np.ndarray


def load(photos: list[Photo], limit: int = 900) -> list[Loaded]:
    """Return the photographs that show whole tables, none larger than `limit` pixels on its long side."""
    return [load_one(photo, limit) for photo in photos if not photo.is_crop]


def load_one(photo: Photo, limit: float = math.inf) -> Loaded:
    """Return a photograph of a whole table, no larger than `limit` pixels on its long side."""
    image = photo.image()
    scale = min(1.0, limit / max(image.shape[:2]))
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    boxes = np.array([label.box for label in photo.labels if label.box], np.float32).reshape(-1, 4) * scale
    boxes[:, :2] += boxes[:, 2:] / 2
    certain = photo.source not in TOP_FACE_ONLY
    none = np.zeros((0, 4), np.float32)
    if not certain:
        side = np.maximum(boxes[:, 2:].max(axis=1, keepdims=True), 50 * scale) * 2.2
        boxes[:, 2:] = side
    return Loaded(photo.source, image, boxes if certain else none, none if certain else boxes)


def cut_out(photo: Loaded) -> list[Cutout]:
    """Return the dice of a photograph, each parted from its ground by GrabCut, or by an ellipse where that fails."""
    cuts = []
    height, width = photo.image.shape[:2]
    for cx, cy, w, h in photo.boxes:
        left, top = max(0, int(cx - w * 0.8)), max(0, int(cy - h * 0.8))
        right, bottom = min(width, int(cx + w * 0.8) + 1), min(height, int(cy + h * 0.8) + 1)
        others = [box for box in photo.boxes if 0 < np.abs(box[:2] - (cx, cy)).max() < max(w, h) * 0.95]
        if min(w, h) < 24 or others or cx - w / 2 < 2 or cy - h / 2 < 2 or cx + w / 2 > width - 2:
            continue
        piece = photo.image[top:bottom, left:right].copy()
        scale = min(1.0, 110 / max(w, h))
        if scale < 1:
            piece = cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        x, y, wide, high = (cx - left) * scale, (cy - top) * scale, w * scale, h * scale
        mask = _die_mask(piece, x, y, wide, high)
        ys, xs = np.where(mask > 0)
        box = ((xs.min() + xs.max() + 1) / 2, (ys.min() + ys.max() + 1) / 2, np.ptp(xs) + 1, np.ptp(ys) + 1)
        soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.9)
        cuts.append(Cutout(piece, soft, tuple(float(edge) for edge in box)))
    return cuts


def kept_cuts(photos: list[Loaded], path: Path) -> list[Cutout]:
    """Return the cut-outs of `photos`; cutting takes a minute, so they are kept in `path` for the next training."""
    if path.exists():
        with np.load(path, allow_pickle=True) as kept:
            return [Cutout(pixels, mask.astype(np.float32) / 255, tuple(box)) for pixels, mask, box in kept["cuts"]]
    cuts = [cut for photo in photos for cut in cut_out(photo)]
    rows = np.empty((len(cuts), 3), dtype=object)
    for row, cut in zip(rows, cuts, strict=True):
        row[:] = cut.pixels, np.round(cut.mask * 255).astype(np.uint8), cut.box
    np.savez(path, cuts=rows)
    return cuts


def _die_mask(piece: np.ndarray, x: float, y: float, w: float, h: float) -> np.ndarray:
    marks = np.full(piece.shape[:2], cv2.GC_BGD, np.uint8)
    left, top, right, bottom = (round(edge) for edge in (x - w / 2, y - h / 2, x + w / 2, y + h / 2))
    marks[max(0, top) : bottom, max(0, left) : right] = cv2.GC_PR_FGD
    core = (int(x), int(y)), (max(1, int(w * 0.28)), max(1, int(h * 0.28)))
    cv2.ellipse(marks, core[0], core[1], 0, 0, 360, cv2.GC_FGD, -1)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(piece, marks, None, *models, 3, cv2.GC_INIT_WITH_MASK)
    mask = np.isin(marks, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(mask)
    if outlines:
        cv2.drawContours(filled, [cv2.convexHull(max(outlines, key=cv2.contourArea))], -1, 1, -1)
    if not 0.4 * w * h < filled.sum() < 0.97 * w * h:
        filled[:] = 0
        cv2.ellipse(filled, (int(x), int(y)), (int(w * 0.47), int(h * 0.47)), 0, 0, 360, 1, -1)
    return filled


class SceneMaker:
    """Makes training pictures of `size` pixels from photographs, cut-outs and, where given, rendered scenes."""

    def __init__(
        self, photos: list[Loaded], cuts: list[Cutout], renders: list[Loaded], size: int, rng: np.random.Generator
    ) -> None:
        self.size, self.rng, self.cuts = size, rng, cuts
        self.renders = renders
        by_source: dict[str, list[Loaded]] = {}
        for photo in photos:
            by_source.setdefault(photo.source, []).append(photo)
        self.by_source = by_source
        weights = {
            "lurig": 0.8,
            "rune55_pxl": 2.0,
            "matteop65_d6": 0.4,
            "skovy_catan": 0.4,
            "byler_d6": 2.0,
            "roboflow_dice": 2.5,
        }
        self.sources = list(by_source)
        odds = np.array([weights.get(source, 1.0) for source in self.sources])
        self.odds = odds / odds.sum()
        self.grounds: list[np.ndarray] = []

    def scene(self) -> Scene:
        """Return one training picture."""
        kind = self.rng.random()
        if kind < 0.55:
            scene = self._piece(self.size)
        elif kind < 0.6:
            scene = self._mosaic()
        else:
            scene = self._laid()
        if self.rng.random() < pictures.OFTEN_SQUEEZED:
            scene = self._squeezed(scene)
        scene.image = pictures.shake(self.rng, scene.image)
        return scene

    def _squeezed(self, scene: Scene) -> Scene:
        """Return a piece of the scene in which all is taller than it was wide, or wider."""
        rng, size = self.rng, self.size
        longer = math.exp(rng.uniform(0, pictures.SQUEEZED))
        stretch = np.array([1.0, longer] if rng.random() < 0.5 else [longer, 1.0])
        shift = rng.uniform(0, 1, 2) * size * (1 - stretch)
        warp = np.column_stack([np.diag(stretch), shift])
        image = cv2.warpAffine(scene.image, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        boxes, ignored = (
            np.concatenate([some[:, :2] * stretch + shift, some[:, 2:] * stretch], 1).astype(np.float32).reshape(-1, 4)
            for some in (scene.boxes, scene.ignored)
        )
        return Scene(image, boxes, ignored)

    def _photo(self) -> Loaded:
        if self.renders and self.rng.random() < 0.45:
            return self.renders[self.rng.integers(len(self.renders))]
        return self._photograph()

    def _photograph(self) -> Loaded:
        pool = self.by_source[self.sources[self.rng.choice(len(self.sources), p=self.odds)]]
        return pool[self.rng.integers(len(pool))]

    def _piece(self, size: int) -> Scene:
        """A window of a photograph, turned; in the size the detector meets, or so that its dice span a drawn one."""
        rng, photo = self.rng, self._photo()
        everything = np.concatenate([photo.boxes, photo.uncertain])
        height, width = photo.image.shape[:2]
        side = float(np.median(everything[:, 2:])) if len(everything) else 60.0
        wanted = math.exp(rng.uniform(math.log(14), math.log(110))) if rng.random() < 0.8 else rng.uniform(110, 300)
        if size == self.size and rng.random() < 0.6:
            scale = min(1.0, LONGEST / max(height, width)) * math.exp(rng.normal(0, 0.15))
        else:
            scale = float(np.clip(wanted / side, max(0.2, 0.5 * size / max(height, width)), 2.2))
        angle = rng.uniform(0, 2 * math.pi) if rng.random() < 0.5 else rng.integers(4) * math.pi / 2
        flip = -1.0 if rng.random() < 0.5 else 1.0
        cos, sin = math.cos(angle) * scale, math.sin(angle) * scale
        stretch = math.exp(rng.normal(0, 0.1))
        matrix = np.array([[cos * flip * stretch, -sin / stretch], [sin * flip * stretch, cos / stretch]])
        if len(everything) and rng.random() < 0.65:
            focus = everything[rng.integers(len(everything)), :2]
            target = rng.uniform(0.1, 0.9, 2) * size
        else:
            focus = rng.uniform(0, 1, 2) * (width, height)
            target = np.array([size / 2, size / 2])
        shift = target - matrix @ focus
        warp = np.column_stack([matrix, shift])
        flags = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
        source = photo.image
        if scale < 0.6:
            reduced = scale * 1.3
            source = cv2.resize(source, None, fx=reduced, fy=reduced, interpolation=flags)
            warp = warp @ np.array([[1 / reduced, 0, 0], [0, 1 / reduced, 0], [0, 0, 1]])
        image = cv2.warpAffine(source, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        inside = cv2.warpAffine(np.ones(source.shape[:2], np.uint8), warp, (size, size), flags=cv2.INTER_NEAREST)
        if not inside.all():
            image = np.where(inside[..., None] > 0, image, self._ground(size))
        return Scene(image, self._moved(photo.boxes, matrix, shift), self._moved(photo.uncertain, matrix, shift))

    def _ground(self, size: int) -> np.ndarray:
        """A piece of a made-up table top; one in six calls makes a new one, the others take up one made before."""
        rng = self.rng
        if len(self.grounds) < 60 or rng.random() < 1 / 6:
            made = pictures.ground(rng, self.size + 96)
            if len(self.grounds) < 400:
                self.grounds.append(made)
            else:
                self.grounds[rng.integers(400)] = made
        whole = self.grounds[rng.integers(len(self.grounds))]
        top, left = rng.integers(0, whole.shape[0] - size + 1, 2)
        piece = whole[top : top + size, left : left + size]
        return np.ascontiguousarray(np.rot90(piece, rng.integers(4)))

    def _scrap(self, image: np.ndarray, boxes: list[np.ndarray]) -> None:
        """Lay a piece of a photograph without dice where no die lies, cut out and shaded as the dice are."""
        rng = self.rng
        photo = self._photograph()
        height, width = photo.image.shape[:2]
        side = math.exp(rng.uniform(math.log(14), math.log(110)))
        x, y = rng.uniform(0, 1, 2) * (width, height)
        scale = math.exp(rng.normal(0, 0.4))
        half = side * 0.75 / scale
        everything = np.concatenate([photo.boxes, photo.uncertain])
        near = np.abs(everything[:, :2] - (x, y)) < everything[:, 2:] / 2 + half
        if near.all(axis=1).any() or min(x, y) < half or x > width - half or y > height - half:
            return
        where = rng.uniform(0, self.size, 2)
        if any((np.abs(where - box[:2]) < box[2:] * 0.5 + side * 0.6).all() for box in boxes):
            return
        piece = photo.image[int(y - half) : int(y + half) + 1, int(x - half) : int(x + half) + 1]
        wide = max(8, int(side * 1.5))
        piece = cv2.resize(piece, (wide, wide), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        mask = np.zeros((wide, wide), np.float32)
        corners, reach = int(rng.integers(3, 9)), side / 2
        angles = rng.uniform(0, 6.28) + np.arange(corners) * 2 * math.pi / corners
        far = reach * rng.uniform(0.85, 1.15, corners)
        outline = np.stack([wide / 2 + far * np.cos(angles), wide / 2 + far * np.sin(angles)], 1)
        cv2.fillPoly(mask, [outline.astype(np.int32)], 1.0)
        self._put(image, piece, cv2.GaussianBlur(mask, (0, 0), 0.8), where, side)

    def _put(self, image: np.ndarray, pixels: np.ndarray, mask: np.ndarray, where: np.ndarray, side: float) -> None:
        """Lay `pixels` with their middle at `where`, with a shadow under them."""
        rng = self.rng
        left, top = int(where[0]) - mask.shape[1] // 2, int(where[1]) - mask.shape[0] // 2
        shadow = cv2.GaussianBlur(mask, (0, 0), max(1.0, side * 0.08)) * rng.uniform(0, 0.6)
        dx, dy = (int(step) for step in rng.normal(0, side * 0.1, 2))
        _blend(image, np.zeros_like(pixels), shadow, left + dx, top + dy)
        _blend(image, pixels, mask, left, top)

    @staticmethod
    def _moved(boxes: np.ndarray, matrix: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """Move boxes by an affine map; a turned die is taken as halfway between its box's ellipse and its corners."""
        if not len(boxes):
            return boxes.reshape(0, 4)
        centres = boxes[:, :2] @ matrix.T + shift
        halves = boxes[:, 2:] / 2
        round_ = np.sqrt((halves**2) @ (matrix**2).T)
        square = halves @ np.abs(matrix).T
        scale = math.sqrt(abs(np.linalg.det(matrix)))
        turned = np.abs(matrix / scale)
        lean = float(min(1.0, 2 * turned[0].min()))
        return np.concatenate([centres, 2 * (round_ * lean + square * (1 - lean))], 1).astype(np.float32)

    def _mosaic(self) -> Scene:
        half = self.size // 2
        image = np.zeros((self.size, self.size, 3), np.uint8)
        boxes, ignored = [], []
        for top in (0, half):
            for left in (0, half):
                piece = self._piece(half)
                image[top : top + half, left : left + half] = piece.image
                whole = _inside(piece.boxes, half)
                boxes.append(piece.boxes[whole] + np.array([left, top, 0, 0]))
                rest = np.concatenate([piece.boxes[~whole], piece.ignored])
                ignored.append(rest + np.array([left, top, 0, 0]))
        return Scene(image, np.concatenate(boxes), np.concatenate(ignored))

    def _laid(self) -> Scene:
        """Cut-out dice laid on a bare ground or on a piece of photograph, with clutter under them."""
        rng = self.rng
        if rng.random() < 0.4:
            scene = Scene(self._ground(self.size), np.zeros((0, 4), np.float32), np.zeros((0, 4), np.float32))
        else:
            scene = self._piece(self.size)
        bare = scene.image.copy()
        pictures.strew(rng, scene.image, int(rng.integers(0, 12)))
        for cx, cy, w, h in np.concatenate([scene.boxes, scene.ignored]):
            left, top = max(0, int(cx - w * 0.7)), max(0, int(cy - h * 0.7))
            right, bottom = int(cx + w * 0.7) + 1, int(cy + h * 0.7) + 1
            scene.image[top : max(top, bottom), left : max(left, right)] = bare[
                top : max(top, bottom), left : max(left, right)
            ]
        boxes = list(scene.boxes)
        side = math.exp(rng.uniform(math.log(14), math.log(110))) if rng.random() < 0.9 else rng.uniform(110, 220)
        close = rng.random() < 0.4
        heap = rng.uniform(0.2, 0.8, 2) * self.size
        laid: list[np.ndarray] = []
        for _ in range(int(rng.integers(0, 15))):
            wide = side * math.exp(rng.normal(0, 0.2))
            if laid and rng.random() < 0.5:
                # Dice that touch are what is most easily taken for one.
                beside = laid[rng.integers(len(laid))]
                way, gap = rng.uniform(0, 2 * math.pi), rng.uniform(0.44, 0.6)
                where = beside[:2] + np.array([math.cos(way), math.sin(way)]) * gap * (wide + max(beside[2:]))
            else:
                where = rng.normal(heap, side * 1.3) if close else rng.uniform(0, self.size, 2)
            if any(float(np.hypot(*(where - box[:2]))) < (wide + max(box[2:])) * 0.43 for box in boxes):
                continue
            laid.append(self._lay(scene.image, where, wide))
            boxes.append(laid[-1])
        for _ in range(int(rng.integers(0, 9))):
            self._scrap(scene.image, [*boxes, *scene.ignored])
        return Scene(scene.image, np.array(boxes, np.float32).reshape(-1, 4), scene.ignored)

    def _lay(self, image: np.ndarray, where: np.ndarray, side: float) -> np.ndarray:
        rng = self.rng
        cut = self.cuts[rng.integers(len(self.cuts))]
        scale = side / max(cut.box[2:])
        angle, flip = rng.uniform(0, 2 * math.pi), (-1.0 if rng.random() < 0.5 else 1.0)
        cos, sin = math.cos(angle) * scale, math.sin(angle) * scale
        matrix = np.array([[cos * flip, -sin], [sin * flip, cos]])
        reach = int(max(cut.pixels.shape[:2]) * scale) + 4
        pixels, mask, box = cut.pixels, cut.mask, np.array(cut.box)
        if scale < 0.6:
            pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            mask = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            matrix, box = matrix / scale, box * scale
        shift = np.array([reach, reach]) - matrix @ box[:2]
        warp = np.column_stack([matrix, shift])
        die = cv2.warpAffine(pixels, warp, (2 * reach, 2 * reach), flags=cv2.INTER_LINEAR)
        mask = cv2.warpAffine(mask, warp, (2 * reach, 2 * reach), flags=cv2.INTER_LINEAR)
        if rng.random() < 0.5:
            die = np.clip(die * np.exp(rng.normal(0, 0.15, 3)), 0, 255)
        ys, xs = np.where(mask > 0.5)
        if not len(xs):
            return np.array([*where, side, side])
        self._put(image, die, mask, where, side)
        left, top = int(where[0]) - reach, int(where[1]) - reach
        middle = left + (xs.min() + xs.max() + 1) / 2, top + (ys.min() + ys.max() + 1) / 2
        return np.array([*middle, np.ptp(xs) + 1, np.ptp(ys) + 1], np.float32)


def _blend(image: np.ndarray, pixels: np.ndarray, mask: np.ndarray, left: int, top: int) -> None:
    height, width = image.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + mask.shape[1]), min(height, top + mask.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = mask[y0 - top : y1 - top, x0 - left : x1 - left, None]
    under = image[y0:y1, x0:x1]
    over = pixels[y0 - top : y1 - top, x0 - left : x1 - left]
    image[y0:y1, x0:x1] = (under * (1 - part) + over * part).astype(np.uint8)


def _inside(boxes: np.ndarray, size: int, share: float = 0.55) -> np.ndarray:
    """Return which boxes have at least `share` of their area inside a square picture."""
    low = np.maximum(boxes[:, :2] - boxes[:, 2:] / 2, 0)
    high = np.minimum(boxes[:, :2] + boxes[:, 2:] / 2, size)
    seen = np.clip(high - low, 0, None).prod(axis=1)
    middle = ((boxes[:, :2] > 1) & (boxes[:, :2] < size - 1)).all(axis=1)
    return (seen >= share * boxes[:, 2:].prod(axis=1)) & middle


def targets(scene: Scene, stride: int = 8) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return heat (H, W), its weight (H, W), the box numbers (4, H, W) of `DetectorNet`, and their weight (H, W)."""
    size = scene.image.shape[0]
    cells = size // stride
    heat, weight = np.zeros((cells, cells), np.float32), np.ones((cells, cells), np.float32)
    numbers, learn = np.zeros((4, cells, cells), np.float32), np.zeros((cells, cells), np.float32)
    rows, columns = np.mgrid[:cells, :cells]
    px, py = (columns + 0.5) * stride, (rows + 0.5) * stride
    whole = _inside(scene.boxes, size)
    sides = scene.boxes[:, 2:].max(axis=1) if len(scene.boxes) else np.zeros(0)
    fit = whole & (sides >= SMALLEST * 0.9) & (sides <= LARGEST)
    for cx, cy, w, h in np.concatenate([scene.boxes[~fit], scene.ignored]):
        # A die too large for this scale is left alone at its middle; its numerals and faces are no dice.
        part = 0.5 if max(w, h) <= LARGEST else (0.2 if max(w, h) < 1.4 * LARGEST else 0.0)
        weight[(np.abs(px - cx) < w * part + 4) & (np.abs(py - cy) < h * part + 4)] = 0
    for cx, cy, w, h in scene.boxes[fit]:
        spread = min(24.0, max(5.0, 0.13 * max(w, h)))
        bump = np.exp(-((px - cx) ** 2 + (py - cy) ** 2) / (2 * spread**2))
        column, row = min(cells - 1, int(cx // stride)), min(cells - 1, int(cy // stride))
        bump[row, column] = 1.0
        mine = (bump > heat) & (bump > 0.4)
        heat = np.maximum(heat, bump)
        weight[bump > 0.3] = 1
        values = np.stack(
            [
                (cx - columns * stride) / stride,
                (cy - rows * stride) / stride,
                np.full_like(px, math.log(w / 32)),
                np.full_like(px, math.log(h / 32)),
            ]
        )
        numbers[:, mine] = values[:, mine]
        learn[mine] = bump[mine]
    return heat, weight, numbers, learn


class Stock:
    """A stock of scenes that are used several times, each time turned or mirrored, while new ones come in.

    Making a scene takes as long as learning from it; `fresh` scenes of each batch of `batch` are new.
    """

    def __init__(self, maker: SceneMaker, *, batch: int, fresh: int, size: int = 900) -> None:
        self.maker, self.batch, self.fresh, self.size = maker, batch, fresh, size
        self.scenes: list[Scene] = []

    def draw(self) -> list[Scene]:
        """Return a batch: the new scenes, and others from the stock."""
        rng = self.maker.rng
        new = [self.maker.scene() for _ in range(self.batch if len(self.scenes) < 2 * self.batch else self.fresh)]
        old = [self.scenes[rng.integers(len(self.scenes))] for _ in range(self.batch - len(new))]
        for scene in new:
            if len(self.scenes) < self.size:
                self.scenes.append(scene)
            else:
                self.scenes[rng.integers(self.size)] = scene
        return [mirrored(scene, int(rng.integers(8))) for scene in (*new, *old)]


def mirrored(scene: Scene, way: int) -> Scene:
    """Return the scene in one of the eight ways (0..7) in which a square can be laid: 0 as it is."""
    size = scene.image.shape[0]
    image, areas = scene.image, [scene.boxes, scene.ignored]
    if way & 1:
        image, areas = image[:, ::-1], [np.column_stack([size - a[:, :1], a[:, 1:]]) for a in areas]
    if way & 2:
        image, areas = image[::-1], [np.column_stack([a[:, :1], size - a[:, 1:2], a[:, 2:]]) for a in areas]
    if way & 4:
        image, areas = image.transpose(1, 0, 2), [a[:, [1, 0, 3, 2]] for a in areas]
    return Scene(np.ascontiguousarray(image), areas[0], areas[1])


def load_renders(path: Path, most: int = 4500) -> list[Loaded]:
    """Return the rendered scenes that `vision.training.synthesis` wrote into `path`; half-hidden dice are uncertain.

    No more than about `most`, the same share of every file: a scene takes a megabyte.
    """
    loaded = []
    files = sorted(path.glob("scenes_*.npz"))
    for file in files:
        with np.load(file, allow_pickle=True) as kept:
            share = max(1, round(most / len(files)))
            for packed, rows in zip(kept["pictures"][:share], kept["boxes"][:share], strict=True):
                image = cv2.imdecode(packed, cv2.IMREAD_COLOR)
                boxes = rows[:, :4].astype(np.float32)
                boxes[:, :2] += boxes[:, 2:] / 2
                seen = rows[:, 4]
                hidden = (seen < 0.55) & (seen > 0.05)
                loaded.append(Loaded("rendered", image, boxes[seen >= 0.55], boxes[hidden]))
    return loaded
