"""Trains an in-pixel network of three layers on digits: 16 binary filters, maxima, 256 binary filters that make 16 maps, and
a ternary dense layer.

python3 three_layers.py --data DIR [--epochs N] [--seed S] [--noise SD SD] [--out FILE]

What is computed is what the array computes, in whole numbers; `docs/in_pixel.md` describes it. Weights are real numbers in
training and rounded in every forward pass; gradients pass through the rounding, and through the thresholds as if numbers rose
evenly between them. The network learns what a larger one without rounding, trained first, says of each digit. Half of every
batch is seen with the errors of a chip: transfers lose a little of what was summed up before, and every sum is off by noise.

Needs PyTorch. One thread, so that the same seed gives the same weights.
"""

import argparse
import gzip
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

# Of the 60,000 digits for training, the last are kept back to choose among epochs.
KEPT = 5000
FULL = 3  # the largest pixel
GRID, MARGIN = 32, 3  # pixels along each side of the array, and those before the picture
TAPS = 4
MAPS = 16
CLASSES = 10
# The first threshold of each convolution, and the distance to the next ones.
THRESHOLDS = [(4, 6), (9, 16)]
COUNT = 3
# What a transfer of 1 DN arrives as on the chip.
GAIN = 0.9928
SHARPNESS = 0.04
TEMPERATURE = 2.0
# The share of the loss that is the distance to the larger network.
DISTILLED = 0.9


def read(folder, part):
    """Greys from 0 to 255 and labels; `part` is `train` or `t10k`."""

    def idx(name, head):
        path = os.path.join(folder, f"{part}-{name}-ubyte")
        with open(path, "rb") if os.path.exists(path) else gzip.open(path + ".gz", "rb") as file:
            return np.frombuffer(file.read(), np.uint8)[head:]

    labels = idx("labels-idx1", 8)
    return idx("images-idx3", 16).reshape(len(labels), 28, 28), labels.astype(np.int64)


def pixels(greys):
    return np.round(greys / 255 * FULL).astype(np.float32)


def moved(pictures, rng):
    """Each picture moved by up to a pixel along each axis, and by which of the nine ways."""
    padded = np.pad(pictures, ((0, 0), (1, 1), (1, 1)))
    rows, columns = rng.integers(0, 3, (2, len(pictures)))
    result = np.empty_like(pictures)
    for row in range(3):
        for column in range(3):
            chosen = (rows == row) & (columns == column)
            result[chosen] = padded[chosen, row : row + 28, column : column + 28]
    return result, 3 * rows + columns


def teacher(greys, labels, seed, epochs=8, batch=128):
    """What a larger network says of every digit, moved in each of the nine ways."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = nn.Sequential(
        nn.Conv2d(1, 24, 5, padding=2), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 48, 5, padding=2), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.4), nn.Linear(48 * 49, 128), nn.BatchNorm1d(128), nn.ReLU(),
        nn.Dropout(0.4), nn.Linear(128, CLASSES),
    )
    pictures = torch.from_numpy((greys / 255).astype(np.float32)[:, None])

    def shifted(pictures, row, column):
        return F.pad(pictures, (1, 1, 1, 1))[:, :, row : row + 28, column : column + 28]

    optimizer = torch.optim.Adam(network.parameters(), 2e-3)
    steps, count = len(pictures) // batch * epochs, 0
    for epoch in range(epochs):
        network.train()
        order = rng.permutation(len(pictures))
        for i in range(0, len(pictures) - batch + 1, batch):
            for group in optimizer.param_groups:
                group["lr"] = 2e-3 * 0.5 * (1 + math.cos(math.pi * count / steps)) + 1e-6
            row, column = (rng.integers(-1, 2, 2) + 1).tolist()
            chosen = order[i : i + batch]
            loss = F.cross_entropy(network(shifted(pictures[chosen], row, column)), torch.from_numpy(labels[chosen]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            count += 1
        print(f"larger network, {epoch + 1:2}: loss {loss.item():.4f}", flush=True)
    network.eval()
    with torch.no_grad():
        ways = [
            torch.cat([network(shifted(pictures[i : i + 500], way // 3, way % 3)) for i in range(0, len(pictures), 500)])
            for way in range(9)
        ]
    return torch.stack(ways).numpy()


def through(rounded, real):
    """The rounded value with the gradient of the real one."""
    return real + (rounded - real).detach()


def binary(real):
    return through(torch.where(real >= 0, 1.0, -1.0), real.clamp(-1, 1))


def ternary(real):
    return through(real.round().clamp(-1, 1), real.clamp(-1.5, 1.5))


def reached(sums, first, distance):
    """How many thresholds sums reach."""
    real = ((sums - first) / distance + 0.5).clamp(0, COUNT)
    return through(torch.floor((sums - first) / distance + 1).clamp(0, COUNT), real)


def on_chip(real, later):
    """Binary weights as the chip has them: what is added early is passed on more often, twice for each weight that follows
    and `later` times after them, and loses more."""
    weights = binary(real)
    following = torch.arange(TAPS * TAPS - 1, -1, -1).reshape(1, 1, TAPS, TAPS)
    transfers = 2.0 * following + 4 + later + torch.where(weights.detach() > 0, 1.0, 0.0)
    return weights * GAIN**transfers


def results(pictures, filters, next_filters, noise=(0, 0)):
    """The results of the second convolution."""
    sums = F.conv2d(pictures, filters)[:, :, :GRID, :GRID]
    sums = sums + noise[0] * torch.randn_like(sums) if noise[0] else sums
    maxima = F.max_pool2d(reached(sums, *THRESHOLDS[0]), 2)
    sums = F.conv2d(F.pad(maxima, (0, TAPS - 1, 0, TAPS - 1)), next_filters)
    sums = sums + noise[1] * torch.randn_like(sums) if noise[1] else sums
    return reached(sums, *THRESHOLDS[1])


def scores(weights, pictures, on_a_chip, noise=(0, 0)):
    """The scores of pictures; so many of the last ones as a chip finds them."""
    after = GRID + TAPS - 1 - MARGIN - pictures.shape[-1]
    pictures = F.pad(pictures[:, None], (MARGIN, after, MARGIN, after))
    exact = len(pictures) - on_a_chip
    parts = []
    if exact:
        parts.append(results(pictures[:exact], binary(weights["first"]), binary(weights["next"])))
    if on_a_chip:
        # Sums of groups pass through eight more transfers.
        chip = on_chip(weights["first"], 0), on_chip(weights["next"], 8)
        parts.append(results(pictures[exact:], *chip, noise))
    return torch.cat(parts).flatten(1) @ ternary(weights["dense"])


def right(weights, pictures, labels, on_a_chip, noise):
    """How many digits are read."""
    with torch.no_grad():
        found = [
            scores(weights, torch.from_numpy(pictures[i : i + 500]), 500 if on_a_chip else 0, noise).argmax(1).numpy()
            for i in range(0, len(pictures), 500)
        ]
    return int((np.concatenate(found) == labels).sum())


def train(arguments):
    torch.set_num_threads(1)
    greys, labels = read(arguments.data, "train")
    test, test_labels = read(arguments.data, "t10k")
    told = teacher(greys[:-KEPT], labels[:-KEPT], arguments.seed + 6)
    torch.manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    pictures = pixels(greys)
    kept = pictures[-KEPT:], labels[-KEPT:]
    pictures, labels = pictures[:-KEPT], labels[:-KEPT]
    weights = {
        "first": torch.empty(MAPS, 1, TAPS, TAPS).uniform_(-1, 1),
        "next": torch.empty(MAPS, MAPS, TAPS, TAPS).uniform_(-1, 1),
        "dense": torch.empty(MAPS * (GRID // 2) ** 2, CLASSES).uniform_(-0.8, 0.8),
    }
    for values in weights.values():
        values.requires_grad_(True)
    optimizer = torch.optim.Adam(weights.values(), lr=arguments.rate)
    steps, count, best = len(pictures) // arguments.batch * arguments.epochs, 0, -1
    for epoch in range(arguments.epochs):
        begun, total = time.time(), 0.0
        shown, ways = moved(pictures, rng)
        order = rng.permutation(len(shown))
        for i in range(0, len(shown) - arguments.batch + 1, arguments.batch):
            chosen = order[i : i + arguments.batch]
            for group in optimizer.param_groups:
                group["lr"] = arguments.rate * 0.5 * (1 + math.cos(math.pi * count / steps)) + 1e-5
            half = arguments.batch - arguments.batch // 2
            found = SHARPNESS * scores(weights, torch.from_numpy(shown[chosen]), half, arguments.noise)
            likely = F.softmax(torch.from_numpy(told[ways[chosen], chosen]) / TEMPERATURE, 1)
            distance = F.kl_div(F.log_softmax(found / TEMPERATURE, 1), likely, reduction="batchmean")
            loss = (1 - DISTILLED) * F.cross_entropy(found, torch.from_numpy(labels[chosen]))
            loss = loss + DISTILLED * TEMPERATURE**2 * distance
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            count += 1
            total += loss.item()
            with torch.no_grad():
                for values in weights.values():
                    values.clamp_(-1.5, 1.5)
        exact, chip = (right(weights, *kept, on_a_chip, arguments.noise) for on_a_chip in (False, True))
        print(f"{epoch + 1:3} loss {total * arguments.batch / len(shown):.4f} kept {exact} and {chip} of {KEPT}",
              f"{time.time() - begun:.0f} s", flush=True)
        if exact + chip >= best:
            best = exact + chip
            save(weights, arguments.out)
    print(f"test {right(weights, pixels(test), test_labels, False, (0, 0))} of {len(test)} in the last epoch")


def save(weights, path):
    """One weight a letter, `-`, `0` or `+`: a line for each filter of both convolutions, then one for each result with its
    classes."""
    letters = lambda values: "".join("-0+"[int(value) + 1] for value in values)
    with torch.no_grad():
        rows = [binary(weights[name]).flatten(-2).reshape(-1, TAPS * TAPS) for name in ("first", "next")]
        rows.append(ternary(weights["dense"]))
    with open(path, "w") as file:
        file.writelines(letters(row) + "\n" for part in rows for row in part)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--epochs", type=int, default=32)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--rate", type=float, default=1e-2)
    parser.add_argument("--noise", type=float, nargs=2, default=[0.4, 2.5],
                        help="standard deviation of the sums of each convolution, in pixels of 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="three_layers.txt")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
