"""AnalogNet2: three kernels, three thresholds, counts in twelve windows of each map, and dense layers 36-50-10.

The kernels are those of the publication; thresholds are at half a step of what a kernel can make of a binary picture. The
dense layers are trained on the counts of the digits, of the digits moved by one pixel in four directions, and of the digits
bent at random. They learn from larger networks for the same counts what these take each digit for. Several are trained side by
side; of these the one is written that reads most of the digits which were kept back.
"""

import argparse
import math

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
HEIGHT, WIDTH, ROWS, COLUMNS = 8, 9, (0, 5, 11, 17), (2, 9, 15)


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
        windows = [bits[:, :, r : r + HEIGHT, c : c + WIDTH] for r in ROWS for c in COLUMNS]
        return torch.cat([window.sum((2, 3)) for window in windows], 1)


class AnalogNet2(torch.nn.Module):
    def __init__(self, counts, dense):
        super().__init__()
        self.counts, self.dense = counts, dense

    def forward(self, picture):
        return self.dense(self.counts(picture))


class SideBySide(torch.nn.Module):
    """Several networks of two dense layers, for the same counts."""

    def __init__(self, networks, inputs, hidden, outputs):
        super().__init__()
        sizes = [(inputs, hidden), (1, hidden), (hidden, outputs), (1, outputs)]
        limits = [math.sqrt(1 / fan) for fan in (inputs, inputs, hidden, hidden)]
        uniform = lambda size, limit: torch.nn.Parameter((torch.rand(networks, *size) * 2 - 1) * limit)
        self.weights = torch.nn.ParameterList([uniform(size, limit) for size, limit in zip(sizes, limits)])

    def forward(self, counts):
        first, bias, second, last_bias = self.weights
        return torch.relu(counts @ first + bias) @ second + last_bias

    def dense(self, network):
        """One of the networks."""
        first, bias, second, last_bias = (weights[network].detach() for weights in self.weights)
        layers = [torch.nn.Linear(*first.shape), torch.nn.ReLU(), torch.nn.Linear(*second.shape)]
        for layer, weights, bias in ((layers[0], first, bias), (layers[2], second, last_bias)):
            layer.weight.data, layer.bias.data = weights.T.clone(), bias[0].clone()
        return torch.nn.Sequential(*layers)


def learnt(known, labels, arguments):
    """Dense layers 36-50-10 side by side that were trained on counts."""
    seen = torch.zeros(len(known), 10)
    for number in range(arguments.teachers):
        print(f"teacher {number + 1} of {arguments.teachers}", flush=True)
        teacher = SideBySide(1, 36, 512, 10)
        loss = lambda chosen: torch.nn.functional.cross_entropy(teacher(known[chosen])[0], labels[chosen])
        mnist.train_to_rest(teacher.parameters(), loss, len(known), arguments.teaching, 2e-3)
        seen += mnist.in_parts(lambda counts: teacher(counts)[0], known) / arguments.teachers
    # The teachers' doubts show better at a higher temperature.
    heat = 2
    seen = torch.softmax(seen / heat, 1)
    print(f"{arguments.networks} networks", flush=True)
    networks = SideBySide(arguments.networks, 36, 50, 10)
    surprise = lambda chosen: -(torch.log_softmax(networks(known[chosen]) / heat, 2) * seen[chosen]).sum(2).mean(1).sum()
    mnist.train_to_rest(networks.parameters(), lambda chosen: heat**2 * surprise(chosen), len(known), arguments.epochs, 8e-3)
    return networks


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, help="the folder with the files of MNIST")
    parser.add_argument("--output", default="analognet2.onnx")
    parser.add_argument("--teachers", type=int, default=2)
    parser.add_argument("--teaching", type=int, default=12, help="epochs of the teachers")
    parser.add_argument("--networks", type=int, default=6, help="how many are trained side by side")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--found", type=float, nargs=3, default=FOUND.tolist())
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)

    counts = Counts(torch.tensor(arguments.found))
    counted = lambda pictures: mnist.in_parts(counts, mnist.levels(pictures))
    pictures, labels = mnist.read(arguments.data, "train")
    features = torch.stack([counted(part) for part in [*mnist.moved(pictures), *mnist.bent(pictures, 8)]])
    chosen = len(pictures) - mnist.CHOOSE
    known, kept = features[:, :chosen].reshape(-1, 36), features[:, chosen:].reshape(-1, 36)
    mean, deviation = known.mean(0), known.std(0) + 1e-3
    labels, kept_labels = labels[:chosen].repeat(len(features)), labels[chosen:].repeat(len(features))
    networks = learnt((known - mean) / deviation, labels, arguments)

    candidates = [networks.dense(network) for network in range(arguments.networks)]
    for dense in candidates:
        mnist.fold(dense[0], mean, deviation)
    right = [(mnist.in_parts(dense, kept).argmax(1) == kept_labels).sum().item() for dense in candidates]
    print(f"of {len(kept)} digits kept back, moved and bent as well, the networks read {right}")
    best = candidates[right.index(max(right))]
    pictures, test_labels = mnist.read(arguments.data, "t10k")
    mnist.report(best, (features[0, chosen:], kept_labels[: mnist.CHOOSE]), (counted(pictures), test_labels))
    mnist.export(AnalogNet2(counts, best), arguments.output)


if __name__ == "__main__":
    main()
