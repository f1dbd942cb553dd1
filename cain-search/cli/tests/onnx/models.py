"""Random networks in ONNX, with what onnxruntime makes of random pictures.

    python3 models.py FOLDER COUNT SEED

writes `0.onnx`, `0.json` and so on: the model, and the options of `cain import`, the pictures and the expected outputs. The
files in this folder were written with `python3 models.py . 12 1`; the tests make others where Python has onnx and
onnxruntime.
"""

import json
import random
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

PICTURES = 3


class Builder:
    """A graph in which every node reads the result of the one before, unless it is told otherwise."""

    def __init__(self, rng, opset):
        self.rng, self.opset = rng, opset
        self.nodes, self.weights, self.last, self.rounds = [], [], "picture", False
        self.batch = "batch"

    def constant(self, value, kind=np.float32):
        name = f"c{len(self.weights)}_{len(self.nodes)}"
        tensor = numpy_helper.from_array(np.array(value, kind), name)
        if self.rng.random() < 0.5:
            self.weights.append(tensor)
        else:
            self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        return name

    def node(self, op, *inputs, **attributes):
        inputs = inputs or (self.last,)
        self.last = f"{op.lower()}_{len(self.nodes)}"
        name = "" if self.rng.random() < 0.3 else f"/{self.last}/{op}"
        self.nodes.append(helper.make_node(op, list(inputs), [self.last], name=name, **attributes))
        return self.last

    def reduce(self, op, source, axes, keep):
        if self.opset >= (13 if op == "ReduceSum" else 18):
            return self.node(op, source, self.constant(axes, np.int64), keepdims=keep)
        return self.node(op, source, axes=axes, keepdims=keep)

    def slice(self, source, axis, start, end):
        start, end, axis = ([value] for value in (start, end, axis))
        return self.node("Slice", source, *(self.constant(value, np.int64) for value in (start, end, axis)))

    def shift(self, op, source, axes):
        if self.opset >= 13:
            return self.node(op, source, self.constant(axes, np.int64))
        return self.node(op, source, axes=axes)


def weights(rng, *shape):
    """Multiples of 1/4, which the array can have."""
    count = int(np.prod(shape))
    return np.array([rng.randint(-6, 6) / 4 for _ in range(count)]).reshape(shape)


def convolution(b, channels, size):
    rng = b.rng
    group = channels if channels > 1 and rng.random() < 0.2 else 1
    outputs = group * rng.choice([1, 2]) if group > 1 else rng.choice([1, 2, 3])
    kernel = [rng.choice([1, 2, 3]), rng.choice([2, 3])]
    attributes = {"group": group} if group > 1 else {}
    if rng.random() < 0.3:
        attributes["auto_pad"] = rng.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
    elif rng.random() < 0.6:
        attributes["pads"] = [rng.choice([0, 1, 2]) for _ in range(4)]
    if rng.random() < 0.4 and size > 9:
        attributes["strides"] = [rng.choice([1, 2]), rng.choice([1, 2])]
    if rng.random() < 0.3 and "auto_pad" not in attributes and size > 9:
        attributes["dilations"] = [rng.choice([1, 2]), rng.choice([1, 2])]
    inputs = [b.last, b.constant(weights(rng, outputs, channels // group, *kernel))]
    if rng.random() < 0.5:
        inputs.append(b.constant(weights(rng, outputs) * 10))
    b.node("Conv", *inputs, kernel_shape=kernel, **attributes)
    return outputs


def normalisation(b, channels):
    of = lambda low, high: np.array([b.rng.uniform(low, high) for _ in range(channels)])
    b.rounds = True
    scale = of(0.5, 1.5) * np.array([b.rng.choice([-1, 1]) for _ in range(channels)])
    inputs = [b.constant(values) for values in (scale, of(-2, 2), of(-5, 5), of(0.5, 2))]
    b.node("BatchNormalization", b.last, *inputs, epsilon=1e-3)


def activation(b, channels):
    rng, source = b.rng, b.last
    at = weights(rng, channels, 1, 1) * 8 if rng.random() < 0.5 else rng.choice([-3.0, 0.5, 7.25])
    kind = rng.choice(["relu", "leaky", "clip", "floor", "abs", "max", "min", "bits", "sign", "where", "select", "maps", "not"])
    if kind == "relu":
        b.node("Relu")
    elif kind == "leaky":
        b.node("LeakyRelu", alpha=0.125)
    elif kind == "clip":
        b.node("Clip", source, b.constant(-4.0), b.constant(30.5))
    elif kind == "floor":
        b.node("Clip", source, b.constant(-4.0))
    elif kind == "abs":
        b.node("Abs")
    elif kind == "max":
        b.node("Max", b.constant(2.0), source)
    elif kind == "min":
        b.node("Min", source, b.constant(2.0))
    elif kind == "maps":
        first = b.node("Relu", source)
        second = b.node("Abs", source)
        b.node(rng.choice(["Max", "Min"]), first, second)
    elif kind == "sign":
        b.node("Sign")
    elif kind == "select":
        b.node("Greater", source, b.constant(1.5))
        b.node("Where", b.last, source, b.constant(1.5))
    else:
        ops = ["Greater", "Less"] + (["GreaterOrEqual", "LessOrEqual"] if b.opset >= 12 else [])
        pair = [source, b.constant(at)]
        b.node(rng.choice(ops), *(pair if rng.random() < 0.5 else pair[::-1]))
        if kind == "not":
            b.node("Not")
        if kind == "where":
            b.node("Where", b.last, b.constant(rng.choice([1.0, 2.5])), b.constant(rng.choice([0.0, -1.0])))
        else:
            b.node("Cast", to=TensorProto.FLOAT)


def pooling(b):
    rng = b.rng
    kernel = [rng.choice([1, 2, 3]), 2]
    attributes = {"kernel_shape": kernel, "strides": [rng.choice([1, 2]), 2]}
    if rng.random() < 0.4:
        attributes["pads"] = [rng.randint(0, kernel[0] - 1), 1, 0, 1]
    if rng.random() < 0.3:
        # What the runtime expects and what it makes differ if there is padding as well.
        ceil = 0 if "pads" in attributes else rng.choice([0, 1])
        b.node("MaxPool", ceil_mode=ceil, **attributes)
    else:
        b.node("AveragePool", count_include_pad=rng.choice([0, 1]), **attributes)


def read_out(b, shape):
    """Numbers on the controller; returns how many."""
    rng, source = b.rng, b.last
    channels, height, width = shape
    kind = rng.choice(["flatten", "reshape", "global", "windows", "stack", "means", "rows"])
    if kind == "flatten":
        b.node("Flatten")
    elif kind == "reshape":
        sizes = b.node("Shape", source)
        batch = b.node("Gather", sizes, b.constant(0, np.int64), axis=0)
        batch = b.shift("Unsqueeze", batch, [0])
        sizes = b.node("Concat", batch, b.constant([-1], np.int64), axis=0)
        b.node("Reshape", source, sizes)
    elif kind == "global":
        b.node("GlobalAveragePool")
        b.node("Flatten")
        return channels
    elif kind == "means":
        b.reduce("ReduceMean", source, [-2, -1], 0)
        return channels
    elif kind == "rows":
        b.reduce("ReduceSum", source, [3], 0)
        b.node("Flatten")
        return channels * height
    else:
        parts = []
        for _ in range(3):
            top, left = rng.randrange(height), rng.randrange(width)
            rows = b.slice(source, 2, top, rng.choice([top + 1, height, 2**62]))
            part = b.slice(rows, 3, left, rng.choice([left + 1, width]))
            sums = b.reduce(rng.choice(["ReduceSum", "ReduceMean"]), part, [2, 3], 0)
            parts.append(b.shift("Unsqueeze", sums, [2]) if kind == "stack" else sums)
        b.node("Concat", *parts, axis=2 if kind == "stack" else 1)
        if kind == "stack":
            b.node("Flatten")
        b.node("Div", b.last, b.constant(4.0))
        return channels * 3
    return channels * height * width


def dense(b, inputs, outputs):
    rng = b.rng
    matrix = np.array([rng.uniform(-1, 1) for _ in range(inputs * outputs)]).reshape(inputs, outputs)
    bias = np.array([rng.uniform(-1, 1) for _ in range(outputs)])
    if rng.random() < 0.5:
        b.node("Gemm", b.last, b.constant(matrix.T), b.constant(bias), transB=1, alpha=0.5, beta=2.0)
    else:
        b.node("MatMul", b.last, b.constant(matrix))
        b.node("Add", *([b.last, b.constant(bias)] if rng.random() < 0.5 else [b.constant(bias), b.last]))


def shape_of(b, size):
    """Channels, rows and columns of the last result."""
    model = finish(b, size, [b.last])
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {"picture": np.zeros((1, 1, *size), np.float32)})
    return result.shape[1:]


def finish(b, size, outputs):
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs if not name.startswith("arg")]
    infos += [helper.make_tensor_value_info(name, TensorProto.INT64, None) for name in outputs if name.startswith("arg")]
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [b.batch, 1, *size])
    graph = helper.make_graph(b.nodes, "random", [picture], infos, b.weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", b.opset)], ir_version=8)


def random_model(rng):
    b = Builder(rng, rng.randint(11, 18))
    size = [rng.randint(8, 14), rng.randint(8, 14)]
    if rng.random() < 0.3:
        b.node("Sub", b.last, b.constant(0.5))
        b.node("Div", b.last, b.constant(0.25))
    channels = 1
    for _ in range(rng.choice([1, 1, 2])):
        channels = convolution(b, channels, min(shape_of(b, size)[1:]) if b.nodes else min(size))
        if rng.random() < 0.3:
            normalisation(b, channels)
        if rng.random() < 0.2:
            b.node("Dropout" if rng.random() < 0.5 else "Identity")
        activation(b, channels)
        if rng.random() < 0.4 and min(shape_of(b, size)[1:]) > 4:
            pooling(b)
    count = read_out(b, shape_of(b, size))
    if rng.random() < 0.2:
        b.node("Relu")
    hidden = rng.choice([3, 5])
    dense(b, count, hidden)
    if rng.random() < 0.6:
        b.node("Relu")
        dense(b, hidden, hidden)
    scores = b.last
    ending = rng.choice(["scores", "softmax", "argmax", "heads"])
    outputs = [scores]
    if ending == "softmax":
        outputs = [b.node("Softmax", scores, axis=rng.choice([1, -1]))]
    elif ending == "argmax":
        outputs = [b.node("ArgMax", scores, axis=1, keepdims=0)]
    elif ending == "heads":
        outputs = [b.node("Softmax", scores, axis=1), b.node("ArgMax", scores, axis=-1)]
    return b, size, outputs


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    done = 0
    while done < count:
        b, size, outputs = random_model(rng)
        model = finish(b, size, outputs)
        levels = rng.choice([(-60, 60), (0, 100), (0.0, 1.0)])
        binarise = rng.choice([None, 128])
        pictures = [[rng.randrange(256) for _ in range(size[0] * size[1])] for _ in range(PICTURES)]
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        expected = []
        for picture in pictures:
            grey = np.array(picture, np.float64).reshape(1, 1, *size)
            part = grey / 255 if binarise is None else (grey >= binarise) * 1.0
            values = (levels[0] + (levels[1] - levels[0]) * part).astype(np.float32)
            results = session.run(None, {"picture": values})
            expected.append([np.asarray(result, np.float64).ravel().tolist() for result in results])
        options = [f"--levels={levels[0]}..{levels[1]}"]
        options += ["--depth=20"] if b.rounds else []
        options += [] if binarise is None else [f"--binarise={binarise}"]
        with open(f"{folder}/{done}.onnx", "wb") as file:
            file.write(model.SerializeToString())
        with open(f"{folder}/{done}.json", "w") as file:
            json.dump({"options": options, "pictures": pictures, "outputs": expected}, file)
        done += 1


if __name__ == "__main__":
    main()
