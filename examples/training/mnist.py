"""The digits of MNIST, and what the trainings do with them."""

import copy
import gzip
import inspect
import math
import os

import numpy as np
import torch

# Of the 60,000 digits for training, the last are kept back to choose among networks.
CHOOSE = 5000
# The values on the array of a black and of a white pixel, in DN; pixels of at least half the grey are white.
BLACK, WHITE, HALF = -60.0, 60.0, 128


def read(folder, part):
    """Pictures as bytes and their labels; `part` is `train` or `t10k`."""
    pictures = idx(folder, f"{part}-images-idx3-ubyte", 16)
    labels = idx(folder, f"{part}-labels-idx1-ubyte", 8)
    return pictures.reshape(len(labels), 28, 28), torch.tensor(labels.astype(np.int64))


def idx(folder, name, head):
    """The bytes of a file behind its head."""
    path = os.path.join(folder, name)
    file = open(path, "rb") if os.path.exists(path) else gzip.open(path + ".gz", "rb")
    with file:
        return np.frombuffer(file.read(), np.uint8)[head:]


def levels(pictures):
    """Binary pictures in DN, with an axis for the channel."""
    return torch.where(torch.tensor(pictures >= HALF), WHITE, BLACK)[:, None]


def moved(pictures):
    """The pictures, and the same moved by one pixel in four directions."""
    padded = np.pad(pictures, ((0, 0), (1, 1), (1, 1)))
    for row, column in [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)]:
        yield padded[:, row : row + 28, column : column + 28]


def bent(pictures, count, seed=1):
    """The pictures `count` times, each turned, stretched, slanted and moved a little, at random."""
    random = torch.Generator().manual_seed(seed)
    pictures = torch.tensor(pictures).float()[:, None]
    for _ in range(count):
        turn, wide, high, slant, right, down = (torch.rand(6, len(pictures), generator=random) * 2 - 1).mul(0.1).unbind()
        sine, cosine = torch.sin(turn * 1.75), torch.cos(turn * 1.75)
        across = torch.stack([cosine * (1 + wide), (slant - sine) * (1 + high), right * 0.7], 1)
        along = torch.stack([sine * (1 + wide), cosine * (1 + high), down * 0.7], 1)
        ways = torch.stack([across, along], 1)
        move = lambda i: torch.nn.functional.grid_sample(
            pictures[i : i + 2000],
            torch.nn.functional.affine_grid(ways[i : i + 2000], pictures[i : i + 2000].shape, align_corners=False),
            align_corners=False,
        )
        yield torch.cat([move(i) for i in range(0, len(pictures), 2000)])[:, 0].numpy()


def in_parts(function, inputs, size=2000):
    """A function of many inputs, some at a time."""
    with torch.no_grad():
        return torch.cat([function(inputs[i : i + size]) for i in range(0, len(inputs), size)])


def train_dense(network, features, labels, epochs, rate=5e-3, batch=500):
    """Trains dense layers on features; returns the mean of the weights over the last third of the epochs."""
    optimizer = torch.optim.Adam(network.parameters(), rate)
    mean, count = None, 0
    for epoch in range(epochs):
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - epoch / epochs) + 1e-4
        order = torch.randperm(len(features))
        for i in range(0, len(features), batch):
            chosen = order[i : i + batch]
            loss = torch.nn.functional.cross_entropy(network(features[chosen]), labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch >= epochs * 2 // 3:
            state = {name: value.clone() for name, value in network.state_dict().items()}
            mean = state if mean is None else {name: mean[name] + state[name] for name in state}
            count += 1
    network.load_state_dict({name: value / count for name, value in mean.items()})


def train_to_rest(parameters, loss, count, epochs, rate, batch=500, keep=0.9995):
    """Minimises `loss(chosen)` over so many samples, at a rate that falls to nothing along a half cosine. The parameters
    become the running mean of what they were."""
    parameters = list(parameters)
    optimizer = torch.optim.Adam(parameters, rate)
    mean = [parameter.detach().clone() for parameter in parameters]
    steps = count // batch * epochs
    for step in range(steps):
        if step % (count // batch) == 0:
            order = torch.randperm(count)
        i = step % (count // batch) * batch
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 + math.cos(math.pi * step / steps)) / 2
        optimizer.zero_grad()
        loss(order[i : i + batch]).backward()
        optimizer.step()
        # At first the mean of all there were.
        old = min(keep, (step + 1) / (step + 11))
        with torch.no_grad():
            for value, parameter in zip(mean, parameters):
                value.mul_(old).add_(parameter, alpha=1 - old)
    with torch.no_grad():
        for value, parameter in zip(mean, parameters):
            parameter.copy_(value)


def train_on_counts(dense, counts, labels, epochs):
    """Trains dense layers on several counts of the same digits, which are standardised meanwhile."""
    known = torch.cat(counts)
    mean, deviation = known.mean(0), known.std(0) + 1e-3
    train_dense(dense, (known - mean) / deviation, labels.repeat(len(counts)), epochs)
    fold(dense[0], mean, deviation)


def fold(dense, mean, deviation):
    """Makes a dense layer for standardised features one for the features themselves."""
    with torch.no_grad():
        dense.weight /= deviation
        dense.bias -= dense.weight @ mean


def report(dense, kept, test, bits=8):
    """Prints how many digits are read correctly, with the weights as they are and as integers of so many bits."""

    def correct(network):
        right = lambda features, labels: (in_parts(network, features).argmax(1) == labels).float().mean().item()
        return f"{right(*kept):.4f} of the digits kept back, {right(*test):.4f} of the test digits"

    print(f"weights in floating point: {correct(dense)}")
    integers = copy.deepcopy(dense)
    for layer in integers:
        if isinstance(layer, torch.nn.Linear):
            scale = layer.weight.abs().max() / (2 ** (bits - 1) - 1)
            layer.weight.data = torch.round(layer.weight / scale) * scale
    print(f"integers of {bits} bits: {correct(integers)}")


def export(network, path, size=(28, 28), outputs=("scores",)):
    """Writes the network as ONNX, with any number of pictures at a time."""
    options = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    torch.onnx.export(
        network.eval(),
        torch.zeros(1, 1, *size),
        path,
        opset_version=13,
        input_names=["picture"],
        output_names=list(outputs),
        dynamic_axes={name: {0: "batch"} for name in ("picture", *outputs)},
        **options,
    )
