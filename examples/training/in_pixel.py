"""Trains an in-pixel network of two layers on binary digits: binary filters, maxima, and a ternary dense layer.

python3 in_pixel.py --data DIR [--epochs N] [--seed S] [--noise SD] [--refine FILE] [--out FILE]

What is computed is what the array computes, in whole numbers; `docs/in_pixel.md` describes it. Weights are real numbers in
training and rounded in every forward pass; gradients pass through the rounding.
"""

import argparse
import gzip
import os
import time

import jax
import jax.numpy as jnp
import numpy as np

# Of the 60,000 digits for training, the last are kept back to choose among epochs.
CHOOSE = 5000
# Pixels of at least half the grey are ink.
HALF = 128
TAPS = 4
POOL = 4
CLASSES = 10


def read(folder, part):
    """Binary pictures and their labels; `part` is `train` or `t10k`."""

    def idx(name, head):
        path = os.path.join(folder, name)
        with open(path, "rb") if os.path.exists(path) else gzip.open(path + ".gz", "rb") as file:
            return np.frombuffer(file.read(), np.uint8)[head:]

    labels = idx(f"{part}-labels-idx1-ubyte", 8)
    pictures = idx(f"{part}-images-idx3-ubyte", 16).reshape(len(labels), 28, 28)
    return (pictures >= HALF).astype(np.float32), labels.astype(np.int32)


def moved(pictures, rng, most=1):
    """Each picture moved by up to `most` pixels along each axis."""
    padded = np.pad(pictures, ((0, 0), (most, most), (most, most)))
    rows, columns = rng.integers(0, 2 * most + 1, (2, len(pictures)))
    result = np.empty_like(pictures)
    for row in range(2 * most + 1):
        for column in range(2 * most + 1):
            chosen = (rows == row) & (columns == column)
            result[chosen] = padded[chosen, row : row + 28, column : column + 28]
    return result


def through(rounded, real):
    """The rounded value with the gradient of the real one."""
    return real + jax.lax.stop_gradient(rounded - real)


def binary(real):
    clipped = jnp.clip(real, -1, 1)
    return through(jnp.where(real >= 0, 1.0, -1.0), clipped)


def ternary(real):
    clipped = jnp.clip(real, -1.5, 1.5)
    return through(jnp.clip(jnp.round(real), -1, 1), clipped)


def in_blocks(pictures, block, scale):
    """Pictures `scale` times as large in square blocks, 3 PEs from the north and the west border."""
    large = jnp.repeat(jnp.repeat(pictures, scale, 1), scale, 2)
    after = block - (TAPS - 1) - 28 * scale
    return jnp.pad(large, ((0, 0), (TAPS - 1, after), (TAPS - 1, after)))


def patches(maps):
    """The taps of every pixel, to the east and the south; 0 beyond the block."""
    side = maps.shape[1]
    padded = jnp.pad(maps, ((0, 0), (0, TAPS - 1), (0, TAPS - 1)))
    shifted = [padded[:, row : row + side, column : column + side] for row in range(TAPS) for column in range(TAPS)]
    return jnp.stack(shifted, -1)


def inside(block, along):
    """Which results of which filter are kept: those whose taps do not leave the array in the east or the south."""
    place = np.arange(block)
    fits = place <= block - TAPS
    rows = fits[None, :] | (np.arange(along)[:, None] < along - 1)
    both = rows[:, None, :, None] & rows[None, :, None, :]
    return jnp.asarray(both.reshape(along * along, block, block).transpose(1, 2, 0), jnp.float32)


def features(filters, pictures, block, scale, noise, key):
    """The maxima of each map."""
    sums = patches(in_blocks(pictures, block, scale)) @ filters.T
    if noise:
        sums = sums + noise * jax.random.normal(key, sums.shape)
    sums = sums * inside(block, 256 // block)
    cells = block // POOL
    maxima = sums.reshape(-1, cells, POOL, cells, POOL, filters.shape[0]).max((2, 4))
    return jnp.maximum(maxima, 0)


def scores(weights, pictures, noise=0.0, key=None):
    """Two layers: the sums of each class, in whole numbers."""
    maxima = features(binary(weights["filters"]), pictures, 32, 1, noise, key)
    return maxima.reshape(len(pictures), -1) @ ternary(weights["dense"])


def start(rng):
    filters = rng.uniform(-1, 1, (64, TAPS * TAPS))
    dense = rng.uniform(-0.8, 0.8, (8 * 8 * 64, CLASSES))
    return {"filters": jnp.asarray(filters, jnp.float32), "dense": jnp.asarray(dense, jnp.float32)}


def right(forward, weights, pictures, labels, size=500):
    found = [np.argmax(forward(weights, pictures[i : i + size]), 1) for i in range(0, len(pictures), size)]
    return int((np.concatenate(found) == labels).sum())


def train(arguments):
    rng = np.random.default_rng(arguments.seed)
    pictures, labels = read(arguments.data, "train")
    test = read(arguments.data, "t10k")
    held = pictures[-CHOOSE:], labels[-CHOOSE:]
    pictures, labels = pictures[:-CHOOSE], labels[:-CHOOSE]
    weights = start(rng)
    forward = jax.jit(scores)
    steps = len(pictures) // arguments.batch * arguments.epochs

    @jax.jit
    def step(weights, moments, count, chosen, labels, key):
        def loss(weights):
            logits = scores(weights, chosen, arguments.noise, key) * arguments.sharpness
            margins = jax.nn.log_softmax(logits)
            return -jnp.take_along_axis(margins, labels[:, None], 1).mean()

        value, slopes = jax.value_and_grad(loss)(weights)
        rate = arguments.rate * 0.5 * (1 + jnp.cos(jnp.pi * count / steps)) + 1e-5
        means = jax.tree.map(lambda m, s: 0.9 * m + 0.1 * s, moments[0], slopes)
        squares = jax.tree.map(lambda m, s: 0.999 * m + 0.001 * s * s, moments[1], slopes)
        scale = jnp.sqrt(1 - 0.999 ** (count + 1)) / (1 - 0.9 ** (count + 1))
        update = lambda w, m, s: jnp.clip(w - rate * scale * m / (jnp.sqrt(s) + 1e-8), -1.5, 1.5)
        return jax.tree.map(update, weights, means, squares), (means, squares), value

    zeros = jax.tree.map(jnp.zeros_like, weights)
    moments, count, best = (zeros, zeros), 0, -1
    key = jax.random.key(arguments.seed)
    for epoch in range(arguments.epochs):
        begun, total = time.time(), 0.0
        shown = moved(pictures, rng)
        order = rng.permutation(len(shown))
        for i in range(0, len(shown) - arguments.batch + 1, arguments.batch):
            chosen = order[i : i + arguments.batch]
            key, own = jax.random.split(key)
            weights, moments, value = step(weights, moments, count, shown[chosen], labels[chosen], own)
            count += 1
            total += float(value)
        chosen = right(forward, weights, *held)
        print(f"{epoch + 1:3} loss {total * arguments.batch / len(shown):.4f} held {chosen} of {CHOOSE}",
              f"{time.time() - begun:.0f} s", flush=True)
        if chosen >= best:
            best = chosen
            save(weights, arguments.out)
    print(f"test {right(forward, weights, *test)} of {len(test[1])} in the last epoch")


def refine(arguments):
    """Trains the dense layer of a file on, for the filters that it has: features are computed once."""
    rng = np.random.default_rng(arguments.seed)
    pictures, labels = read(arguments.data, "train")
    lines = open(arguments.refine).read().split()
    numbers = [["-0+".index(letter) - 1 for letter in line] for line in lines]
    filters = jnp.asarray(numbers[:64], jnp.float32)
    dense = np.asarray(numbers[64:], np.float32).reshape(64, 8, 8, CLASSES).transpose(1, 2, 0, 3).reshape(-1, CLASSES)
    see = jax.jit(lambda ink: features(filters, ink, 32, 1, 0.0, None).reshape(len(ink), -1).astype(jnp.uint8))
    shown = np.concatenate([pictures[:-CHOOSE], moved(pictures[:-CHOOSE], rng)])
    seen = np.concatenate([see(part) for part in np.array_split(shown, len(shown) // 500)])
    held = np.concatenate([see(part) for part in np.array_split(pictures[-CHOOSE:], 10)]).astype(np.float32)
    targets = np.tile(labels[:-CHOOSE], 2)

    @jax.jit
    def step(weights, means, squares, count, rate, chosen, labels):
        def loss(weights):
            margins = jax.nn.log_softmax(chosen.astype(jnp.float32) @ ternary(weights) * arguments.sharpness)
            return -jnp.take_along_axis(margins, labels[:, None], 1).mean()

        slopes = jax.grad(loss)(weights)
        means, squares = 0.9 * means + 0.1 * slopes, 0.999 * squares + 0.001 * slopes * slopes
        scale = jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        return jnp.clip(weights - rate * scale * means / (jnp.sqrt(squares) + 1e-8), -1.5, 1.5), means, squares

    weights = jnp.asarray(dense * 0.8)
    means = squares = jnp.zeros_like(weights)
    count, best = 0, -1
    for epoch in range(arguments.epochs):
        rate = arguments.rate * 0.5 * (1 + np.cos(np.pi * epoch / arguments.epochs))
        order = rng.permutation(len(seen))
        for chosen in np.array_split(order, len(order) // 500):
            count += 1
            weights, means, squares = step(weights, means, squares, count, rate, seen[chosen], targets[chosen])
        right = int(((held @ np.asarray(ternary(weights))).argmax(1) == labels[-CHOOSE:]).sum())
        print(f"{epoch + 1:3} held {right} of {CHOOSE}", flush=True)
        if right >= best:
            best = right
            save({"filters": filters, "dense": weights}, arguments.out)


def save(weights, path):
    """One weight a letter, `-`, `0` or `+`: a line for each filter, then one for each maximum with its classes."""
    letters = lambda values: "".join("-0+"[int(value) + 1] for value in values)
    filters = np.asarray(binary(weights["filters"]))
    dense = np.asarray(ternary(weights["dense"]))
    # Maxima in order of their map, row and column.
    dense = dense.reshape(8, 8, 64, CLASSES).transpose(2, 0, 1, 3).reshape(-1, CLASSES)
    lines = [letters(values) for values in filters] + [letters(values) for values in dense]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--rate", type=float, default=5e-3)
    parser.add_argument("--sharpness", type=float, default=0.01)
    parser.add_argument("--noise", type=float, default=0.0, help="standard deviation of every sum")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--refine", metavar="FILE", help="train the dense layer of this file on, and nothing else")
    parser.add_argument("--out", default="two_layers.txt")
    arguments = parser.parse_args()
    refine(arguments) if arguments.refine else train(arguments)


if __name__ == "__main__":
    main()
