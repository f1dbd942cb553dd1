"""LeNet-5's shape, trained with the errors of the chip: 6 maps of 5×5 kernels, thresholds, 2×2 max-pooling, 16 maps of 5×5
kernels over all of these, thresholds, counts in 2×2 windows, and dense layers 400-120-84-10.

Weights on the array cost something in training, and most of them become 0: sums of few weights take few words, and err by
little.
"""

from torch import nn

import cain_fpsp.torch as chip
import on_chip


def on_array(errors):
    """For pictures of zeros and ones: a one is 120 DN on the array, and a one of the bits in between 64 DN."""
    return nn.Sequential(
        chip.Conv2d(1, 6, 5, depth=1, padding=2, dn=120, chip=errors),
        chip.Threshold(6, step=0.5),
        nn.MaxPool2d(2),
        chip.Conv2d(6, 16, 5, depth=1, dn=64, chip=errors),
        chip.Threshold(16, step=0.5),
        chip.Windows(2),
    )


def dense_layers():
    return nn.Sequential(nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


if __name__ == "__main__":
    on_chip.train(on_chip.arguments(__doc__, "lenet_chip.onnx", 18, 2e-3), on_array, dense_layers, 400)
