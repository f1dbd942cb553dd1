"""Two layers on the array, trained with the errors of the chip: 4 maps, thresholds, 2×2 max-pooling, two maps of each of
these, thresholds, counts in 16 windows, and dense layers 128-50-10.

Every batch of digits sees another chip, and is moved by up to a pixel. Then the dense layers are trained again, on the counts
that chips make of the digits and of the digits moved by one pixel in four directions. The training needs the package
`cain-fpsp` with PyTorch, see docs/python.md.
"""

import argparse

import torch
from torch import nn

import cain_fpsp.torch as chip
import mnist


def on_array(errors):
    """For pictures of zeros and ones: a one is 120 DN on the array, and a one of the bits in between 64 DN."""
    return nn.Sequential(
        chip.Conv2d(1, 4, 3, depth=1, padding=1, dn=120, chip=errors),
        chip.Threshold(4, step=0.5),
        nn.MaxPool2d(2),
        chip.Conv2d(4, 8, 3, depth=1, groups=4, dn=64, chip=errors),
        chip.Threshold(8, step=0.5),
        chip.Windows(3),
    )


def dense_layers():
    return nn.Sequential(nn.Linear(128, 50), nn.ReLU(), nn.Linear(50, 10))


def moved(pictures):
    """Pictures moved by up to a pixel, all alike."""
    right, down = (int(torch.randint(-1, 2, ())) for _ in range(2))
    return torch.roll(pictures, (down, right), (-2, -1))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, help="the folder with the files of MNIST")
    parser.add_argument("--output", default="two_layer_chip.onnx")
    parser.add_argument("--epochs", type=int, default=12, help="of the layers on the array")
    parser.add_argument("--dense-epochs", type=int, default=40)
    parser.add_argument("--margin", type=float, default=1.5, help="how much larger errors are than measured")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)

    picture = chip.Picture(binarise=mnist.HALF)
    array, dense = on_array(chip.Chip.measured().times(arguments.margin)), dense_layers()
    grey, labels = mnist.read(arguments.data, "train")
    pictures, chosen = picture(torch.tensor(grey)), len(grey) - mnist.CHOOSE
    # Counts are standardised while the array learns.
    whole = nn.Sequential(array, nn.BatchNorm1d(128, affine=False), dense)
    loss = lambda some: nn.functional.cross_entropy(whole(moved(pictures[some])), labels[some])
    mnist.train_to_rest(whole.parameters(), loss, chosen, arguments.epochs, 5e-3, batch=200)

    # In training mode, some digits at a time are seen by the same chip.
    counts = [mnist.in_parts(array.train(), picture(torch.tensor(part.copy())), 500) for part in mnist.moved(grey)]
    known = torch.cat([part[:chosen] for part in counts])
    mean, deviation = known.mean(0), known.std(0) + 1e-3
    dense = dense_layers()
    mnist.train_dense(dense, (known - mean) / deviation, labels[:chosen].repeat(5), arguments.dense_epochs)
    mnist.fold(dense[0], mean, deviation)

    digits, test_labels = mnist.read(arguments.data, "t10k")
    for mode, name in ((True, "with errors"), (False, "without errors")):
        kept = mnist.in_parts(array.train(mode), pictures[chosen:], 500)
        test = mnist.in_parts(array, picture(torch.tensor(digits)), 500)
        print(f"counts {name}:")
        mnist.report(dense, (kept, labels[chosen:]), (test, test_labels))
    chip.export(nn.Sequential(array, dense), arguments.output, (28, 28))


if __name__ == "__main__":
    main()
