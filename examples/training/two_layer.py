"""Two layers on the array: 4 maps, ReLU, 2×2 max-pooling, 8 maps of 4 inputs, thresholds, counts in windows of 7×7, and
dense layers 32-50-10.

Weights on the array are multiples of 1/4. They and the thresholds are trained with straight-through estimators; then the
dense layers are trained again, on the counts of the digits and of the digits moved by one pixel.
"""

import argparse

import torch
from torch.nn.functional import conv2d, cross_entropy, max_pool2d, relu

import mnist

# The value on the array of a white pixel, in DN; black is 0, like the padding.
WHITE = 60.0


class Round(torch.autograd.Function):
    """The nearest multiple of 1/4 of at most 3/4, as if it were the weight itself."""

    @staticmethod
    def forward(_, weights):
        return torch.clamp(torch.round(weights * 4) / 4, -0.75, 0.75)

    @staticmethod
    def backward(_, gradient):
        return gradient


class Above(torch.autograd.Function):
    """Whether something is above 0, as if it were a soft step."""

    @staticmethod
    def forward(context, distance):
        context.save_for_backward(distance)
        return (distance > 0).float()

    @staticmethod
    def backward(context, gradient):
        (distance,) = context.saved_tensors
        soft = torch.sigmoid(2 * distance)
        return gradient * 2 * soft * (1 - soft)


class Trained(torch.nn.Module):
    """The part on the array while it is trained, for pictures of zeros and ones."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Parameter(torch.randn(4, 1, 3, 3) * 0.35)
        self.second = torch.nn.Parameter(torch.randn(8, 4, 3, 3) * 0.25)
        self.thresholds = torch.nn.Parameter(torch.rand(8, 1, 1))

    def forward(self, picture):
        maps = max_pool2d(relu(conv2d(picture, Round.apply(self.first), padding=1)), 2)
        distance = conv2d(maps, Round.apply(self.second), padding=1) - self.thresholds
        return torch.nn.functional.avg_pool2d(Above.apply(distance), 7).flatten(1) * 49


class Counts(torch.nn.Module):
    """The part on the array, for pictures in DN, with thresholds at half a step."""

    def __init__(self, trained):
        super().__init__()
        self.register_buffer("first", Round.apply(trained.first.detach()))
        self.register_buffer("second", Round.apply(trained.second.detach()))
        steps = torch.floor(trained.thresholds.detach() * 16) + 0.5
        self.register_buffer("thresholds", steps / 16 * WHITE)

    def forward(self, picture):
        maps = max_pool2d(relu(conv2d(picture, self.first, padding=1)), 2)
        bits = (conv2d(maps, self.second, padding=1) > self.thresholds).float()
        windows = [bits[:, :, r : r + 7, c : c + 7] for r in (0, 7) for c in (0, 7)]
        return torch.stack([window.sum((2, 3)) for window in windows], 2).flatten(1)


class TwoLayer(torch.nn.Module):
    def __init__(self, counts, dense):
        super().__init__()
        self.counts, self.dense = counts, dense

    def forward(self, picture):
        return self.dense(self.counts(picture))


def dense_layers():
    return torch.nn.Sequential(torch.nn.Linear(32, 50), torch.nn.ReLU(), torch.nn.Linear(50, 10))


def binary(pictures):
    return (torch.tensor(pictures >= mnist.HALF).float())[:, None]


def train(trained, dense, pictures, labels, epochs, rate=5e-3, batch=250):
    parameters = [*trained.parameters(), *dense.parameters()]
    optimizer = torch.optim.Adam(parameters, rate)
    steps, step = epochs * (len(pictures) // batch), 0
    for _ in range(epochs):
        order = torch.randperm(len(pictures))
        for i in range(0, len(pictures) - batch + 1, batch):
            for group in optimizer.param_groups:
                group["lr"] = rate * (1 - step / steps) + 1e-4
            step += 1
            chosen = order[i : i + batch]
            loss = cross_entropy(dense((trained(pictures[chosen]) - 15) / 10), labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, help="the folder with the files of MNIST")
    parser.add_argument("--output", default="two_layer.onnx")
    parser.add_argument("--epochs", type=int, default=6, help="of the layers on the array")
    parser.add_argument("--dense-epochs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)

    pictures, labels = mnist.read(arguments.data, "train")
    chosen = len(pictures) - mnist.CHOOSE
    trained = Trained()
    train(trained, dense_layers(), binary(pictures[:chosen]), labels[:chosen], arguments.epochs)

    counts = Counts(trained)
    features = [mnist.in_parts(counts, binary(part) * WHITE) for part in mnist.moved(pictures)]
    dense = dense_layers()
    mnist.train_on_counts(dense, [part[:chosen] for part in features], labels[:chosen], arguments.dense_epochs)

    pictures, test_labels = mnist.read(arguments.data, "t10k")
    test = mnist.in_parts(counts, binary(pictures) * WHITE)
    mnist.report(dense, (features[0][chosen:], labels[chosen:]), (test, test_labels))
    mnist.export(TwoLayer(counts, dense), arguments.output)


if __name__ == "__main__":
    main()
