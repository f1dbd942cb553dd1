"""Two layers on the array, trained with the errors of the chip: 6 maps, thresholds, 2×2 max-pooling, three maps of each of
these, thresholds, counts in 16 windows, and dense layers 288-64-10.
"""

from torch import nn

import cain_fpsp.torch as chip
import on_chip


def on_array(errors):
    """For pictures of zeros and ones: a one is 120 DN on the array, and a one of the bits in between 64 DN."""
    return nn.Sequential(
        chip.Conv2d(1, 6, 3, depth=1, padding=1, dn=120, chip=errors),
        chip.Threshold(6, step=0.5),
        nn.MaxPool2d(2),
        chip.Conv2d(6, 18, 3, depth=1, groups=6, dn=64, chip=errors),
        chip.Threshold(18, step=0.5),
        chip.Windows(3),
    )


def dense_layers():
    return nn.Sequential(nn.Linear(288, 64), nn.ReLU(), nn.Linear(64, 10))


if __name__ == "__main__":
    on_chip.train(on_chip.arguments(__doc__, "two_layer_chip.onnx", 12, 0.0), on_array, dense_layers, 288)
