"""Ten small CNNs of different forms, trained on digits of MNIST without the errors of a chip: what `cain import` chooses levels
and rounding for.

Each is trained on 12,000 digits with a seed of its own, and written as ONNX. Beside them are folders with digits of the sizes
that they see: 500 that were not trained on, to choose by, and 2,000 test digits to judge by.
"""

import argparse
import gzip
import pathlib
import struct
from typing import Callable, NamedTuple

import numpy as np
import torch
from torch import nn

import mnist

TRAINED, CHOSEN, JUDGED = 12_000, 500, 2_000


class Form(NamedTuple):
    """A network: the side of its pictures, the numbers for black and white, and its layers."""

    side: int
    range: tuple[float, float]
    layers: Callable[[], nn.Sequential]


class Depthwise(nn.Conv2d):
    """A kernel of 3×3 for each map."""

    def __init__(self, maps: int) -> None:
        super().__init__(maps, maps, 3, padding=1, groups=maps)


def dense(*sizes: int) -> list[nn.Module]:
    """Dense layers with rectifiers between them."""
    layers: list[nn.Module] = [nn.Flatten()]
    for read, made in zip(sizes, sizes[1:]):
        layers += [nn.Linear(read, made), nn.ReLU()]
    return layers[:-1]


BYTES, SIGNED, STANDARD = (0.0, 1.0), (-1.0, 1.0), (-0.4242, 2.8215)
FORMS = {
    "max_pooled": Form(28, BYTES, lambda: nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), *dense(784, 10))),
    "strided": Form(28, BYTES, lambda: nn.Sequential(
        nn.Conv2d(1, 3, 5, stride=2, padding=2, bias=False), nn.ReLU(), *dense(588, 10))),
    "normalised": Form(28, BYTES, lambda: nn.Sequential(
        nn.Conv2d(1, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), *dense(196, 10))),
    "small": Form(14, SIGNED, lambda: nn.Sequential(
        nn.Conv2d(1, 6, 3), nn.ReLU(), *dense(864, 32, 10))),
    "mean_pooled": Form(28, BYTES, lambda: nn.Sequential(
        nn.Conv2d(1, 4, 5), nn.ReLU(), nn.AvgPool2d(4), *dense(144, 32, 10))),
    "twice_strided": Form(28, STANDARD, lambda: nn.Sequential(
        nn.Conv2d(1, 4, 3, stride=2, bias=False), nn.BatchNorm2d(4), nn.ReLU(),
        nn.Conv2d(4, 6, 3, stride=2, bias=False), nn.BatchNorm2d(6), nn.ReLU(), *dense(216, 10))),
    "small_twice": Form(14, BYTES, lambda: nn.Sequential(
        nn.Conv2d(1, 2, 3, padding=1), nn.ReLU(), nn.Conv2d(2, 4, 3), nn.ReLU(), *dense(576, 10))),
    "patches": Form(28, SIGNED, lambda: nn.Sequential(
        nn.Conv2d(1, 6, 4, stride=4), nn.LeakyReLU(0.125), *dense(294, 24, 10))),
    "depthwise": Form(28, BYTES, lambda: nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), Depthwise(4), nn.ReLU(), nn.AvgPool2d(4), *dense(196, 10))),
    "large_kernels": Form(28, STANDARD, lambda: nn.Sequential(
        nn.Conv2d(1, 4, 7, stride=3), nn.ReLU(), nn.MaxPool2d(2), *dense(64, 24, 10))),
}


def shrunk(pictures: np.ndarray, side: int) -> np.ndarray:
    """Pictures of this side, whose pixels are the means of squares."""
    size = pictures.shape[1] // side
    return pictures.reshape(len(pictures), side, size, side, size).mean((2, 4)).round().astype(np.uint8)


def numbers(pictures: np.ndarray, form: Form) -> torch.Tensor:
    """What a network sees."""
    black, white = form.range
    return (torch.tensor(pictures).float() / 255 * (white - black) + black)[:, None]


def train(form: Form, seed: int, pictures: np.ndarray, labels: torch.Tensor, epochs: int) -> nn.Sequential:
    """A network of this form that learns these digits."""
    torch.manual_seed(seed)
    network = form.layers()
    seen = numbers(pictures, form)
    loss = lambda chosen: nn.functional.cross_entropy(network(seen[chosen]), labels[chosen])
    mnist.train_to_rest(network.parameters(), loss, len(labels), epochs, 5e-3, batch=100, keep=0.99)
    return network.eval()


def write_idx(folder: pathlib.Path, pictures: np.ndarray, labels: torch.Tensor) -> None:
    """Writes digits as MNIST's files are."""
    folder.mkdir(parents=True, exist_ok=True)
    head = struct.pack(">4i", 0x803, *pictures.shape)
    for kind, content in [("images-idx3", head + pictures.tobytes()),
                          ("labels-idx1", struct.pack(">2i", 0x801, len(labels)) + labels.to(torch.uint8).numpy().tobytes())]:
        (folder / f"t10k-{kind}-ubyte.gz").write_bytes(gzip.compress(content, 1, mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, help="the folder with the files of MNIST")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder for models and digits")
    parser.add_argument("--seed", type=int, default=0, help="added to the seeds")
    parser.add_argument("--epochs", type=int, default=6)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    pictures, labels = mnist.read(arguments.data, "train")
    test, test_labels = mnist.read(arguments.data, "t10k")
    order = np.random.default_rng(0).permutation(len(labels))
    known, chosen = order[:TRAINED], order[TRAINED : TRAINED + CHOSEN]
    judged = np.random.default_rng(1).permutation(len(test_labels))[:JUDGED]
    for side in (28, 14):
        write_idx(arguments.out / f"choose-{side}", shrunk(pictures[chosen], side), labels[chosen])
        write_idx(arguments.out / f"judge-{side}", shrunk(test[judged], side), test_labels[judged])
    for number, (name, form) in enumerate(FORMS.items()):
        network = train(form, arguments.seed + number, shrunk(pictures[known], form.side), labels[known], arguments.epochs)
        right = mnist.in_parts(network, numbers(shrunk(test, form.side), form)).argmax(1) == test_labels
        print(f"{name}: {right.float().mean():.4f} of the test digits, --range {form.range[0]:g}..{form.range[1]:g}", flush=True)
        mnist.export(network, str(arguments.out / f"{name}.onnx"), (form.side, form.side))


if __name__ == "__main__":
    main()
