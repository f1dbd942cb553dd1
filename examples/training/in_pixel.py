"""Trains an in-pixel network of two layers on digits: binary filters, maxima, and a ternary dense layer.

python3 in_pixel.py --data DIR [--binarise GREY[,GREY] | --bits 2] [--epochs N] [--seed S] [--noise SD] [--out FILE]

What is computed is what the array computes, in whole numbers; `docs/in_pixel.md` describes it. Weights are real numbers in
training and rounded in every forward pass; gradients pass through the rounding. FILE.npz keeps the real ones, from which
`--start` goes on. With two greys for `--binarise`, filters in the western half of the array see ink from the lower one on, and
those in the eastern half from the higher one on. With `--noise`, half of every batch is seen with the errors of a chip: transfers lose a little of what was
summed up before, and every sum is off by that much.
"""

import argparse
import ctypes
import gzip
import os
import time

# Memory that is freed stays with the process: getting it anew from the system takes as long as the computation.
for parameter, value in ((-4, 0), (-1, 1 << 30)):  # M_MMAP_MAX, M_TRIM_THRESHOLD
    getattr(ctypes.CDLL(None), "mallopt", lambda *_: 0)(parameter, value)

import jax
import jax.numpy as jnp
import numpy as np

# Of the 60,000 digits for training, the last are kept back to choose among epochs.
CHOOSE = 5000
TAPS = 4
POOL = 4
CLASSES = 10
BLOCK = 32
CELLS = BLOCK // POOL
FILTERS = 64
# Blocks along each side of the array.
ALONG = round(FILTERS**0.5)
# The PEs of a pooling window.
PLACES = [(row, column) for row in range(POOL) for column in range(POOL)]

# What a transfer of 1 DN arrives as on the chip, and the order in which the program adds up the pixels of a filter.
GAIN = 0.9928
ORDER = [1, 2, 5, 3, 6, 7, 10, 11, 15, 0, 4, 8, 9, 12, 13, 14]
# Half a step of the converter, in scores of full ink: 4096 DN are a step, 12 DN full ink, and a product counts 16 times.
HALF_STEP = 4096 / (16 * 12 / 2) / 2
# The share of windows that see ink differs from batch to batch by less than this.
SPREAD = 0.06


class Pixels:
    """What becomes of greys, and what filters see of it."""

    def __init__(self, bits, binarise):
        self.bits, self.least = bits, binarise
        western = np.arange(FILTERS) % ALONG < ALONG // 2
        # Filters that see the same, and the order of all after these have been put side by side.
        self.groups = [np.flatnonzero(western), np.flatnonzero(~western)] if len(binarise) == 2 else [np.arange(FILTERS)]
        self.order = np.argsort(np.concatenate(self.groups))

    def full(self):
        """What is seen of a pixel of full ink."""
        return 2**self.bits - 1

    def of(self, greys):
        if self.bits > 1:
            return np.round(greys / 255 * self.full())
        return sum((greys >= least).astype(np.float32) for least in self.least)

    def by_group(self, filters, pixels, results):
        """For each group `results` of its filters and of what these see of pixels; of all filters, in their order."""
        sees = lambda number: (pixels > number).astype(jnp.float32) if self.bits == 1 else pixels
        found = [results(filters[group], sees(number), number) for number, group in enumerate(self.groups)]
        return jnp.concatenate(found, -1)[:, self.order]


def read(folder, part, pixels):
    """Pictures and their labels; `part` is `train` or `t10k`."""

    def idx(name, head):
        path = os.path.join(folder, name)
        with open(path, "rb") if os.path.exists(path) else gzip.open(path + ".gz", "rb") as file:
            return np.frombuffer(file.read(), np.uint8)[head:]

    labels = idx(f"{part}-labels-idx1-ubyte", 8)
    pictures = idx(f"{part}-images-idx3-ubyte", 16).reshape(len(labels), 28, 28)
    return pixels.of(pictures).astype(np.float32), labels.astype(np.int32)


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


def seen(pictures):
    """For each pooling window the pixels that its filters see, 7 by 7; 0 beyond the block."""
    margin = TAPS - 1
    after = BLOCK + POOL - margin - pictures.shape[1]
    parts = jnp.pad(pictures, ((0, 0), (margin, after), (margin, after))).reshape(-1, CELLS + 1, POOL, CELLS + 1, POOL)
    parts = jnp.concatenate([parts[:, :-1], parts[:, 1:, :margin]], 2)
    parts = jnp.concatenate([parts[:, :, :, :-1], parts[:, :, :, 1:, :margin]], 4)
    return parts.transpose(0, 1, 3, 2, 4).reshape(-1, POOL + margin, POOL + margin)


def inside(row, column):
    """Which windows of which filter keep their result there: those whose taps do not leave the array."""
    within = lambda at: BLOCK * np.arange(ALONG) + POOL * np.arange(CELLS)[:, None] + at + TAPS <= BLOCK * ALONG
    both = within(row)[:, None, :, None] & within(column)[None, :, None, :]
    return jnp.asarray(both.reshape(CELLS * CELLS, FILTERS), jnp.float32)


def taps_at(parts, place):
    """The pixels of all taps in one PE of each window."""
    row, column = PLACES[place]
    return parts[:, row : row + TAPS, column : column + TAPS].reshape(-1, TAPS * TAPS)


@jax.custom_vjp
def maxima(filters, parts, noise):
    """The largest result of each filter in each window, or 0: the gradient goes to the largest one alone."""
    return maxima_forward(filters, parts, noise)[0]


def maxima_forward(filters, parts, noise):
    largest = jnp.zeros((len(parts), len(filters)))
    where = jnp.full(largest.shape, len(PLACES), jnp.uint8)
    for place in range(len(PLACES)):
        found = taps_at(parts, place) @ filters.T
        if noise is not None:
            values, first = noise
            own = jax.lax.dynamic_slice(values, (first + place * found.size,), (found.size,))
            found = found + own.reshape(found.shape)
        where = jnp.where(found > largest, jnp.uint8(place), where)
        largest = jnp.maximum(largest, found)
    return largest, (parts, where)


def maxima_backward(kept, slopes):
    parts, where = kept
    total = 0
    for place in range(len(PLACES)):
        total = total + jnp.where(where == place, slopes, 0).T @ taps_at(parts, place)
    return total, None, None


maxima.defvjp(maxima_forward, maxima_backward)


def on_chip(real):
    """Binary filters as the chip has them: what is added early is passed on more often, and loses more."""
    sign = binary(real)[:, jnp.asarray(ORDER)]
    # Twice for each pixel that comes later; three times, or four with the weight -1, until it is in the sum.
    transfers = 2 * np.arange(TAPS * TAPS)[::-1] + jnp.where(sign > 0, 3, 4)
    weights = sign * GAIN**transfers
    return through(weights[:, np.argsort(ORDER)], jnp.clip(real, -1, 1))


def features(filters, pictures, pixels, share, noise=None):
    """The maxima of all filters, window by window, for training: of windows that see ink, at most that share of them."""
    parts = seen(pictures)
    alive = jnp.argsort(~parts.any((1, 2)))[: round(share * len(parts))]

    def largest(filters, seen, group):
        # Every group has another part of the noise.
        return maxima(filters, seen, None if noise is None else (noise[0], noise[1] + 1000 * group))

    found = pixels.by_group(filters, parts[alive] / pixels.full(), largest)
    return jnp.zeros((len(parts), len(filters))).at[alive].set(found).reshape(len(pictures), -1)


def scores(weights, pictures, pixels):
    """Two layers: the sums of each class, in whole numbers."""
    filters, parts = binary(weights["filters"]), seen(pictures)
    largest = jnp.zeros((len(parts), len(filters)))
    for place, (row, column) in enumerate(PLACES):
        found = pixels.by_group(filters, parts, lambda filters, seen, _: taps_at(seen, place) @ filters.T)
        found = found.reshape(-1, CELLS * CELLS, FILTERS) * inside(row, column)
        largest = jnp.maximum(largest, found.reshape(largest.shape))
    return largest.reshape(len(pictures), -1) @ ternary(weights["dense"])


def codes(weights, pictures, pixels):
    """What the converter makes of the scores."""
    return jnp.clip(jnp.floor(scores(weights, pictures, pixels) / (2 * HALF_STEP * pixels.full()) + 128.5), 0, 255)


def scores_in_training(weights, pictures, pixels, share, noise):
    """The scores; with noise, half of them have the errors of a chip, and all are off by what the converter's steps hide."""
    dense = ternary(weights["dense"])
    if noise is None:
        return features(binary(weights["filters"]), pictures, pixels, share) @ dense
    half, (values, first) = len(pictures) // 2, noise
    exact = features(binary(weights["filters"]), pictures[:half], pixels, share)
    inexact = features(on_chip(weights["filters"]), pictures[half:], pixels, share, noise)
    found = jnp.concatenate([exact, inexact]) @ dense
    steps = jax.lax.dynamic_slice(values, (first,), (found.size,)).reshape(found.shape) / values.std()
    return found + jnp.where(jnp.arange(len(found))[:, None] < half, 0.5, 1.0) * HALF_STEP * steps


def start(rng):
    filters = rng.uniform(-1, 1, (FILTERS, TAPS * TAPS))
    dense = rng.uniform(-0.8, 0.8, (CELLS * CELLS * FILTERS, CLASSES))
    return {"filters": jnp.asarray(filters, jnp.float32), "dense": jnp.asarray(dense, jnp.float32)}


def right(forward, weights, pictures, labels, size=500):
    found = [np.argmax(forward(weights, pictures[i : i + size]), 1) for i in range(0, len(pictures), size)]
    return int((np.concatenate(found) == labels).sum())


def train(arguments):
    rng = np.random.default_rng(arguments.seed)
    pixels = Pixels(arguments.bits, arguments.binarise)
    pictures, labels = read(arguments.data, "train", pixels)
    test = read(arguments.data, "t10k", pixels)
    held = pictures[-CHOOSE:], labels[-CHOOSE:]
    pictures, labels = pictures[:-CHOOSE], labels[:-CHOOSE]
    weights = start(rng) if arguments.start is None else dict(np.load(arguments.start))
    share = float(seen(jnp.asarray(pictures[:1000])).any((1, 2)).mean()) + SPREAD
    forward = jax.jit(lambda weights, pictures: codes(weights, pictures, pixels))
    steps = len(pictures) // arguments.batch * arguments.epochs

    @jax.jit
    def step(weights, moments, count, chosen, labels, noise):
        def loss(weights):
            found = scores_in_training(weights, chosen, pixels, share, noise)
            margins = jax.nn.log_softmax(found * arguments.sharpness)
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
    # Every batch sees another part of the same noise.
    count_of_sums = arguments.batch // 2 * BLOCK * BLOCK * FILTERS
    values = jnp.asarray(rng.normal(0, arguments.noise, 2 * count_of_sums), jnp.float32) if arguments.noise else None
    for epoch in range(arguments.epochs):
        begun, total = time.time(), 0.0
        shown = moved(pictures, rng)
        order = rng.permutation(len(shown))
        for i in range(0, len(shown) - arguments.batch + 1, arguments.batch):
            chosen = order[i : i + arguments.batch]
            noise = None if values is None else (values, rng.integers(count_of_sums))
            weights, moments, value = step(weights, moments, count, shown[chosen], labels[chosen], noise)
            count += 1
            total += float(value)
        chosen = right(forward, weights, *held)
        print(f"{epoch + 1:3} loss {total * arguments.batch / len(shown):.4f} held {chosen} of {CHOOSE}",
              f"{time.time() - begun:.0f} s", flush=True)
        if chosen >= best:
            best = chosen
            save(weights, arguments.out)
            np.savez(arguments.out + ".npz", **weights)
    print(f"test {right(forward, weights, *test)} of {len(test[1])} in the last epoch")


def save(weights, path):
    """One weight a letter, `-`, `0` or `+`: a line for each filter, then one for each maximum with its classes."""
    letters = lambda values: "".join("-0+"[int(value) + 1] for value in values)
    filters = np.asarray(binary(weights["filters"]))
    dense = np.asarray(ternary(weights["dense"]))
    # Maxima in order of their map, row and column.
    dense = dense.reshape(CELLS, CELLS, FILTERS, CLASSES).transpose(2, 0, 1, 3).reshape(-1, CLASSES)
    lines = [letters(values) for values in filters] + [letters(values) for values in dense]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    greys = lambda text: [int(grey) for grey in text.split(",")]
    parser.add_argument("--binarise", type=greys, default=[64, 192], help="the least grey of ink, or that of each half")
    parser.add_argument("--bits", type=int, default=1, choices=[1, 2], help="2: pixels of two bits instead")
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--rate", type=float, default=5e-3)
    parser.add_argument("--sharpness", type=float, default=0.01)
    parser.add_argument("--noise", type=float, default=0.0, help="standard deviation of every sum")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", help="real weights of an earlier run, FILE.npz of its --out, to go on from")
    parser.add_argument("--out", default="two_layers.txt")
    arguments = parser.parse_args()
    train(arguments)


if __name__ == "__main__":
    main()
