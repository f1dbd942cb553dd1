"""Small models that were once imported as networks that compute something else.

    python3 cases.py FOLDER

writes them; those in `regressions/graphs` were written by it. The ones that have to be imported are called `.accepted`.
"""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

SIZE = [5, 4]
CASES = []


class Builder:
    """A graph in which `c` is a convolution that makes two maps."""

    def __init__(self, opset):
        self.opset, self.nodes, self.weights, self.outputs, self.types = opset, [], [], [], {}
        self.made = None

    @property
    def c(self):
        if self.made is None:
            self.made = self.node("Conv", "picture", self.real([[[[0, 1], [-0.5, 0.25]]], [[[1, -1], [0.5, 0]]]]))
        return self.made

    def constant(self, value, kind):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.array(value, kind), name))
        return name

    def real(self, value):
        return self.constant(value, np.float32)

    def whole(self, value):
        return self.constant(value, np.int64)

    def node(self, op, *inputs, **attributes):
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], **attributes))
        return name

    def flat(self, *maps):
        """Outputs: all values of maps."""
        self.outputs += [self.node("Flatten", part) for part in maps]


def case(*opsets, accepted=True):
    def add(build):
        CASES.extend((build, opset, accepted) for opset in opsets)
        return build

    return add


@case(11, 18)
def factor_of_a_value_and_its_negative(b):
    y = b.node("Mul", b.c, b.real(0.25))
    b.flat(b.node("Max", y, b.node("Neg", y)))


@case(13)
def factor_before_two_rectifiers(b):
    y = b.node("Mul", b.c, b.real(2))
    shifted = b.node("Add", y, b.real(5))
    b.flat(b.node("Add", b.node("Relu", y), b.node("Relu", shifted)))


@case(13)
def identity_of_a_scaled_value(b):
    y = b.node("Mul", b.c, b.real(2))
    same = b.node("Identity", y)
    b.flat(b.node("Relu", y), b.node("Abs", same))


@case(13)
def identity_beside_a_factor(b):
    y = b.node("Mul", b.node("Identity", b.c), b.real(0.5))
    b.flat(b.node("Relu", y), b.node("Abs", b.c))


@case(11, 13)
def dropout_beside_a_factor(b):
    y = b.node("Mul", b.node("Dropout", b.c), b.real(-0.5))
    b.flat(b.node("Relu", y), b.node("Abs", b.c))


@case(11, 13)
def threshold_beside_a_rectifier(b):
    y = b.node("Mul", b.c, b.real(2))
    above = b.node("Greater", y, b.real(50))
    rectified = b.node("Relu", y)
    b.flat(b.node("Cast", above, to=TensorProto.FLOAT), rectified)


@case(13)
def padding_beside_a_rectifier(b):
    y = b.node("Mul", b.c, b.real(2))
    padded = b.node("Pad", y, b.whole([0, 0, 1, 1, 0, 0, 1, 1]))
    rectified = b.node("Relu", y)
    b.flat(b.node("Conv", padded, b.real([[[[1, 0.5]], [[-1, 2]]]])), rectified)


@case(13)
def slice_beside_a_rectifier(b):
    y = b.node("Mul", b.c, b.real(2))
    part = b.node("Slice", y, b.whole([1]), b.whole([3]), b.whole([2]))
    rectified = b.node("Relu", y)
    b.flat(b.node("ReduceSum", part, b.whole([2, 3]), keepdims=1), rectified)


@case(13)
def the_picture_by_two_names(b):
    y = b.node("Mul", b.node("Identity", "picture"), b.real(0.5))
    kernel = b.real([[[[1, -1]]]])
    b.flat(b.node("Conv", y, kernel), b.node("Conv", "picture", kernel), b.c)


@case(11, 15)
def normalisation_of_a_value_and_its_negative(b):
    inputs = [b.real(value) for value in ([2, 0.5], [1, -3], [0.5, 2], [0.25, 3.25])]
    y = b.node("BatchNormalization", b.c, *inputs, epsilon=0.75)
    b.flat(b.node("Max", y, b.node("Neg", y)))


@case(11, 13)
def bound_of_three_constants(b):
    bound = b.node("Max", b.real(1), b.real(2), b.real(30))
    b.flat(b.node("Max", b.c, bound), b.node("Min", b.c, b.node("Min", b.real(9), b.real(8), b.real([-7]))))


@case(11, 14)
def quotient_of_whole_constants(b):
    three = b.node("Cast", b.node("Div", b.whole(7), b.whole(2)), to=TensorProto.FLOAT)
    minus_three = b.node("Cast", b.node("Div", b.whole(-7), b.whole(2)), to=TensorProto.FLOAT)
    b.flat(b.node("Add", b.c, three), b.node("Add", b.c, minus_three))


@case(13)
def casts_of_constants(b):
    two = b.node("Cast", b.node("Cast", b.real(2.75), to=TensorProto.INT64), to=TensorProto.FLOAT)
    minus_two = b.node("Cast", b.node("Cast", b.real(-2.75), to=TensorProto.INT32), to=TensorProto.FLOAT)
    b.flat(b.node("Add", b.c, two), b.node("Add", b.c, minus_two))


@case(13, accepted=False)
def cast_of_two_levels(b):
    levels = b.node("Where", b.node("Greater", b.c, b.real(3)), b.real(2.5), b.real(-1.5))
    b.flat(b.node("Cast", b.node("Cast", levels, to=TensorProto.INT32), to=TensorProto.FLOAT))


@case(14, accepted=False)
def half_of_whole_bits(b):
    bits = b.node("Cast", b.node("Greater", b.c, b.real(3)), to=TensorProto.INT64)
    b.flat(b.node("Cast", b.node("Div", bits, b.whole(2)), to=TensorProto.FLOAT))


@case(13)
def output_that_is_read(b):
    sums = b.node("ReduceSum", b.c, b.whole([2, 3]), keepdims=0)
    hidden = b.node("Gemm", sums, b.real([[1, -2, 3], [0.5, 0.25, -1]]))
    dense = b.node("Gemm", b.node("Relu", hidden), b.real([[1], [-1], [0.5]]))
    b.outputs += [sums, hidden, dense]


@case(13, 18)
def sums_with_empty_axes(b):
    b.outputs.append(b.node("ReduceSum", b.node("Flatten", b.c), b.whole([]), keepdims=1))


@case(13, accepted=False)
def constant_of_higher_rank(b):
    raised = b.node("Add", b.c, b.real(np.full((1, 1, 1, 1, 1), 5)))
    b.outputs.append(b.node("ReduceSum", raised, b.whole([3]), keepdims=0))


@case(13, accepted=False)
def factor_of_higher_rank(b):
    raised = b.node("Mul", b.c, b.real(np.full((1, 1, 1, 1, 1), 0.5)))
    b.outputs.append(b.node("ArgMax", b.node("Flatten", raised, axis=2), axis=1))
    b.types[b.outputs[0]] = TensorProto.INT64


@case(13, accepted=False)
def empty_slice_of_the_batch(b):
    part = b.node("Slice", b.c, b.whole([1, 0]), b.whole([1, 2]), b.whole([0, 2]))
    b.outputs.append(b.node("ReduceSum", part, b.whole([2, 3]), keepdims=0))


if __name__ == "__main__":
    for build, opset, accepted in CASES:
        b = Builder(opset)
        build(b)
        picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 1, *SIZE])
        outputs = [helper.make_tensor_value_info(name, b.types.get(name, TensorProto.FLOAT), None) for name in b.outputs]
        graph = helper.make_graph(b.nodes, "case", [picture], outputs, b.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
        mark = ".accepted" if accepted else ""
        with open(f"{sys.argv[1]}/{build.__name__}-{opset}{mark}.onnx", "wb") as file:
            file.write(model.SerializeToString())
