"""A neural cellular automaton whose cells find out which digit they form: SMALL NCA of Dudziak, "Neural Cellular Automata
on a Focal Plane", in the exact integer arithmetic of its configuration B.

Every cell has a state of 15 numbers: its grey, which stays, 4 hidden ones, and 10 labels, of which the largest is its
answer. In a step a 3×3 layer of 40 outputs, a rectifier, 40 more and a rectifier, and 14 outputs make an update, which
about half of the living cells add to their state. Cells live where the grey is above 0.1.

Weights are integers from -15 to 15 over 64, activations integers over 128: states have 10 bits with their sign,
rectified values 9 without, updates 9 with it. Sums are rounded down. Only the cells that are updated are computed. The
training needs NumPy; it writes a checkpoint every few minutes, from which the same command goes on.

    python3 automaton.py --data DIR --checkpoint FILE.npz --out DIR
"""

import argparse
import ctypes
import gzip
import json
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

SIZE = 28
HIDDEN, LABELS, CHANNELS = 4, 10, 40
STATE = HIDDEN + LABELS  # without the grey
ALIVE = 26  # the least grey above a tenth of 255
ONE = 128.0  # activations are integers over this
DENOMINATOR, MOST = 64.0, 15.0  # of the weights
RECTIFIED = 511.0  # the most after a rectifier
UPDATE = (-256.0, 255.0)
RANGE = (-512.0, 511.0)  # of a state
KEPT = 5000  # digits of the training set that are kept back; with them the weights are chosen
FREEZING = 100  # steps, after which more weights are fixed


def read(folder, part):
    """Pictures as bytes and their labels; `part` is `train` or `t10k`."""

    def idx(name, head):
        path = os.path.join(folder, f"{part}-{name}-ubyte")
        with open(path, "rb") if os.path.exists(path) else gzip.open(path + ".gz", "rb") as file:
            return np.frombuffer(file.read(), np.uint8)[head:]

    labels = idx("labels-idx1", 8)
    return idx("images-idx3", 16).reshape(len(labels), SIZE, SIZE), labels


class Cells:
    """The living cells of pictures, one after the other, and where their neighbours are among them."""

    def __init__(self, pictures):
        self.alive = pictures >= ALIVE
        self.where = np.nonzero(self.alive)
        self.count = len(self.where[0])
        picture, row, column = self.where
        # Cells that do not live all have the number behind the last one, and zeros as their state.
        numbers = np.full((len(pictures), SIZE + 2, SIZE + 2), self.count, np.intp)
        numbers[picture, row + 1, column + 1] = np.arange(self.count)
        grey = np.zeros((len(pictures), SIZE + 2, SIZE + 2), np.float32)
        grey[:, 1:-1, 1:-1] = pictures
        around = [(row + y, column + x) for y in range(3) for x in range(3)]
        self.neighbours = np.stack([numbers[picture, y, x] for y, x in around], axis=1)
        self.grey = np.stack([grey[picture, y, x] for y, x in around], axis=1)

    def gather(self, states):
        """The states of the living cells, and zeros for all others."""
        return np.concatenate([states[self.where], np.zeros((1, STATE), np.float32)])

    def scatter(self, state):
        """The states of all cells."""
        states = np.zeros((*self.alive.shape, STATE), np.float32)
        states[self.where] = state[:-1]
        return states


def quantised(weights):
    """The nearest integers over the denominator."""
    return [np.clip(np.rint(w * DENOMINATOR), -MOST, MOST) / np.float32(DENOMINATOR) for w in weights]


def initial(rng):
    """The weights: of the grey around a cell, of the states around it, and of the other layers."""
    glorot = lambda rows, columns, fans: rng.uniform(-1, 1, (rows, columns)) * np.sqrt(6 / fans)
    first = glorot(9 * (1 + STATE), CHANNELS, 9 * (1 + STATE) + 9 * CHANNELS)
    second = glorot(CHANNELS, CHANNELS, 2 * CHANNELS)
    third = np.zeros((CHANNELS, STATE))
    return [w.astype(np.float32) for w in (first[:9], first[9:], second, third)]


def run(weights, cells, state, steps, rng, record=None):
    """Steps of the automaton. What the gradient needs is appended to `record`."""
    of_grey, first, second, third = weights
    grey = cells.grey @ of_grey
    for _ in range(steps):
        updated = np.nonzero(rng.random(cells.count, np.float32) < 0.5)[0]
        around = state.take(cells.neighbours[updated], axis=0).reshape(len(updated), 9 * STATE)
        one = around @ first
        one += grey[updated]
        np.clip(np.floor(one, out=one), 0, RECTIFIED, out=one)
        two = one @ second
        np.clip(np.floor(two, out=two), 0, RECTIFIED, out=two)
        update = two @ third
        sums = np.clip(np.floor(update), *UPDATE) + state[updated]
        state = state.copy()
        state[updated] = np.clip(sums, *RANGE)
        if record is not None:
            record.append((updated, around, one, two, update, sums))
    return state


def inward(gradient, values, low, high):
    """Removes what would push values further out of their range."""
    outward = ((values > high) & (gradient < 0)) | ((values < low) & (gradient > 0))
    gradient[outward] = 0


def gradients(weights, cells, record, gradient):
    """Those of the weights, given that of the state at the end; roundings count as if there were none."""
    _, first, second, third = weights
    sums = [np.zeros_like(w) for w in weights]
    of_grey = np.zeros((cells.count, CHANNELS), np.float32)
    reverse = np.arange(8, -1, -1)
    for updated, around, one, two, update, after in reversed(record):
        to_sums = gradient[updated]
        inward(to_sums, after, *RANGE)
        gradient[updated] = to_sums
        inward(to_sums, update, *UPDATE)
        sums[3] += two.T @ to_sums
        to_two = to_sums @ third.T
        to_two *= (two > 0) & (two < RECTIFIED)
        sums[2] += one.T @ to_two
        to_one = to_two @ second.T
        to_one *= (one > 0) & (one < RECTIFIED)
        sums[1] += around.T @ to_one
        of_grey[updated] += to_one
        # Each cell is read by those around it: by the one at a displacement at the opposite place.
        to_around = np.zeros(((len(updated) + 1) * 9, STATE), np.float32)
        np.matmul(to_one, first.T, out=to_around[:-9].reshape(len(updated), 9 * STATE))
        places = np.full(cells.count + 1, len(updated), np.intp)
        places[updated] = np.arange(len(updated))
        for rows in (places[cells.neighbours] * 9 + reverse).T:
            gradient[:-1] += to_around.take(rows, axis=0)
    sums[0] = cells.grey.T @ of_grey
    return sums


def evaluate(weights, pictures, labels, rng, at=(20, 50, 100, 200)):
    """For each number of steps: the share of cells that are right, and of pictures in which all cells agree."""
    cells = Cells(pictures)
    state, done, shares = np.zeros((cells.count + 1, STATE), np.float32), 0, {}
    picture = cells.where[0]
    for steps in at:
        state = run(weights, cells, state, steps - done, rng)
        done = steps
        answers = state[:-1, HIDDEN:].argmax(axis=1)
        right = np.bincount(picture, answers == labels[picture]) / np.bincount(picture)
        agree = [len(set(part)) == 1 for part in np.split(answers, np.cumsum(np.bincount(picture))[:-1])]
        shares[steps] = right.mean(), np.mean(agree)
    return shares


def spelled(shares):
    return ", ".join(f"{steps}: {right:.4f} {agree:.4f}" for steps, (right, agree) in shares.items())


def exchange(pool, chosen, share, pictures, labels, rng):
    """One of `share` samples begins anew, one sees another digit, and of eight one sees its digit move by a pixel."""
    part = len(chosen) // share
    new, other, moved = chosen[:part], chosen[part : 2 * part], chosen[2 * part :][: len(chosen) // 8]
    fresh = np.concatenate([new, other])
    drawn = rng.integers(len(pictures), size=len(fresh))
    pool["pictures"][fresh], pool["labels"][fresh] = pictures[drawn], labels[drawn]
    pool["states"][new] = 0
    for sample in moved:
        axis, by = rng.integers(2), rng.choice([-1, 1])
        pool["pictures"][sample] = np.roll(pool["pictures"][sample], by, axis=axis)


class Training:
    """Weights, moments of Adam, samples, and the state of the generator."""

    def __init__(self, seed, samples, pictures, labels):
        self.rng = np.random.default_rng(seed)
        self.weights = initial(self.rng)
        self.moments = [[np.zeros_like(w) for w in self.weights] for _ in range(2)]
        self.mean = [w.copy() for w in self.weights]
        self.frozen = [np.zeros(w.shape, bool) for w in self.weights]
        self.step, self.chosen, self.best = 0, self.weights, 0.0
        drawn = self.rng.integers(len(pictures), size=samples)
        states = np.zeros((samples, SIZE, SIZE, STATE), np.float32)
        self.pool = {"pictures": pictures[drawn], "labels": labels[drawn], "states": states}

    def begin_with(self, weights):
        self.weights, self.mean, self.chosen = [[w.copy() for w in weights] for _ in range(3)]

    def save(self, path):
        lists = {f"w{i}": w for i, w in enumerate(self.weights)}
        lists |= {f"c{i}": w for i, w in enumerate(self.chosen)}
        lists |= {f"a{i}": w for i, w in enumerate(self.mean)}
        lists |= {f"f{i}": w for i, w in enumerate(self.frozen)}
        lists |= {f"m{i}{j}": m for i, ms in enumerate(self.moments) for j, m in enumerate(ms)}
        generator = json.dumps(self.rng.bit_generator.state)
        np.savez(path + ".new.npz", step=self.step, best=self.best, generator=generator, **lists, **self.pool)
        os.replace(path + ".new.npz", path)

    def load(self, path):
        file = np.load(path)
        self.step, self.best = int(file["step"]), float(file["best"])
        self.rng.bit_generator.state = json.loads(str(file["generator"]))
        self.weights = [file[f"w{i}"] for i in range(len(self.weights))]
        self.chosen = [file[f"c{i}"] for i in range(len(self.weights))]
        self.mean = [file[f"a{i}"] for i in range(len(self.weights))]
        self.frozen = [file[f"f{i}"] for i in range(len(self.weights))]
        self.moments = [[file[f"m{i}{j}"] for j in range(len(self.weights))] for i in range(2)]
        self.pool = {name: file[name].copy() for name in self.pool}

    def advance(self, pictures, labels, options):
        """One step; returns the loss."""
        done = self.step / options.steps
        chosen = self.rng.choice(len(self.pool["labels"]), options.batch, replace=False)
        exchange(self.pool, chosen, options.share, pictures, labels, self.rng)
        cells = Cells(self.pool["pictures"][chosen])
        weights = quantised(self.weights) if done >= options.float else self.weights
        record = []
        state = run(weights, cells, cells.gather(self.pool["states"][chosen]), options.iterations, self.rng, record)
        self.pool["states"][chosen] = cells.scatter(state)

        target = np.zeros((cells.count, LABELS), np.float32)
        target[np.arange(cells.count), self.pool["labels"][chosen][cells.where[0]]] = ONE
        gradient = np.zeros_like(state)
        gradient[:-1, HIDDEN:] = (state[:-1, HIDDEN:] - target) / ONE
        loss = float((gradient**2).sum() / 2 / options.batch)
        self.adam(gradients(weights, cells, record, gradient), options.rate * (0.05 + 0.95 * warm_cosine(done)))
        self.step += 1
        share = np.float32(1 - min(options.mean, (1 + self.step) / (10 + self.step)))
        for mean, w in zip(self.mean, self.weights):
            mean += (w - mean) * share
        if self.step % FREEZING == 0 and done >= options.freeze:
            self.freeze((done - options.freeze) / (1 - options.freeze))
        return loss

    def freeze(self, share):
        """Fixes that share of the weights at the integers that their means are nearest to, the nearest ones first.

        As in incremental quantisation (Zhou et al., ICLR 2017), but by distance instead of by size.
        """
        distance = [abs(m * DENOMINATOR - np.rint(m * DENOMINATOR)) for m in self.mean]
        all_of_them = np.concatenate([np.where(f, -1, d).ravel() for f, d in zip(self.frozen, distance)])
        most = np.partition(all_of_them, number := min(int(share * len(all_of_them)), len(all_of_them) - 1))[number]
        for w, mean, frozen, d in zip(self.weights, self.mean, self.frozen, distance):
            new = (d < most) & ~frozen
            frozen |= new
            mean[new] = w[new] = (np.rint(mean[new] * DENOMINATOR) / DENOMINATOR).astype(np.float32)

    def adam(self, gradients, rate):
        first, second = self.moments
        for w, g, m, v, frozen in zip(self.weights, gradients, first, second, self.frozen):
            g /= np.sqrt((g**2).sum()) + 1e-8
            m += (g - m) * np.float32(0.1)
            v += (g * g - v) * np.float32(0.001)
            corrected = np.sqrt(v / (1 - 0.999 ** (self.step + 1))) + 1e-7
            w -= np.where(frozen, 0, np.float32(rate / (1 - 0.9 ** (self.step + 1))) * m / corrected)
            np.clip(w, -MOST / DENOMINATOR, MOST / DENOMINATOR, out=w)


def warm_cosine(done):
    """From 0 to 1 in the first hundredth, and back along half a cosine."""
    return done * 100 if done < 0.01 else (1 + np.cos(np.pi * (done - 0.01) / 0.99)) / 2


def export(weights, folder):
    """The integers over 64 of each layer: output, input, row, column."""
    of_grey, first, second, third = [np.rint(w * DENOMINATOR).astype(np.int8) for w in quantised(weights)]
    first = np.concatenate([of_grey.reshape(3, 3, 1, CHANNELS), first.reshape(3, 3, STATE, CHANNELS)], axis=2)
    np.save(os.path.join(folder, "automaton-1.npy"), np.ascontiguousarray(first.transpose(3, 2, 0, 1)))
    np.save(os.path.join(folder, "automaton-2.npy"), np.ascontiguousarray(second.T[:, :, None, None]))
    np.save(os.path.join(folder, "automaton-3.npy"), np.ascontiguousarray(third.T[:, :, None, None]))


def imported(folder):
    """The weights that `export` wrote."""
    read_file = lambda layer: np.load(os.path.join(folder, f"automaton-{layer}.npy")) / np.float32(DENOMINATOR)
    first = read_file(1).transpose(2, 3, 1, 0)
    second, third = [np.ascontiguousarray(read_file(layer)[:, :, 0, 0].T) for layer in (2, 3)]
    return [first[:, :, 0].reshape(9, CHANNELS), first[:, :, 1:].reshape(9 * STATE, CHANNELS), second, third]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="the folder of MNIST's files")
    parser.add_argument("--checkpoint", required=True, help="where the training is kept, and goes on from")
    parser.add_argument("--out", help="the folder for the weights, those that are best for digits kept back")
    parser.add_argument("--steps", type=int, default=60000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--pool", type=int, default=256)
    parser.add_argument("--iterations", type=int, default=20, help="steps of the automaton before each loss")
    parser.add_argument("--share", type=int, default=4, help="one of so many samples begins anew each time")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--float", type=float, default=0.3, help="the part of the training with weights not rounded")
    parser.add_argument("--mean", type=float, default=0.9995, help="what a step leaves of the running mean of the weights")
    parser.add_argument("--freeze", type=float, default=0.6, help="the part of the training after which weights are fixed")
    parser.add_argument("--start", help="a folder with weights to begin with, as this program writes them")
    parser.add_argument("--every", type=int, default=2000, help="steps between checkpoints")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    keep_memory()

    pictures, labels = read(options.data, "train")
    kept = pictures[-KEPT:], labels[-KEPT:]
    pictures, labels = pictures[:-KEPT], labels[:-KEPT]
    training = Training(options.seed, options.pool, pictures, labels)
    if options.start:
        training.begin_with(imported(options.start))
    if os.path.exists(options.checkpoint):
        training.load(options.checkpoint)
        print(f"goes on from step {training.step}", flush=True)
    began, loss = time.process_time(), 0.0
    while training.step < options.steps:
        loss += training.advance(pictures, labels, options)
        if training.step % options.every == 0 or training.step == options.steps:
            shares = evaluate(quantised(training.mean), *kept, np.random.default_rng(0), at=(50, 100))
            # With weights of so few bits they differ by several percent from one checkpoint to the next.
            if sum(shares[100]) > training.best:
                training.chosen, training.best = [w.copy() for w in training.mean], sum(shares[100])
                if options.out:
                    export(training.chosen, options.out)
            training.save(options.checkpoint)
            seconds, began = time.process_time() - began, time.process_time()
            print(f"step {training.step}, loss {loss / options.every:.2f}, {seconds:.0f} s; {spelled(shares)}", flush=True)
            loss = 0.0
    test = evaluate(quantised(training.chosen), *read(options.data, "t10k"), np.random.default_rng(0))
    print("test digits:", spelled(test))


def keep_memory():
    """Large arrays come and go in every step; where the C library is glibc, it is told to keep their memory."""
    try:
        libc = ctypes.CDLL("libc.so.6")
    except OSError:
        return
    m_trim_threshold, m_mmap_threshold = -1, -3
    libc.mallopt(m_mmap_threshold, 1 << 30)
    libc.mallopt(m_trim_threshold, 1 << 30)


if __name__ == "__main__":
    main()
