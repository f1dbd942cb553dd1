"""Trains a network whose maps are thresholds, with the errors of the chip, and writes it as ONNX.

Every batch of digits sees another chip, and is moved by up to a pixel. Then the dense layers are trained again, on the counts
that chips make of the digits and of the digits moved by one pixel in four directions. The training needs the package
`cain-fpsp` with PyTorch, see docs/python.md.
"""

import argparse

import torch
from torch import nn

import cain_fpsp.torch as chip
import mnist


def arguments(description, output, epochs, few):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", required=True, help="the folder with the files of MNIST")
    parser.add_argument("--output", default=output)
    parser.add_argument("--epochs", type=int, default=epochs, help="of the layers on the array")
    parser.add_argument("--dense-epochs", type=int, default=40)
    parser.add_argument("--margin", type=float, default=1.5, help="how much larger errors are than measured")
    parser.add_argument("--few", type=float, default=few, help="what the magnitudes of weights on the array cost")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def train(given, on_array, dense_layers, features):
    """Trains what `on_array(chip)` and `dense_layers()` make, with so many counts between them."""
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)

    picture = chip.Picture(binarise=mnist.HALF)
    array, dense = on_array(chip.Chip.measured().times(given.margin)), dense_layers()
    sums = [layer for layer in array if isinstance(layer, chip.Conv2d)]
    grey, labels = mnist.read(given.data, "train")
    pictures, chosen = picture(torch.tensor(grey)), len(grey) - mnist.CHOOSE
    # Counts are standardised while the array learns.
    whole = nn.Sequential(array, nn.BatchNorm1d(features, affine=False), dense)

    def loss(some):
        weights = sum(layer.weight.abs().sum() for layer in sums)
        return nn.functional.cross_entropy(whole(moved(pictures[some])), labels[some]) + given.few * weights

    mnist.train_to_rest(whole.parameters(), loss, chosen, given.epochs, 5e-3, batch=200)
    print("weights on the array:", *[int((layer.weights() != 0).sum()) for layer in sums])

    # In training mode, some digits at a time are seen by the same chip.
    counts = [mnist.in_parts(array.train(), picture(torch.tensor(part.copy())), 500) for part in mnist.moved(grey)]
    dense = dense_layers()
    mnist.train_on_counts(dense, [part[:chosen] for part in counts], labels[:chosen], given.dense_epochs)

    digits, test_labels = mnist.read(given.data, "t10k")
    for mode, name in ((True, "with errors"), (False, "without errors")):
        kept = mnist.in_parts(array.train(mode), pictures[chosen:], 500)
        test = mnist.in_parts(array, picture(torch.tensor(digits)), 500)
        print(f"counts {name}:")
        mnist.report(dense, (kept, labels[chosen:]), (test, test_labels))
    chip.export(nn.Sequential(array, dense), given.output, (28, 28))


def moved(pictures):
    """Pictures moved by up to a pixel, all alike."""
    right, down = (int(torch.randint(-1, 2, ())) for _ in range(2))
    return torch.roll(pictures, (down, right), (-2, -1))
