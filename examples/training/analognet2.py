"""AnalogNet2: three kernels, three thresholds, counts in twelve windows of each map, and dense layers 36-50-10.

The kernels are those of the publication; thresholds are at half a step of what a kernel can make of a binary picture. The
dense layers are trained on the counts of the digits and of the digits moved by one pixel in four directions.
"""

import argparse

import torch

import mnist

KERNELS = torch.tensor(
    [
        [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]],
        [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]],
        [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]],
    ],
    dtype=torch.float32,
)
# The least sum of the weights under white pixels that counts as found, of each kernel.
FOUND = torch.tensor([2.0, 1.0, 0.0])
WINDOW, ROWS, COLUMNS = 9, (2, 6, 11, 15), (4, 8, 13)


class Counts(torch.nn.Module):
    """The part on the array: how often each kernel finds something in each window."""

    def __init__(self, found):
        super().__init__()
        self.register_buffer("kernels", KERNELS[:, None] / 4)
        step = (mnist.WHITE - mnist.BLACK) / 4
        black = KERNELS.sum((1, 2)) * mnist.BLACK / 4
        self.register_buffer("thresholds", (black + (found - 0.5) * step)[:, None, None])

    def forward(self, picture):
        bits = (torch.conv2d(picture, self.kernels) > self.thresholds).float()
        windows = [bits[:, :, r : r + WINDOW, c : c + WINDOW] for r in ROWS for c in COLUMNS]
        return torch.cat([window.sum((2, 3)) for window in windows], 1)


class AnalogNet2(torch.nn.Module):
    def __init__(self, counts, dense):
        super().__init__()
        self.counts, self.dense = counts, dense

    def forward(self, picture):
        return self.dense(self.counts(picture))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, help="the folder with the files of MNIST")
    parser.add_argument("--output", default="analognet2.onnx")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--found", type=float, nargs=3, default=FOUND.tolist())
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)

    counts = Counts(torch.tensor(arguments.found))
    pictures, labels = mnist.read(arguments.data, "train")
    features = [mnist.in_parts(counts, mnist.levels(part)) for part in mnist.moved(pictures)]
    chosen = len(pictures) - mnist.CHOOSE
    known = torch.cat([part[:chosen] for part in features])
    mean, deviation = known.mean(0), known.std(0) + 1e-3
    dense = torch.nn.Sequential(torch.nn.Linear(36, 50), torch.nn.ReLU(), torch.nn.Linear(50, 10))
    mnist.train_dense(dense, (known - mean) / deviation, labels[:chosen].repeat(5), arguments.epochs)
    mnist.fold(dense[0], mean, deviation)

    pictures, test_labels = mnist.read(arguments.data, "t10k")
    test = mnist.in_parts(counts, mnist.levels(pictures))
    mnist.report(dense, (features[0][chosen:], labels[chosen:]), (test, test_labels))
    mnist.export(AnalogNet2(counts, dense), arguments.output)


if __name__ == "__main__":
    main()
