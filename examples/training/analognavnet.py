"""AnalogNavNet: three layers of 2, 1 and 1 kernels of 3×3 with rectifiers, means of 32×32 blocks, a dense layer of 30, and
two heads of 2: whether to turn left or right, and whether to go forwards or to stop.

The pictures come from the example `analognavnet`. First everything is trained at once, with weights on the array that are
multiples of 1/4. Then these are frozen, and the dense layers are trained again, on means as a chip reads them out: rounded,
noisy, and with another gain and offset.
"""

import argparse

import numpy as np
import torch
from torch.nn.functional import avg_pool2d, conv2d, cross_entropy, relu

import mnist

# The value on the array of a white pixel, in DN.
WHITE = 100.0
# Of a chip: standard deviation in DN of what is read out, and of the offset and the gain that all means share.
NOISE, OFFSET, GAIN = 0.8, 1.0, 0.05


class Round(torch.autograd.Function):
    """The nearest multiple of 1/4 of at most 1, as if it were the weight itself."""

    @staticmethod
    def forward(_, weights):
        return torch.clamp(torch.round(weights * 4) / 4, -1, 1)

    @staticmethod
    def backward(_, gradient):
        return gradient


def step(*weights):
    return torch.tensor(weights, dtype=torch.float32) / 4


class Maps(torch.nn.Module):
    """The part on the array, for pictures of numbers from 0 to 1; it begins as grey with edges."""

    def __init__(self):
        super().__init__()
        first = step([[0, 1, 0], [1, 2, 1], [0, 1, 0]], [[1, 2, 1], [0, 0, 0], [-1, -2, -1]])
        second = step([[0, 0, 0], [0, 3, 0], [0, 0, 0]], [[0, 1, 0], [0, 1, 0], [0, 1, 0]])
        third = step([[0, 1, 0], [0, 3, 0], [0, 1, 0]])
        self.weights = torch.nn.ParameterList([torch.nn.Parameter(w) for w in (first[:, None], second[None], third[None])])
        self.rounding = Round.apply

    def forward(self, picture):
        for weights in self.weights:
            picture = relu(conv2d(picture, self.rounding(weights), padding=1))
        return avg_pool2d(picture, 32, count_include_pad=False).flatten(1)

    def freeze(self):
        self.weights = torch.nn.ParameterList(
            [torch.nn.Parameter(Round.apply(weights.detach()), requires_grad=False) for weights in self.weights]
        )
        self.rounding = torch.nn.Identity()


class Heads(torch.nn.Module):
    """The part on the controller: the scores of left and right, and of forwards and stop."""

    def __init__(self):
        super().__init__()
        self.hidden, self.turn, self.go = torch.nn.Linear(64, 30), torch.nn.Linear(30, 2), torch.nn.Linear(30, 2)

    def forward(self, means):
        hidden = relu(self.hidden(means))
        return self.turn(hidden), self.go(hidden)


class AnalogNavNet(torch.nn.Module):
    def __init__(self, maps, heads):
        super().__init__()
        self.maps, self.heads = maps, heads
        # The imported layers have these names, and so have the results of the function.
        self.turn, self.go = torch.nn.Softmax(1), torch.nn.Softmax(1)

    def forward(self, picture):
        turn, go = self.heads(self.maps(picture))
        return self.turn(turn), self.go(go)


def read(folder):
    """Pictures as bytes, and for each the classes of both heads: right rather than left, and stop rather than forwards."""
    pictures, right, stop = (
        mnist.idx(folder, f"{name}-ubyte", head)
        for name, head in (("images-idx3", 16), ("right-idx1", 8), ("stop-idx1", 8))
    )
    labels = torch.tensor(np.stack([right, stop]).astype(np.int64))
    return torch.tensor(pictures.reshape(-1, 1, 256, 256)), labels


def loss_of(scores, labels):
    return sum(cross_entropy(score, label) for score, label in zip(scores, labels))


def train_maps(maps, pictures, labels, epochs, rate=1e-2, batch=32):
    """Trains everything at once; of the dense layers nothing is kept."""
    dense = torch.nn.Sequential(torch.nn.BatchNorm1d(64), Heads())
    optimizer = torch.optim.Adam([{"params": dense.parameters()}, {"params": maps.parameters(), "lr": rate / 4}], rate)
    steps = epochs * (len(pictures) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, [rate, rate / 4], total_steps=steps)
    for _ in range(epochs):
        order, total = torch.randperm(len(pictures)), 0.0
        for i in range(0, len(pictures) - batch + 1, batch):
            chosen = order[i : i + batch]
            means = maps(pictures[chosen].float() / 255)
            means = means + torch.randn(means.shape) * NOISE / WHITE
            loss = loss_of(dense(means), labels[:, chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * batch / len(pictures)
        print(f"all layers: loss {total:.3f}", flush=True)


def read_out(means):
    """Means as a chip has them: with another gain and offset, noisy and rounded."""
    gain = 1 + GAIN * torch.randn(len(means), 1)
    offset = OFFSET * torch.randn(len(means), 1)
    return torch.round(WHITE * means * gain + offset + NOISE * torch.randn(means.shape)) / WHITE


def train_heads(heads, means, labels, epochs, rate=5e-3, batch=500):
    """Trains the dense layers on means as they are read out."""
    mean, deviation = means.mean(0), means.std(0) + 1 / WHITE
    optimizer = torch.optim.AdamW(heads.parameters(), rate, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=epochs * (len(means) // batch))
    for _ in range(epochs):
        order = torch.randperm(len(means))
        for i in range(0, len(means) - batch + 1, batch):
            chosen = order[i : i + batch]
            loss = loss_of(heads((read_out(means[chosen]) - mean) / deviation), labels[:, chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    mnist.fold(heads.hidden, mean, deviation)


def means_of(maps, pictures):
    return mnist.in_parts(lambda part: maps(part.float() / 255), pictures, 50)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, help="the folder with pictures for training")
    parser.add_argument("--kept", required=True, help="the folder with pictures to validate with")
    parser.add_argument("--output", default="analognavnet.onnx")
    parser.add_argument("--epochs", type=int, default=4, help="of all layers")
    parser.add_argument("--pictures", type=int, default=1500, help="for training of all layers")
    parser.add_argument("--head-epochs", type=int, default=120, help="of the dense layers")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)

    pictures, labels = read(arguments.data)
    maps = Maps()
    train_maps(maps, pictures[: arguments.pictures], labels[:, : arguments.pictures], arguments.epochs)
    maps.freeze()
    for weights in maps.weights:
        print((weights * 4).int().tolist())

    # Kernels are not symmetric: a mirrored picture has other means.
    right, stop = labels
    known = torch.cat([means_of(maps, pictures), means_of(maps, pictures.flip(3))])
    heads = Heads()
    train_heads(heads, known, torch.cat([labels, torch.stack([1 - right, stop])], 1), arguments.head_epochs)

    pictures, labels = read(arguments.kept)
    means = means_of(maps, pictures)
    for name, means in (("exact", means), ("as read out", read_out(means))):
        with torch.no_grad():
            right = [(score.argmax(1) == label).float().mean().item() for score, label in zip(heads(means), labels)]
        print(f"means {name}: {right[0]:.4f} of left or right, {right[1]:.4f} of forwards or stop")
    mnist.export(AnalogNavNet(maps, heads), arguments.output, (256, 256), ["turn", "go"])


if __name__ == "__main__":
    main()
