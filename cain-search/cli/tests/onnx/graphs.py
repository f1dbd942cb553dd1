"""Random graphs in ONNX in which several nodes read the same, with what onnxruntime makes of random pictures.

    python3 graphs.py FOLDER COUNT SEED

writes files as `models.py` does. There are clones, several outputs, conditions and whole numbers of several sizes.
"""

import json
import random
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto

import models

PICTURES = 2
KINDS = {"int8": (TensorProto.INT8, np.int8), "int32": (TensorProto.INT32, np.int32), "int64": (TensorProto.INT64, np.int64)}


class Graph:
    """Values that there are: names with the type, channels, rows and columns of maps."""

    def __init__(self, rng):
        self.rng = rng
        self.b = models.Builder(rng, rng.randint(13, 18))
        self.size = [rng.randint(5, 8), rng.randint(5, 8)]
        self.values = [("picture", "float", (1, *self.size))]
        # The picture scaled, shifted and averaged, which has no layer that could be read out.
        self.plain = {"picture"}

    def number(self, low=-20.0, high=20.0):
        return self.rng.choice([0.0, 1.0, 2.0, 0.5, -1.0]) if self.rng.random() < 0.2 else self.rng.uniform(low, high)

    def constant(self, channels, kind="float", low=-20.0, high=20.0, zero=True):
        """One number, also with more sizes, or one for each channel."""
        whole = kind != "float"
        draw = lambda: self.rng.randint(-3, 3) if whole else round(self.number(low, high), 3)
        value = draw()
        while not zero and value == 0:
            value = draw()
        type_of = KINDS[kind][1] if whole else np.float32
        shape = self.rng.choice([[], [], [1], [1, 1, 1], [1, 1, 1, 1]])
        if channels > 1 and self.rng.random() < 0.3:
            shape = [channels, 1, 1]
            return self.b.constant([[[draw() or 1]] for _ in range(channels)], type_of)
        return self.b.constant(np.full(shape, value), type_of)

    def one(self, value, kind="float"):
        return self.b.constant(value, np.float32 if kind == "float" else KINDS[kind][1])

    def add(self, kind, shape):
        self.values.append((self.b.last, kind, shape))

    def pick(self, *kinds):
        # Younger ones more often, so that there are chains, and old ones that are read again.
        found = [value for value in self.values if value[1] in kinds]
        return found[max(self.rng.randrange(len(found)), self.rng.randrange(len(found)))] if found else None

    def step(self):
        before = len(self.values)
        source, op = self.grow()
        if source in self.plain and op in ("factor", "clone", "normal", "double", "pool", "pad"):
            self.plain.update(name for name, *_ in self.values[before:])

    def grow(self):
        """Adds a value; tells what it reads, and how it is called here."""
        rng, b = self.rng, self.b
        source, kind, shape = self.pick("float", "float", "bool", *KINDS)
        node = lambda *inputs, **attributes: (b.node(*inputs, **attributes), self.add(kind, shape))
        if kind == "bool":
            to = rng.choice(["float", "float", "not", "where", *KINDS])
            if to == "not":
                node("Not", source)
            elif to == "where":
                b.node("Where", source, self.one(self.number()), self.one(self.number()))
                self.add("float", shape)
            else:
                b.node("Cast", source, to=KINDS[to][0] if to in KINDS else TensorProto.FLOAT)
                self.add(to, shape)
            return source, to
        if kind in KINDS:
            op = rng.choice(["Add", "Sub", "Mul", "Div", "Max", "Cast", "Cast", "Cast", "Neg", "Greater", "two"])
            # Not all operators calculate with all types.
            op = "Cast" if kind == "int8" else op
            if op == "Cast":
                b.node("Cast", source, to=TensorProto.FLOAT)
                self.add("float", shape)
            elif op == "Neg":
                node("Neg", source)
            elif op == "two":
                others = [value for value in self.values if value[1:] == (kind, shape)]
                node(rng.choice(["Add", "Sub"]), source, rng.choice(others)[0])
            elif op == "Greater":
                b.node("Greater", source, self.one(rng.randint(-2, 3), kind))
                self.add("bool", shape)
            else:
                pair = [source, self.one(rng.choice([-3, -2, 2, 3]), kind)]
                node(op, *(pair[::-1] if op == "Sub" and rng.random() < 0.5 else pair))
            return source, op
        op = rng.choice([
            "factor", "factor", "factor", "clone", "normal", "each", "each", "clip", "extreme", "extremes", "compare", "compare",
            "select", "sum", "conv", "conv", "pool", "pad", "double", "concat", "levels",
        ])
        channels, height, width = shape
        if op == "factor":
            kind_of = rng.choice(["Mul", "Mul", "Div", "Add", "Sub", "Neg"])
            if kind_of == "Neg":
                node("Neg", source)
            else:
                small = kind_of in ("Mul", "Div")
                low, high = (-2.0, 2.0) if small else (-20.0, 20.0)
                pair = [source, self.constant(channels, low=low, high=high, zero=False)]
                node(kind_of, *(pair[::-1] if kind_of != "Div" and rng.random() < 0.3 else pair))
        elif op == "clone":
            node(rng.choice(["Identity", "Dropout"]), source)
        elif op == "normal":
            of = lambda low, high: np.array([rng.uniform(low, high) for _ in range(channels)])
            lists = (of(-1.5, 1.5), of(-2, 2), of(-5, 5), of(0.5, 2))
            node("BatchNormalization", source, *(b.constant(values) for values in lists), epsilon=1e-3)
        elif op == "each":
            node(rng.choice(["Relu", "Relu", "Abs", "Sign"]), source)
        elif op == "clip":
            low, high = sorted([self.number(), self.number()])
            some = rng.choice([(low, high), (low, None), (None, high)])
            node("Clip", source, *("" if bound is None else self.one(bound) for bound in some))
        elif op == "extreme":
            numbers = [self.one(self.number()) for _ in range(rng.choice([1, 1, 2, 3]))]
            place = rng.randrange(len(numbers) + 1)
            node(rng.choice(["Max", "Min"]), *numbers[:place], source, *numbers[place:])
        elif op == "extremes":
            others = [value for value in self.values if value[1:] == (kind, shape)]
            node(rng.choice(["Max", "Min"]), source, rng.choice(others)[0])
        elif op == "sum":
            others = [value for value in self.values if value[1:] == (kind, shape)]
            node(rng.choice(["Add", "Sub"]), source, rng.choice(others)[0])
        elif op == "compare":
            ops = ["Greater", "Less", "GreaterOrEqual", "LessOrEqual"]
            pair = [source, self.constant(channels)]
            b.node(rng.choice(ops), *(pair if rng.random() < 0.7 else pair[::-1]))
            self.add("bool", shape)
        elif op == "select":
            bound = self.one(self.number())
            condition = b.node(rng.choice(["Greater", "Less"]), source, bound)
            pair = [source, bound]
            node("Where", condition, *(pair if rng.random() < 0.5 else pair[::-1]))
        elif op == "levels":
            condition = b.node("Greater", source, self.constant(channels))
            b.node("Where", condition, self.one(self.number()), self.one(self.number()))
            self.add("float", shape)
            b.node("Cast", b.last, to=rng.choice([kind for kind, _ in KINDS.values()]))
            b.node("Cast", b.last, to=TensorProto.FLOAT)
            self.add("float", shape)
        elif op == "conv":
            outputs = rng.choice([1, 2, 3])
            inputs = [source, b.constant(models.weights(rng, outputs, channels, 2, 2))]
            if rng.random() < 0.5:
                inputs.append(b.constant(models.weights(rng, outputs) * 10))
            b.node("Conv", *inputs, pads=[0, 1, 1, 0])
            self.add(kind, (outputs, height, width))
        elif op == "pad" and min(height, width) > 2:
            pads = [rng.choice([0, 1]) for _ in range(4)]
            b.node("Pad", source, b.constant([0, 0, *pads[:2], 0, 0, *pads[2:]], np.int64), self.one(0.0))
            padded = b.last
            for _ in range(rng.choice([1, 2])):
                high, wide = height + pads[0] + pads[2] - 1, width + pads[1] + pads[3] - 1
                if rng.random() < 0.7:
                    b.node("Conv", padded, b.constant(models.weights(rng, 1, channels, 2, 2)))
                    self.add(kind, (1, high, wide))
                else:
                    b.node("AveragePool", padded, kernel_shape=[2, 2])
                    self.add(kind, (channels, high, wide))
        elif op == "pool" and min(height, width) > 3:
            b.node(rng.choice(["MaxPool", "AveragePool"]), source, kernel_shape=[2, 2], strides=[1, 2])
            self.add(kind, (channels, height - 1, width // 2))
        elif op == "double":
            b.node("Cast", source, to=TensorProto.DOUBLE)
            node("Cast", b.last, to=TensorProto.FLOAT)
        elif op == "concat":
            others = [value for value in self.values if value[1] == kind and value[2][1:] == shape[1:]]
            other = rng.choice(others)
            if channels + other[2][0] <= 6:
                b.node("Concat", source, other[0], axis=1)
                self.add(kind, (channels + other[2][0], height, width))
        return source, op

    def read_out(self):
        """Numbers that values of the graph become, and what is made of them."""
        rng, b = self.rng, self.b
        source, _, (channels, height, width) = self.pick("float")
        if source in self.plain:
            return None
        how = rng.choice(["maps", "flat", "flat", "sums", "rows", "window", "raised"])
        if how == "maps":
            return source
        count = channels
        if how == "sums":
            b.reduce(rng.choice(["ReduceSum", "ReduceMean"]), source, [2, 3], 0)
        elif how == "rows":
            b.node("Flatten", b.reduce("ReduceSum", source, [-1], rng.choice([0, 1])))
            count = channels * height
        elif how == "window":
            part = b.slice(source, 2, rng.randrange(height), 2**40)
            if channels > 1 and rng.random() < 0.5:
                part = b.slice(part, 1, 1, channels)
                count -= 1
            if rng.random() < 0.5:
                part = b.node("Mul", part, self.one(self.number()))
            b.reduce("ReduceSum", part, [2, 3], 0)
        elif how == "raised":
            b.node("Add", source, b.constant(np.full([1, 1, 1, 1, 1], 2.0)))
            b.node("Flatten", b.last, axis=2)
            count = channels * height * width
        else:
            b.node("Flatten", source)
            count = channels * height * width
        numbers = b.last
        found = [numbers]
        for _ in range(rng.choice([0, 1, 2])):
            what = rng.choice(["factor", "dense", "relu", "clip", "double", "softmax", "argmax", "empty", "rank"])
            read = rng.choice(found[-2:])
            if what == "factor":
                found.append(b.node(rng.choice(["Mul", "Add"]), read, self.one(self.number())))
            elif what == "dense" and read is numbers:
                matrix = [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(count)]
                found.append(b.node("MatMul", read, b.constant(matrix)))
            elif what == "relu":
                found.append(b.node("Relu", read))
            elif what == "clip":
                found.append(b.node("Min", read, self.one(self.number()), self.one(self.number())))
            elif what == "double":
                found.append(b.node("Add", read, read))
            elif what == "empty":
                found.append(b.node("ReduceSum", read, b.constant([], np.int64), keepdims=1))
                break
            elif what == "rank":
                found.append(b.node("Mul", read, b.constant([[[self.number()]]])))
                break
            elif what == "softmax":
                scaled = b.node("Mul", read, self.one(0.01))
                found.append(b.node("Softmax", scaled, axis=1))
            elif what == "argmax":
                found.append(b.node("Cast", b.node("ArgMax", read, axis=1), to=TensorProto.FLOAT))
                break
        return rng.choice(found)


def random_graph(rng):
    graph = Graph(rng)
    for _ in range(rng.randint(3, 14)):
        graph.step()
    outputs = [graph.read_out() for _ in range(rng.choice([1, 1, 2, 3]))]
    return graph, list(dict.fromkeys(output for output in outputs if output))


def changes(expected, moved):
    """Whether something is so close to a threshold that rounding decides."""
    pairs = ((np.array(a), np.array(b)) for one, other in zip(expected, moved) for a, b in zip(one, other))
    return any(np.abs(a - b).max() > 0.01 * max(1.0, np.abs(a).max()) for a, b in pairs)


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    done = 0
    while done < count:
        graph, outputs = random_graph(rng)
        if not outputs:
            continue
        model = models.finish(graph.b, graph.size, outputs)
        size = graph.size[0] * graph.size[1]
        pictures = [[rng.randrange(256) for _ in range(size)] for _ in range(PICTURES)]
        # As the nodes say, one after the other.
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        expected, moved = [], []
        for picture in pictures:
            values = np.array(picture, np.float64).reshape(1, 1, *graph.size) / 255 * 120 - 60
            for made, noise in ((expected, 0.0), (moved, 1e-4)):
                noise = noise * np.array([rng.uniform(-1, 1) for _ in range(size)]).reshape(values.shape)
                results = session.run(None, {"picture": (values + noise).astype(np.float32)})
                made.append([np.asarray(result, np.float64).ravel().tolist() for result in results])
        if changes(expected, moved):
            continue
        with open(f"{folder}/{done}.onnx", "wb") as file:
            file.write(model.SerializeToString())
        with open(f"{folder}/{done}.json", "w") as file:
            json.dump({"options": ["--levels=-60..60", "--depth=20"], "pictures": pictures, "outputs": expected}, file)
        done += 1


if __name__ == "__main__":
    main()
