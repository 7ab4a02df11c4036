"""From checkpoints to the ONNX models and cards that are shipped."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn

from vision.classify import FEATURES
from vision.training.learning import MEAN, SPREAD
from vision.training.networks import DetectorNet

FEATURES_TOLD = "; features: what the last layer makes the answer of, for telling a table's own dice by"


class Bytes(nn.Module):
    """Wraps a network so that it takes pictures as cameras give them: (N, H, W, 3) or (N, H, W), BGR or grey uint8."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        x = x.permute(0, 3, 1, 2)
        return self.network((x.float() - MEAN) / SPREAD)


class Whole(nn.Module):
    """The detector as it is shipped: whole pictures in (N, H, W, 3 BGR uint8), a plain answer out.

    Mean and spread of the pixels go into the stem's weights, and the rim that the stem would pad is expected in the
    picture, one pixel of the mean all around. The answer: score, offset in cells, width and height in pixels.
    """

    def __init__(self, network: DetectorNet) -> None:
        super().__init__()
        self.network = network
        known = network.stem[0]
        self.first = nn.Conv2d(known.in_channels, known.out_channels, known.kernel_size, known.stride)
        with torch.no_grad():
            self.first.weight.copy_(known.weight / SPREAD)
            self.first.bias.copy_(-self.first.weight.sum((1, 2, 3)) * MEAN)

    def forward(self, x: Tensor) -> Tensor:
        raw = self.network.after(self.network.stem[1:](self.first(x.permute(0, 3, 1, 2).float())))
        return torch.cat([torch.sigmoid(raw[:, :1]), raw[:, 1:3], 32 * torch.exp(raw[:, 3:].clamp(-4, 4))], 1)


def to_onnx(
    network: nn.Module, example: Tensor, path: Path, *, given: str, dynamic: dict[int, str], features: bool = False
) -> None:
    """Write `network` to `path` as fp32 ONNX with one input named `given` and one output named `answer`.

    The layer before the answer is let out too, as `features`, where `features` is set (see `let_out`).
    """
    network.eval()
    torch.onnx.export(
        network,
        (example,),
        str(path),
        input_names=[given],
        output_names=["answer"],
        dynamic_axes={given: dynamic, "answer": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(path))
    onnx.checker.check_model(model)
    model.doc_string = ""
    for node in model.graph.node:
        node.doc_string = ""
    if features:
        let_out(model)
    onnx.save(model, str(path))


def let_out(model: onnx.ModelProto) -> bool:
    """Give `model` a second output, `features`: what its last layer makes the answer of. Return False if it has it.

    It is taken before the rectifier, which would hide half of it. No weight and no computation changes.
    `vision.enrol` compares dice by what the networks saw of them anyway.
    """
    graph = model.graph
    if any(output.name == FEATURES for output in graph.output):
        return False
    last = next(node for node in graph.node if "answer" in node.output)
    inner = last.input[0]
    inner = next((node.input[0] for node in graph.node if node.op_type == "Relu" and inner in node.output), inner)
    for node in graph.node:
        for names in (node.input, node.output):
            for place, name in enumerate(names):
                if name == inner:
                    names[place] = FEATURES
    graph.output.append(onnx.helper.make_tensor_value_info(FEATURES, onnx.TensorProto.FLOAT, ["n", None]))
    onnx.checker.check_model(model)
    return True


def let_out_of(path: Path) -> bool:
    """Do so for the model `path` that was written without, and bring its card up to date; return whether it changed."""
    model = onnx.load(str(path))
    if not let_out(model):
        return False
    onnx.save(model, str(path))
    facts = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    if "features" not in facts["output"]:
        facts["output"] += FEATURES_TOLD
    write_card(path, facts)
    return True


def write_card(path: Path, facts: dict[str, Any]) -> None:
    """Write the card beside the model `path`, with the model's size and sha256."""
    packed = path.read_bytes()
    facts = {**facts, "bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
