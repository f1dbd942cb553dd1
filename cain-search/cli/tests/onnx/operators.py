"""Operators one by one, as each opset has them, with what onnxruntime makes of random pictures.

    python3 operators.py FOLDER

writes `NAME-OPSET.onnx` and `.json`, as `models.py` does. The files in `operators` were written by it.
"""

import json
import random
import sys

import numpy as np
import onnxruntime
from onnx import AttributeProto, TensorProto, helper

import models

SIZE = [7, 6]
EACH = range(11, 19)
CASES = []


def case(*opsets):
    """A model for each of these opsets: what is made of two maps, which are positive and negative."""

    def add(build):
        CASES.extend((build, opset) for opset in opsets)
        return build

    return add


def maps(b):
    """Two maps of the size of the picture."""
    kernels = [[[[0, 1, 0], [1, -4, 1], [0, 1, 0]]], [[[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]]]
    weights = np.array(kernels) / 4
    return b.node("Conv", b.last, b.constant(weights), kernel_shape=[3, 3], pads=[1, 1, 1, 1])


def maps_of(b):
    """The same maps again."""
    b.last = "picture"
    return maps(b)


def flat(b, *rest):
    return b.node("Flatten", *rest)


def whole(b, values):
    return b.constant(values, np.int64)


@case(11, 12, 13)
def clip_bounds(b):
    source = maps(b)
    low = b.node("Clip", source, b.constant(-2.5), "")
    high = b.node("Clip", source, "", b.constant(30.0))
    both = b.node("Clip", b.node("Add", low, b.constant(0.5)), b.constant(-1.0), b.constant(20.0))
    wide = b.node("Clip", source, b.constant(np.finfo(np.float32).min), b.constant(np.finfo(np.float32).max))
    parts = [flat(b, part) for part in (low, high, both, wide)]
    b.node("Concat", *parts, axis=1)


@case(11)
def dropout_attribute(b):
    maps(b)
    b.node("Dropout", ratio=0.25)
    flat(b)


@case(12, 13)
def dropout_inputs(b):
    source = maps(b)
    b.node("Dropout", source, b.constant(0.25), b.constant(False, np.bool_))
    flat(b)


@case(11, 13, 18)
def sums(b):
    source = maps(b)
    parts = [flat(b, b.reduce("ReduceSum", source, axes, keep)) for axes, keep in (([2, 3], 0), ([-1], 1), ([1, 2, 3], 1))]
    b.node("Concat", *parts, axis=1)


@case(11, 17, 18)
def means(b):
    source = maps(b)
    parts = [flat(b, b.reduce("ReduceMean", source, axes, keep)) for axes, keep in (([2, 3], 1), ([2], 0), ([-1, -2], 0))]
    b.node("Concat", *parts, axis=1)


@case(13, 18)
def sums_without_axes(b):
    b.batch = 1
    source = flat(b, maps(b))
    some = b.node("ReduceSum", source, keepdims=1)
    none = b.node("ReduceSum", source, noop_with_empty_axes=1)
    b.node("Concat", some, none, axis=1)


@case(11, 13)
def squeeze(b):
    maps(b)
    b.node("GlobalAveragePool")
    squeezed = b.shift("Squeeze", b.last, [2, -1])
    b.shift("Unsqueeze", squeezed, [0, -1])
    flat(b)
    b.node("Reshape", b.last, whole(b, [1, -1]))


@case(11, 13)
def slices(b):
    source = maps(b)
    taken = lambda *parts: b.node("Slice", source, *(whole(b, part) for part in parts))
    parts = [
        b.reduce("ReduceSum", taken([1, 0], [5, 4], [2, 3]), [2, 3], 0),
        b.reduce("ReduceMean", taken([0, 0, -4, 1], [1, 2, -1, 2**40]), [2, 3], 0),
        flat(b, taken([1, -2], [2, 9], [1, 3], [1, 1])),
    ]
    b.node("Concat", *parts, axis=1)


@case(11, 13)
def slices_of_numbers(b):
    source = flat(b, maps(b))
    parts = [
        b.node("Slice", source, whole(b, [-1]), whole(b, [-(2**62)]), whole(b, [1]), whole(b, [-1])),
        b.node("Slice", source, whole(b, [70]), whole(b, [3]), whole(b, [-1]), whole(b, [-7])),
        b.node("Slice", source, whole(b, [3]), whole(b, [2**31]), whole(b, [1]), whole(b, [5])),
    ]
    b.node("Concat", *parts, axis=-1)


@case(11, 14)
def reshape(b):
    source = maps(b)
    b.node("Reshape", source, whole(b, [0, 2, -1]))
    b.node("Reshape", b.last, whole(b, [0, -1]))


@case(11, 18)
def shapes(b):
    """As exporters without a fixed batch write a flattening."""
    source = maps(b)
    batch = b.node("Slice", b.node("Shape", source), whole(b, [0]), whole(b, [1]))
    b.node("Reshape", source, b.node("Concat", batch, whole(b, [-1]), axis=0))


@case(15)
def part_of_shape(b):
    source = maps(b)
    batch = b.node("Shape", source, start=0, end=1)
    b.node("Reshape", source, b.node("Concat", batch, whole(b, [-1]), axis=0))


@case(11, 18)
def auto_pad(b):
    source = maps(b)
    parts = []
    for i, auto in enumerate(["SAME_UPPER", "SAME_LOWER", "VALID"]):
        weights = b.constant(models.weights(b.rng, 1, 2, 2, 4))
        parts.append(flat(b, b.node("Conv", source, weights, auto_pad=auto, strides=[2, i + 1])))
        parts.append(flat(b, b.node("AveragePool", source, kernel_shape=[2, 3], auto_pad=auto, strides=[1, 2])))
        parts.append(flat(b, b.node("MaxPool", source, kernel_shape=[2, 3], auto_pad=auto, strides=[2, 1])))
    b.node("Concat", *parts, axis=1)


@case(11, 18)
def ceil_mode(b):
    source = maps(b)
    pools = [b.node(op, source, kernel_shape=[2, 3], strides=[2, 2], ceil_mode=1) for op in ("MaxPool", "AveragePool")]
    b.node("Concat", *(flat(b, pool) for pool in pools), axis=1)


@case(11, 18)
def means_at_the_border(b):
    source = maps(b)
    parts = []
    for counted in (0, 1):
        pool = b.node("AveragePool", source, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=counted)
        parts.append(flat(b, pool))
    b.node("Concat", *parts, axis=1)


@case(11, 13, 18)
def pads(b):
    source = b.node("Relu", maps(b))
    zeros = whole(b, [0, 0, 1, 2, 0, 0, 0, 1])
    if b.opset >= 18:
        padded = b.node("Pad", source, whole(b, [1, 2, 0, 1]), "", whole(b, [2, -1]))
    else:
        padded = b.node("Pad", source, zeros, b.constant(0.0), mode="constant")
    parts = [
        b.node("Conv", padded, b.constant(models.weights(b.rng, 2, 2, 3, 2)), pads=[0, 1, 1, 0]),
        b.node("AveragePool", padded, kernel_shape=[3, 3], strides=[2, 3]),
        b.node("AveragePool", padded, kernel_shape=[3, 3], pads=[1, 0, 1, 0], count_include_pad=1),
        b.node("MaxPool", padded, kernel_shape=[3, 3], strides=[2, 2]),
    ]
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 13)
def pads_of_exporters(b):
    """The sizes of the padding are those of the last axes first, and turned round by nodes."""
    source = maps(b)
    known = whole(b, [1, 1, 2, 0])
    zeros = b.node("ConstantOfShape", whole(b, [4]), value=helper.make_tensor("zero", TensorProto.INT64, [1], [0]))
    pairs = b.node("Reshape", b.node("Concat", known, zeros, axis=0), whole(b, [-1, 2]))
    turned = b.node("Slice", pairs, whole(b, [-1]), whole(b, [-(2**63) + 1]), whole(b, [0]), whole(b, [-1]))
    turned = b.node("Reshape", b.node("Transpose", turned, perm=[1, 0]), whole(b, [-1]))
    b.node("Pad", source, b.node("Cast", turned, to=TensorProto.INT64), b.constant(0.0))
    b.node("Conv", b.last, b.constant(models.weights(b.rng, 1, 2, 3, 2)))
    flat(b)


@case(11, 13)
def gemm(b):
    source = flat(b, b.node("GlobalAveragePool", maps(b)))
    plain = b.node("Gemm", source, b.constant([[1.0, -2, 3], [0.5, 0.25, -1]]), b.constant([1.0, 2, 3]), alpha=0.5, beta=-2.0)
    turned = b.node("Gemm", source, b.constant([[1.0, -2], [3, 0.5]]), transB=1, alpha=0.25)
    one = b.node("Gemm", source, b.constant([[1.0, -2], [3, 0.5]]), b.constant(3.0), transB=0)
    row = b.node("Gemm", source, b.constant([[1.0, -2], [3, 0.5]]), b.constant([[3.0, 4.0]]))
    column = b.node("Transpose", source, perm=[1, 0])
    across = b.node("Gemm", column, b.constant([[1.0, -2], [3, 0.5]]), transA=1)
    weights = b.node("Transpose", b.constant([[1.0, -2], [3, 0.5], [7, 8]]), perm=[1, 0])
    product = b.node("MatMul", source, weights)
    b.node("Concat", plain, turned, one, row, across, product, axis=1)


@case(11, 13, 14, 15)
def normalisation(b):
    inputs = [b.constant(values) for values in ([2.0, 0.5], [1.0, -3.0], [0.5, 2.0], [0.25, 1.0])]
    b.node("BatchNormalization", maps(b), *inputs, epsilon=0.75)
    flat(b)
    b.rounds = True


@case(11)
def normalisation_of_numbers(b):
    flat(b, b.node("GlobalAveragePool", maps(b)))
    inputs = [b.constant(values) for values in ([2.0, 0.5], [1.0, -3.0], [0.5, 2.0], [0.25, 1.0])]
    b.node("BatchNormalization", b.last, *inputs)


@case(11, 13)
def cast(b):
    source = maps(b)
    bits = b.node("Greater", source, b.constant(3.0))
    whole_bits = b.node("Cast", bits, to=TensorProto.INT32)
    real = b.node("Cast", whole_bits, to=TensorProto.FLOAT)
    double = b.node("Cast", b.node("Cast", bits, to=TensorProto.DOUBLE), to=TensorProto.FLOAT)
    b.node("Concat", flat(b, real), flat(b, double), axis=1)


@case(11, 16)
def where(b):
    source = maps(b)
    condition = b.node("Less", source, b.constant([[[3.0]], [[-8.0]]]))
    chosen = b.node("Where", condition, b.constant(-1.0), b.constant(2.0))
    rectified = b.node("Where", b.node("Greater", source, b.constant(0.0)), source, b.constant(0.0))
    negative = b.node("Where", b.node("Less", source, b.constant(4.0)), source, b.constant(4.0))
    b.node("Concat", *(flat(b, part) for part in (chosen, rectified, negative)), axis=1)


@case(11, 13)
def constants(b):
    source = maps(b)
    attributes = [{"value_float": 2.5}] if b.opset >= 12 else []
    attributes += [{"value": helper.make_tensor("c", TensorProto.FLOAT, [1, 2, 1, 1], [1.5, -2.0])}]
    for attribute in attributes:
        b.nodes.append(helper.make_node("Constant", [], [f"made{len(b.nodes)}"], **attribute))
        source = b.node("Mul", source, b.nodes[-1].output[0])
    half = b.node("Div", b.constant(1.0), b.node("Sqrt", b.constant(4.0)))
    b.node("Mul", half, source)
    flat(b)


@case(11, 13)
def softmax(b):
    source = flat(b, b.node("GlobalAveragePool", maps(b)))
    if b.opset >= 13:
        b.node("Softmax", source)
    else:
        b.node("Softmax", source, axis=1)


@case(11)
def softmax_of_all(b):
    """Before opset 13 it works over all axes from that one on."""
    b.node("GlobalAveragePool", maps(b))
    b.node("Softmax")
    flat(b)


@case(11, 12, 13)
def argmax(b):
    source = flat(b, b.node("GlobalAveragePool", maps(b)))
    b.node("ArgMax", source, axis=1, keepdims=1)


@case(11, 14)
def arithmetic(b):
    source = maps(b)
    of_channels = b.constant([[[0.5]], [[-2.0]]])
    b.node("Mul", of_channels, source)
    b.node("Sub", b.constant(3.0), b.last)
    b.node("Div", b.last, of_channels)
    b.node("Neg", b.last)
    b.node("Add", b.last, of_channels)
    flat(b)
    b.node("Add", b.last, b.last)
    b.node("Sub", b.last, b.constant(2.0))


@case(11, 14)
def sums_of_maps(b):
    source = maps(b)
    rectified, absolute = b.node("Relu", source), b.node("Abs", source)
    both = [b.node("Add", rectified, absolute), b.node("Sub", absolute, b.node("Mul", source, b.constant(0.5)))]
    b.node("Concat", *(flat(b, part) for part in both), axis=1)


@case(11, 13)
def turned_maps(b):
    """As models are flattened whose channels come last."""
    b.node("Transpose", maps(b), perm=[0, 2, 3, 1])
    flat(b)


@case(11, 13)
def rectifiers_of_numbers(b):
    source = flat(b, b.node("GlobalAveragePool", maps(b)))
    parts = [b.node("Relu", source), b.node("Max", source, b.constant(0.25)), b.node("Min", b.constant(0.5), source)]
    parts += [b.node("Clip", source, b.constant(0.0), high) for high in ("", b.constant(1.5))]
    b.node("Concat", *parts, axis=1)


# What several nodes read, under one name or several. A factor may only be taken over for all of them.


def normalised(b, source):
    """A factor of each channel, as it is left of a normalisation."""
    lists = ([2.0, 0.5], [1.0, -3.0], [0.0, 0.0], [1.0, 1.0])
    return b.node("BatchNormalization", source, *(b.constant(values) for values in lists), epsilon=0.0)


def halved(b, source):
    return b.node("Mul", source, b.constant(0.5))


def both(b, *parts):
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 13)
def factor_of_a_factor(b):
    parts = []
    for factors in (halved, normalised):
        b.last = "picture"
        scaled = factors(b, maps(b))
        parts.append(b.node("Max", scaled, b.node("Neg", scaled)))
    both(b, *parts)


@case(11, 14)
def factor_and_summand(b):
    sums = []
    for factors in (halved, normalised):
        b.last = "picture"
        scaled = factors(b, maps(b))
        more = b.node("Add", scaled, b.constant(5.0))
        sums.append(b.node("Add", b.node("Relu", scaled), b.node("Relu", more)))
    both(b, *sums)


@case(11, 13)
def clones_beside_factors(b):
    parts = []
    for clone in ("Identity", "Dropout"):
        for factors in (halved, normalised):
            b.last = "picture"
            source = factors(b, maps(b))
            cloned = b.node(clone, source)
            scaled = factors(b, cloned)
            parts += [b.node("Relu", source), b.node("Relu", scaled), b.node("Min", cloned, b.node("Neg", source))]
    both(b, *parts)


@case(11, 13)
def threshold_beside_rectifier(b):
    parts = []
    for factors in (halved, normalised):
        b.last = "picture"
        scaled = factors(b, maps(b))
        bits = b.node("Greater", scaled, b.constant(5.0))
        parts += [b.node("Relu", scaled), b.node("Cast", bits, to=TensorProto.FLOAT)]
    both(b, *parts)


@case(11, 13)
def padding_and_slice_beside_rectifier(b):
    parts = []
    for factors in (halved, normalised):
        b.last = "picture"
        scaled = factors(b, maps(b))
        padded = b.node("Pad", scaled, whole(b, [0, 0, 1, 0, 0, 0, 0, 1]), b.constant(0.0))
        parts.append(b.node("Conv", padded, b.constant(models.weights(b.rng, 1, 2, 2, 2))))
        rows = b.node("Slice", scaled, whole(b, [2]), whole(b, [5]), whole(b, [2]))
        parts += [b.reduce("ReduceSum", rows, [2, 3], 0), b.node("Relu", scaled)]
    both(b, *parts)


@case(11, 13)
def picture_by_two_names(b):
    same = b.node("Identity", "picture")
    scaled = b.node("Div", same, b.constant(4.0))
    parts = []
    for source in (scaled, "picture", b.node("Sub", "picture", b.constant(1.0))):
        b.last = source
        parts.append(b.node("Relu", maps(b)))
    both(b, *parts)


@case(11)
def outputs_that_are_read_again(b):
    source = maps(b)
    rectified = b.node("Relu", source)
    scores = b.node("MatMul", flat(b, rectified), b.constant(models.weights(b.rng, 84, 3)))
    return [source, rectified, b.node("Softmax", scores, axis=1), scores, b.node("Mul", scores, b.constant(2.0))]


@case(11)
def outputs_that_are_the_same(b):
    scores = flat(b, b.node("GlobalAveragePool", maps(b)))
    return [scores, b.node("Identity", scores), b.node("ArgMax", scores, axis=1)]


# What constants and two levels are in each type.


@case(11, 13)
def several_constants(b):
    source = maps(b)
    numbers = [b.constant(value) for value in (1.0, -3.0, 7.5)]
    kept = b.node("Min", source, b.node("Max", *numbers), b.node("Abs", b.node("Min", *numbers)), b.constant(12.0))
    least = b.node("Max", numbers[1], source, numbers[0], b.node("Neg", source))
    both(b, kept, least)


@case(11, 14)
def whole_division(b):
    source = maps(b)
    seven, two = whole(b, 7), whole(b, [2])
    parts = [b.node("Div", seven, two), b.node("Div", b.node("Neg", seven), two)]
    both(b, *(b.node("Mul", source, b.node("Cast", part, to=TensorProto.FLOAT)) for part in parts))


@case(11, 13)
def casts_of_constants(b):
    source = maps(b)
    parts = []
    for value in (2.75, -2.75, 0.25):
        for kind in (TensorProto.INT64, TensorProto.INT8, TensorProto.BOOL):
            cast = b.node("Cast", b.constant(value), to=kind)
            parts.append(b.node("Add", source, b.node("Cast", cast, to=TensorProto.FLOAT)))
    both(b, *parts)


@case(11, 13)
def casts_of_two_levels(b):
    bits = b.node("Greater", maps(b), b.constant(3.0))
    levels = b.node("Where", bits, b.constant(2.75), b.constant(-1.25))
    parts = [b.node("Cast", levels, to=kind) for kind in (TensorProto.INT32, TensorProto.INT8, TensorProto.BOOL)]
    three = b.node("Mul", b.node("Cast", bits, to=TensorProto.INT64), whole(b, 3))
    parts += [b.node("Div", three, whole(b, 2)), b.node("Div", b.node("Cast", bits, to=TensorProto.INT64), whole(b, 2))]
    both(b, *(b.node("Cast", part, to=TensorProto.FLOAT) for part in parts))


@case(11, 13)
def casts_of_whole_numbers(b):
    source = maps(b)
    bits = [b.node("Cast", b.node("Greater", source, b.constant(at)), to=TensorProto.INT32) for at in (3.0, -5.0)]
    counted = b.node("Cast", b.node("Sub", b.node("Add", *bits), bits[0]), to=TensorProto.FLOAT)
    double = b.node("Cast", b.node("Cast", source, to=TensorProto.DOUBLE), to=TensorProto.FLOAT)
    place = b.node("ArgMax", flat(b, source), axis=1)
    place = b.node("Cast", b.node("Add", place, whole(b, 2)), to=TensorProto.FLOAT)
    b.node("Concat", flat(b, counted), flat(b, double), place, axis=1)


@case(11, 13, 18)
def empty_axes(b):
    b.batch = 1
    numbers = flat(b, b.node("GlobalAveragePool", maps(b)))
    parts = []
    for op, first in (("ReduceSum", 13), ("ReduceMean", 18)):
        if b.opset >= first:
            parts.append(b.node(op, numbers, whole(b, []), keepdims=1))
        else:
            parts.append(b.node(op, numbers, keepdims=1))
            b.nodes[-1].attribute.append(helper.make_attribute("axes", [], attr_type=AttributeProto.INTS))
    if b.opset >= 13:
        parts.append(b.node("ReduceSum", numbers, whole(b, []), keepdims=1, noop_with_empty_axes=1))
    b.node("Concat", *parts, axis=1)


@case(11, 13)
def constants_of_higher_rank(b):
    source = maps(b)
    raised = b.node("Add", source, b.constant(np.full([1, 1, 1, 1, 1], 2.0)))
    numbers = flat(b, b.node("GlobalAveragePool", source))
    higher = b.node("Mul", numbers, b.constant([[[[2.0, 3.0]]]]))
    b.node("Concat", b.node("Flatten", raised, axis=2), b.node("Reshape", higher, whole(b, [1, -1])), axis=1)


@case(11, 13)
def empty_slices_of_constants(b):
    source = maps(b)
    nothing = b.node("Slice", whole(b, [5, 6]), whole(b, [2]), whole(b, [2]))
    b.node("Reshape", source, b.node("Concat", nothing, whole(b, [1, -1]), axis=0))


# Parts of maps, and what is read by layers behind them.


def convolved(b, source, inputs):
    weights = np.arange(2 * inputs * 4).reshape(2, inputs, 2, 2) % 5 / 4 - 0.5
    return b.node("Conv", source, b.constant(weights))


@case(11, 13)
def parts_of_maps(b):
    source = b.node("Relu", maps(b))
    taken = lambda *parts: b.node("Slice", source, *(whole(b, part) for part in parts))
    parts = [
        convolved(b, taken([1], [2], [1]), 1),
        b.node("Relu", taken([1, 2], [-1, 5], [2, 3])),
        convolved(b, taken([0, 1], [7, 6], [2, 3], [2, 2]), 2),
        taken([1, 0], [2, 9], [1, 2], [1, 3]),
        b.node("Abs", b.node("Mul", taken([3], [6], [2]), b.constant([[[-0.5]], [[2.0]]]))),
    ]
    return both(b, *parts)


@case(11, 13, 18)
def split(b):
    source = b.node("Concat", maps(b), "picture", axis=1)

    def parts(sizes, axis, **equal):
        names = [f"part_{axis}_{place}_{len(b.nodes)}" for place in range(len(sizes))]
        given = {} if equal or b.opset >= 13 else {"split": sizes}
        inputs = [source] if equal or b.opset < 13 else [source, whole(b, sizes)]
        count = {"num_outputs": len(sizes)} if equal and b.opset >= 18 else {}
        b.nodes.append(helper.make_node("Split", inputs, names, axis=axis, **given, **count))
        return names

    first, last = parts([2, 1], 1)
    left, right = parts([3, 3], 3, equal=True)
    whole_map = parts([7], 2)[0]
    return both(b, convolved(b, first, 2), b.node("Relu", last), b.node("Sub", left, right), b.node("Neg", whole_map))


@case(11, 13)
def picture_that_is_read_out(b):
    pooled = b.node("AveragePool", "picture", kernel_shape=[3, 2], strides=[2, 2])
    return both(b, "picture", b.node("GlobalAveragePool", "picture"), pooled)


@case(11, 13)
def convolution_of_numbers(b):
    means = b.node("GlobalAveragePool", b.node("Relu", maps(b)))
    weights = np.array([[0.5, -1.0], [2.0, 0.25], [0.0, 1.0]]).reshape(3, 2, 1, 1)
    hidden = b.node("Relu", b.node("Conv", means, b.constant(weights), b.constant([1.0, -2.0, 0.5])))
    b.node("Conv", hidden, b.constant(np.array([2.0, -0.5, 1.0]).reshape(3, 1, 1, 1)), group=3)
    flat(b)


@case(11, 13)
def functions_of_numbers(b):
    source = maps(b)
    first = flat(b, b.node("GlobalAveragePool", source))
    second = b.node("Neg", flat(b, b.node("GlobalMaxPool", source)))
    parts = [
        b.node("LeakyRelu", first, alpha=0.3),
        b.node("LeakyRelu", second, alpha=0.3),
        b.node("PRelu", second, b.constant([1.5])),
        b.node("Abs", first),
        b.node("Max", first, second, b.constant([-0.5, 0.5])),
        b.node("Min", first, second),
    ]
    b.node("Concat", *parts, axis=1)


@case(11, 13, 18)
def extremes_of_maps(b):
    source = maps(b)
    pairs = [("ReduceMax", [2, 3]), ("ReduceMin", [-1, -2]), ("ReduceMax", [3, 2])]
    parts = []
    for keep, (op, axes) in enumerate(pairs):
        if b.opset >= 18:
            parts.append(b.node(op, source, whole(b, axes), keepdims=keep % 2))
        else:
            parts.append(b.node(op, source, axes=axes, keepdims=keep % 2))
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 13)
def mean_of_several(b):
    source = maps(b)
    return both(b, b.node("Mean", source, b.node("Abs", source), b.node("Relu", source), "picture"), b.node("Mean", source))


@case(11, 13)
def argmin(b):
    source = flat(b, maps(b))
    b.node("ArgMin", source, axis=1, keepdims=0)


@case(11, 16)
def slopes_of_zero(b):
    source = maps(b)
    return both(b, b.node("LeakyRelu", source, alpha=0.0), b.node("PRelu", source, b.constant([0.0])))


@case(11, 13)
def conditions(b):
    source = maps(b)
    above, below = b.node("Greater", source, b.constant(-9.0)), b.node("Less", source, b.constant(25.0))
    inside, either = b.node("And", above, below), b.node("Or", b.node("Not", below), b.node("Not", above))
    parts = [
        b.node("Cast", inside, to=1),
        b.node("Cast", either, to=1),
        b.node("Cast", b.node("Not", inside), to=1),
        b.node("Where", either, b.constant(-2.5), b.constant(4.0)),
    ]
    return both(b, *parts)


@case(7, 8, 9, 10)
def attributes_of_old_versions(b):
    """What are inputs since opset 10 and 11."""
    source = maps(b)
    bounds = [b.node("Clip", source, min=-2.5, max=30.0), b.node("Clip", source, min=0.25), b.node("Clip", source, max=5.0)]
    padded = b.node("Conv", b.node("Pad", source, pads=[0, 0, 1, 0, 0, 0, 0, 2], value=0.0), b.constant(np.ones([1, 2, 2, 2])))
    part = [b.node("Slice", source, axes=[1, 2], starts=[1, -3], ends=[2, 9])] if b.opset < 10 else []
    parts = [*bounds, padded, *part, b.node("Squeeze", b.node("Unsqueeze", source, axes=[1]), axes=[1])]
    return both(b, *parts, b.node("Dropout", source, ratio=0.25), b.node("Max", source, b.node("Neg", source)))


@case(13)
def nodes_that_nothing_reads(b):
    source = maps(b)
    b.node("Sigmoid", b.node("Einsum", source, equation="abcd->ad"))
    pooled = b.node("GlobalAveragePool", source)
    b.nodes.append(helper.make_node("MaxPool", [source], ["largest", "places"], kernel_shape=[2, 2]))
    return both(b, pooled, "largest")


# What quantised models have, and what chooses and mixes channels.


def three(b):
    """Three maps of the size of the picture."""
    return b.node("Concat", maps(b), "picture", axis=1)


def numbers_of(b, values, scale, zero, kind, **attributes):
    inputs = [b.constant(values, kind), b.constant(scale)]
    if zero is not None:
        inputs.append(b.constant(zero, kind))
    return b.node("DequantizeLinear", *inputs, **attributes)


@case(10, 13, 21)
def quantised_weights(b):
    source = maps(b)
    kernels = np.arange(36).reshape(2, 2, 3, 3) * 7 % 61 - 30
    if b.opset < 13:
        weights = numbers_of(b, kernels + 40, 0.03125, 37, np.uint8)
        bias = numbers_of(b, [20, -7], 0.5, None, np.int32)
    else:
        weights = numbers_of(b, kernels, [0.03125, 0.125], [3, -5], np.int8, axis=0)
        bias = numbers_of(b, [20, -7], [0.5, 0.25], [0, 0], np.int32, axis=0)
    first = b.node("Conv", source, weights, bias)
    matrix = numbers_of(b, np.arange(40).reshape(40, 1) % 13, 0.25, 6, np.uint8)
    return both(b, first, b.node("MatMul", flat(b, first), matrix))


@case(13, 19)
def weights_that_are_rounded(b):
    """As training with quantisation leaves them."""
    source, kernels = maps(b), b.constant(np.arange(-9, 9).reshape(1, 2, 3, 3) * 0.3)
    for axis, scale, zero in ((1, [0.25, 0.5], [0, 0]), (0, [0.125], [10])):
        numbers = [b.constant(scale), b.constant(zero, np.int8)]
        kernels = b.node("QuantizeLinear", kernels, *numbers, axis=axis)
        kernels = b.node("DequantizeLinear", kernels, *numbers, axis=axis)
    return both(b, b.node("Conv", source, kernels))


@case(13)
def levels_that_are_rounded(b):
    bits = b.node("Greater", maps(b), b.constant(3.0))
    levels = b.node("Where", bits, b.constant(40.0), b.constant(-1.3))
    numbers = [b.constant(0.25), b.constant(100, np.uint8)]
    levels = b.node("DequantizeLinear", b.node("QuantizeLinear", levels, *numbers), *numbers)
    return both(b, levels)


@case(11, 13)
def channels_by_their_places(b):
    source = three(b)
    gather = lambda data, places, axis: b.node("Gather", data, whole(b, places), axis=axis)
    turned = gather(source, [2, 0, -2, 2], 1)
    steps = b.node("Slice", source, *(whole(b, part) for part in ([0, 1], [3, 9], [1, 2], [2, 1])))
    back = b.node("Slice", b.node("Relu", source), *(whole(b, part) for part in ([-1, 0], [-9, 6], [1, 3], [-1, 2])))
    scaled = b.node("Mul", source, b.constant([[[0.5]], [[-2.0]], [[0.25]]]))
    parts = [
        convolved(b, turned, 4),
        b.node("Relu", gather(source, [1, 0], -3)),
        convolved(b, b.shift("Unsqueeze", gather(source, 1, 1), [1]), 1),
        b.node("Abs", gather(source, [0, 2, 4], 3)),
        b.node("Abs", steps),
        b.node("Abs", b.node("Slice", source, *(whole(b, [part]) for part in (-1, -9, 1, -1)))),
        convolved(b, back, 3),
        gather(b.node("Add", scaled, b.constant([[[1.0]], [[2.0]], [[-3.0]]])), [2, 2, 0], 1),
    ]
    numbers = flat(b, b.node("GlobalAveragePool", source))
    chosen = flat(b, gather(numbers, [[2, 0], [-2, 2]], 1))
    return both(b, *parts, chosen, gather(numbers, [1, 2], 1))


@case(11, 13)
def shuffled_channels(b):
    """The groups of channels are mixed, as in ShuffleNet."""
    source = three(b)
    six = b.node("Concat", source, b.node("Relu", source), axis=1)

    def shuffled(data, apart, order, together):
        turned = b.node("Transpose", b.node("Reshape", data, whole(b, apart)), perm=order)
        return b.node("Reshape", turned, whole(b, together))

    groups = shuffled(six, [1, 2, 3, 7, 6], [0, 2, 1, 3, 4], [1, 6, 7, 6])
    last = b.node("Transpose", six, perm=[0, 2, 3, 1])
    last = shuffled(last, [1, 7, 6, 3, 2], [0, 1, 2, 4, 3], [1, 7, 6, 6])
    parts = [
        convolved(b, groups, 6),
        b.node("Relu", b.node("Transpose", last, perm=[0, 3, 1, 2])),
        shuffled(source, [1, 3, 7, 2, 3], [0, 1, 2, 4, 3], [1, 3, 7, 6]),
        b.node("Gather", source, whole(b, [4, 0, 5]), axis=2),
    ]
    return both(b, *parts)


@case(11, 16)
def slopes_of_channels(b):
    source = three(b)
    slopes = b.constant([[[0.25]], [[-0.125]], [[1.75]]])
    parts = [b.node("PRelu", source, slopes), b.node("LeakyRelu", source, alpha=0.375)]
    numbers = flat(b, b.node("GlobalAveragePool", source))
    plane = b.constant(np.full([3, 7, 6], [[[0.5]], [[0.75]], [[0.0]]]))
    return both(b, *parts, b.node("PRelu", numbers, b.constant([0.3, -2.0, 0.5])), b.node("PRelu", source, plane))


@case(11, 13, 18)
def sums_over_channels(b):
    two = maps(b)
    source = b.node("Concat", two, "picture", axis=1)
    kept = b.reduce("ReduceSum", source, [1], 1)
    part = b.slice(source, 1, 1, 3)
    left = b.shift("Unsqueeze", b.reduce("ReduceMean", part, [-3], 0), [1])
    normal = normalised(b, two)
    parts = [convolved(b, kept, 1), b.node("Abs", left), b.reduce("ReduceSum", normal, [1], 1)]
    return both(b, *parts, b.reduce("ReduceSum", source, [1], 0), b.reduce("ReduceMean", source, [0], 1))


@case(11, 13, 18)
def largest_over_channels(b):
    source = three(b)

    def over(op, data, axis, keep):
        # Their axes are an input since the same version.
        b.reduce("ReduceMean", data, [axis], keep)
        b.nodes[-1].op_type = op
        return b.last

    most = over("ReduceMax", source, 1, 1)
    least = b.shift("Unsqueeze", over("ReduceMin", source, -3, 0), [1])
    numbers = flat(b, source)
    parts = [convolved(b, most, 1), b.node("Relu", least), over("ReduceMax", numbers, 1, 1)]
    return both(b, *parts, b.node("Reshape", over("ReduceMin", numbers, -1, 0), whole(b, [1, 1])))


@case(11, 13, 18)
def numbers_around_maps(b):
    source = maps(b)
    around = lambda data, value: b.node("Pad", data, whole(b, [0, 0, 1, 2, 0, 0, 0, 1]), b.constant(value))
    parts = [
        convolved(b, around(source, 2.5), 2),
        b.node("MaxPool", around(source, -7.5), kernel_shape=[2, 2]),
        b.node("AveragePool", around(source, 4.0), kernel_shape=[2, 2], strides=[2, 2]),
        b.node("AveragePool", around(source, 0.0), kernel_shape=[3, 2], pads=[1, 1, 0, 0]),
        b.node("Conv", around(source, 3.0), b.constant(models.weights(b.rng, 1, 2, 2, 2)), pads=[1, 0, 0, 1]),
        b.node("Abs", around(source, 0.0)),
        b.node("Greater", around(b.node("Relu", source), 1.0), b.constant(0.5)),
        b.node("MaxPool", around(b.node("Relu", source), 0.0), kernel_shape=[1, 2], strides=[1, 1]),
        around(source, -1.5),
    ]
    parts[6] = b.node("Cast", parts[6], to=TensorProto.FLOAT)
    return both(b, *parts)


@case(11, 13)
def numbers_around_pixels_whose_channels_come_last(b):
    """As models of TensorFlow have them: padding between changes of the axes, also of sizes."""
    pixels = b.node("Transpose", b.node("Abs", maps(b)), perm=[0, 2, 3, 1])
    around = lambda data, pads, value: b.node("Pad", data, whole(b, pads), b.constant(value))
    first = lambda data: b.node("Transpose", data, perm=[0, 3, 1, 2])
    rows = b.node("Reshape", b.node("Conv", maps_of(b), b.constant(models.weights(b.rng, 1, 2, 1, 1))), whole(b, [-1, 7, 6]))
    parts = [
        convolved(b, first(around(pixels, [0, 1, 2, 0, 0, 0, 1, 0], 0.0)), 2),
        convolved(b, first(b.node("Neg", around(pixels, [0, 0, 1, 1, 0, 1, -2, 0], 2.5))), 3),
        convolved(b, b.shift("Unsqueeze", around(rows, [0, 1, 0, 0, 2, 1], 1.5), [1]), 1),
        b.node("MaxPool", first(around(pixels, [0, 1, 1, 0, 0, 1, 1, 0], 0.0)), kernel_shape=[3, 2], strides=[2, 2]),
        around(pixels, [0, 0, 2, 0, 0, 1, 0, 0], -1.5),
    ]
    return both(b, *parts)


@case(11, 13, 18)
def channels_around_maps(b):
    """As shortcuts of ResNet make more channels, also with a number, and with pixels around them."""
    source = maps(b)
    halves = b.node("Slice", source, *(whole(b, part) for part in ([0, 0], [7, 6], [2, 3], [2, 2])))
    around = lambda data, before, after, *value: b.node("Pad", data, whole(b, [0, *before, 0, *after]), *map(b.constant, value))
    more = around(halves, [1, 0, 0], [1, 0, 0])
    strided = b.node("Conv", source, b.constant(models.weights(b.rng, 4, 2, 1, 1)), strides=[2, 2])
    parts = [
        b.node("Relu", b.node("Add", more, strided)),
        b.node("Abs", around(source, [0, 1, 0], [1, 0, 2], -2.5)),
        convolved(b, around(source, [2, 0, 0], [0, 1, 0], 1.5), 4),
    ]
    return both(b, *parts)


@case(11, 13)
def constants_over_all_pixels(b):
    source = maps(b)
    of_channels = np.array([[[1.5]], [[-2.0]]])
    plane = lambda values: b.constant(np.broadcast_to(values, [1, 2, 7, 6]))
    parts = [
        b.node("Relu", b.node("Add", source, plane(of_channels))),
        b.node("Relu", b.node("Mul", b.constant(np.full([7, 6], 0.5)), source)),
        b.node("Max", source, b.constant(np.full([1, 6], 3.0))),
        b.node("Cast", b.node("Greater", source, plane(of_channels * 4)), to=TensorProto.FLOAT),
    ]
    pixels = b.node("Add", flat(b, b.node("Abs", source)), b.constant(np.arange(84).reshape(1, 84)))
    return both(b, *parts, pixels)


@case(11, 13)
def products_with_several_axes(b):
    numbers = flat(b, b.node("GlobalAveragePool", three(b)))
    matrix = np.array([[0.5, -1.0], [2.0, 0.25], [0.0, 1.5]])
    parts = [
        b.node("MatMul", numbers, b.constant(matrix.reshape(1, 1, 3, 2))),
        b.node("MatMul", b.node("Reshape", numbers, whole(b, [1, 1, 3])), b.constant(matrix)),
        b.node("MatMul", numbers, b.constant(matrix[:, 1])),
        b.node("MatMul", b.node("Reshape", numbers, whole(b, [3])), b.constant(matrix.reshape(1, 3, 2))),
    ]
    b.node("Concat", *(b.node("Reshape", part, whole(b, [1, -1])) for part in parts), axis=1)


@case(11, 13)
def functions_of_two_bits(b):
    source = maps(b)
    above, below = b.node("Greater", source, b.constant(-9.0)), b.node("Less", source, b.constant(25.0))
    other = b.node("Greater", b.node("Abs", source), b.constant(12.0))
    cast = lambda bits, to=TensorProto.FLOAT: b.node("Cast", bits, to=to)
    parts = [
        cast(b.node("Xor", above, other)),
        cast(b.node("Equal", below, other)),
        cast(b.node("Xor", above, below)),
        b.node("Where", b.node("Not", b.node("Xor", other, below)), b.constant(3.0), b.constant(-0.5)),
        b.node("Mul", cast(above), cast(other)),
        cast(b.node("Mul", cast(below, TensorProto.INT32), cast(other, TensorProto.INT32))),
        b.node("Mul", cast(other), cast(other)),
    ]
    return both(b, *parts)


@case(11, 13)
def repeated_channels(b):
    rows, columns = SIZE
    kernels = b.constant(np.arange(-13, 14).reshape(1, 3, 3, 3) / 8)
    means, factors = (b.constant(np.array(list).reshape(3, 1, 1)) for list in ([4.0, -8.0, 2.0], [0.5, 0.25, 2.0]))
    tiled = b.node("Tile", b.last, whole(b, [1, 3, 1, 1]))
    expanded = b.node("Expand", "picture", whole(b, [1, 3, 1, 1]))
    wanted, ones = whole(b, [-1, 3, -1, -1]), whole(b, [1] * 4)
    without_signs = b.node("Where", b.node("Equal", wanted, whole(b, [-1] * 4)), ones, wanted)
    normalised = b.node("Mul", b.node("Sub", expanded, means), factors)
    last = b.node("Tile", b.node("Reshape", "picture", whole(b, [1, rows, columns, 1, 1])), whole(b, [1, 1, 1, 1, 3]))
    last = b.node("Transpose", b.node("Reshape", last, whole(b, [1, rows, columns, 3])), perm=[0, 3, 1, 2])
    parts = [
        b.node("Conv", tiled, kernels, pads=[1] * 4),
        b.node("Conv", b.node("Expand", "picture", without_signs), kernels, strides=[2, 1]),
        b.node("Conv", b.node("Concat", "picture", "picture", "picture", axis=1), kernels, dilations=[1, 2]),
        b.node("Conv", normalised, kernels),
        b.node("Conv", b.node("Sub", expanded, b.constant(3.0)), kernels, pads=[1] * 4),
        b.node("Conv", last, kernels, pads=[0, 1, 0, 1]),
        b.node("MaxPool", tiled, kernel_shape=[3, 3]),
    ]
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 17)
def lines_that_bend_at_zero(b):
    source = maps(b)
    zero, slope = b.constant(0.0), b.constant(0.125)
    small = b.node("Mul", source, slope)
    bits = lambda condition: b.node("Cast", condition, to=TensorProto.FLOAT)
    numbers = b.node("ReduceMean", source, axes=[2, 3], keepdims=0) if b.opset < 18 else None
    parts = [
        b.node("Where", b.node("Less", source, zero), small, source),
        b.node("Where", b.node("Greater", source, zero), source, b.node("Div", source, b.constant(4.0))),
        b.node("Mul", source, bits(b.node("Greater", source, zero))),
        b.node("Sub", source, b.node("Mul", bits(b.node("Less", source, zero)), source)),
        b.node("Max", source, small),
        b.node("Min", source, b.node("Mul", source, b.constant(-0.5))),
        b.node("Sub", b.node("Relu", source), b.node("Mul", slope, b.node("Relu", b.node("Neg", source)))),
        b.node("Mul", source, b.node("Sign", source)),
        b.node("Where", b.node("Less", numbers, zero), b.node("Mul", numbers, slope), numbers),
    ]
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 13)
def products_over_channels(b):
    rows, columns = SIZE
    last = b.node("Transpose", maps(b), perm=[0, 2, 3, 1])
    matrix, bias = b.constant(np.array([[0.5, -1.0, 2.0], [0.25, 1.0, -0.5]])), b.constant(np.array([1.0, -2.0, 0.5]))
    parts = [
        b.node("Add", b.node("MatMul", last, matrix), bias),
        b.node("Reshape", b.node("MatMul", b.node("Reshape", last, whole(b, [-1, 2])), matrix), whole(b, [1, rows, columns, 3])),
        b.node("Reshape", b.node("Gemm", b.node("Reshape", last, whole(b, [-1, 2])), matrix, bias), whole(b, [1, rows, columns, 3])),
    ]
    kernels = b.constant(np.arange(-6, 6).reshape(1, 3, 2, 2) / 4)
    read = [b.node("Conv", b.node("Transpose", b.node("Relu", part), perm=[0, 3, 1, 2]), kernels) for part in parts]
    pooled = b.node("ReduceMean", b.node("Relu", parts[0]), axes=[1, 2], keepdims=0)
    b.node("Concat", *(flat(b, part) for part in read), pooled, axis=1)


@case(11, 13)
def blocks_as_channels(b):
    source = b.node("Slice", maps(b), whole(b, [0]), whole(b, [6]), whole(b, [2]))
    apart = b.node("Reshape", source, whole(b, [-1, 2, 3, 2, 3, 2]))
    joined = lambda *order: b.node("Reshape", b.node("Transpose", apart, perm=order), whole(b, [-1, 8, 3, 3]))
    ends = whole(b, [9, 9])
    part = lambda row, column: b.node("Slice", source, whole(b, [row, column]), ends, whole(b, [2, 3]), whole(b, [2, 2]))
    blocks = [
        b.node("SpaceToDepth", source, blocksize=2),
        joined(0, 1, 3, 5, 2, 4),
        joined(0, 3, 5, 1, 2, 4),
        b.node("Concat", *(part(row, column) for column in range(2) for row in range(2)), axis=1),
    ]
    kernels = b.constant(np.arange(-36, 36).reshape(1, 8, 3, 3) / 16)
    parts = [b.node("Conv", block, kernels, pads=[1, 1, 0, 1]) for block in blocks]
    parts.append(b.node("MaxPool", blocks[1], kernel_shape=[2, 2]))
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 19)
def means_of_windows_rounded_up(b):
    source = maps(b)
    pool = lambda **more: b.node("AveragePool", source, ceil_mode=1, strides=[3, 2], kernel_shape=[3, 3], **more)
    parts = [
        pool(),
        pool(pads=[1, 1, 0, 1], count_include_pad=1),
        b.node("Mul", pool(pads=[1, 0, 0, 0], count_include_pad=1), b.constant(0.5)),
        pool(pads=[1, 1, 0, 1]),
    ]
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 17)
def lines_that_are_cut(b):
    # Thresholds that no sum of pixels is equal to.
    source = maps(b)
    number = b.constant
    bits = lambda condition: b.node("Cast", condition, to=TensorProto.FLOAT)
    of_channels = b.constant(np.array([1.5, -2.5]).reshape(2, 1, 1))
    line = lambda scale, shift: b.node("Add", b.node("Mul", source, number(scale)), number(shift))
    parts = [
        b.node("Mul", source, bits(b.node("Greater", source, number(2.5)))),
        b.node("Mul", bits(b.node("Less", source, number(-3.5))), source),
        b.node("Where", b.node("Less", source, number(4.5)), number(0.0), source),
        b.node("Where", b.node("Greater", source, of_channels), number(1.0), source),
        b.node("Where", b.node("Greater", source, number(2.5)), line(0.5, 1.0), line(-0.25, 2.5)),
        b.node("Where", b.node("Not", b.node("Less", number(2.5), source)), number(0.0), line(1.0, -2.5)),
        b.node("ThresholdedRelu", source, alpha=2.5),
        b.node("Shrink", source, lambd=2.5, bias=2.5),
        b.node("Shrink", source, lambd=1.5, bias=0.5),
    ]
    parts.append(b.node("Conv", parts[0], b.constant(models.weights(b.rng, 1, 2, 2, 2))))
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(13, 17)
def numbers_that_are_zero_near_zero(b):
    """As exporters write `Hardshrink` and `Softshrink`, and `Shrink` with a limit below zero."""
    source = maps(b)
    number = b.constant
    sizes = b.node("Abs", source)
    outside = b.node("Or", b.node("Greater", source, number(2.5)), b.node("Less", source, number(-3.5)))
    softened = b.node("Sub", source, b.node("Mul", b.node("Sign", source), number(1.5)))
    parts = [
        b.node("Where", outside, source, number(0.0)),
        b.node("Where", b.node("LessOrEqual", sizes, number(4.5)), number(0.0), source),
        b.node("Where", b.node("Greater", sizes, number(1.5)), softened, b.node("Mul", source, number(0.0))),
        b.node("Shrink", source, lambd=-2.5, bias=0.5),
    ]
    parts.append(b.node("Max", source, number(3.0), number(np.array([4.5, -2.5]).reshape(2, 1, 1))))
    return both(b, *parts, b.node("Conv", parts[1], number(models.weights(b.rng, 1, 2, 2, 2))))


@case(11, 13)
def pixels_as_rows(b):
    rows, columns = SIZE
    count = rows * columns
    matrix = b.constant(np.array([[0.5, -1.0, 2.0], [0.25, 1.0, -0.5]]))
    number, kernels = b.constant, b.constant(models.weights(b.rng, 1, 3, 2, 2))
    last = b.node("Transpose", maps(b), perm=[0, 2, 3, 1])
    # Channels stand last.
    x = b.node("Add", b.node("Reshape", last, whole(b, [1, count, 2])), number([1.0, -2.0]))
    x = b.node("Add", b.node("MatMul", b.node("Relu", x), matrix), number([0.5, 0.25, -1.0]))
    more = b.node("Add", x, b.node("Clip", x, number(-1.0), number(2.0)))
    x = b.node("Transpose", b.node("Reshape", more, whole(b, [1, rows, columns, 3])), perm=[0, 3, 1, 2])
    parts = [b.node("Conv", x, kernels)]
    # They stand before the pixels, and are turned for the matrix.
    x = b.node("Mul", b.node("Reshape", maps_of(b), whole(b, [1, 2, count])), number([[0.5], [-1.0]]))
    x = b.node("MatMul", b.node("Transpose", b.node("Abs", x), perm=[0, 2, 1]), matrix)
    x = b.node("Transpose", b.node("LeakyRelu", x, alpha=0.25), perm=[0, 2, 1])
    parts.append(b.node("Conv", b.node("Reshape", x, whole(b, [1, 3, rows, columns])), kernels))
    # A matrix on the left.
    turned = b.constant(np.array([[0.5, 0.25], [-1.0, 1.0], [2.0, -0.5]]))
    x = b.node("MatMul", turned, b.node("Relu", b.node("Reshape", maps_of(b), whole(b, [1, 2, count]))))
    parts.append(b.node("Conv", b.node("Reshape", x, whole(b, [1, 3, rows, columns])), kernels))
    # Numbers without further axes are compared; so are channels that stand last, and what is flattened.
    x = b.node("Greater", b.node("Reshape", last, whole(b, [count, 2])), number([1.5, -2.5]))
    x = b.node("Reshape", b.node("Cast", x, to=TensorProto.FLOAT), whole(b, [1, rows, columns, 2]))
    parts.append(b.node("MaxPool", b.node("Transpose", x, perm=[0, 3, 1, 2]), kernel_shape=[2, 2]))
    x = b.node("Where", b.node("Less", last, number([3.5, 0.5])), number(-1.0), number(1.0))
    parts.append(x)
    parts.append(b.node("Cast", b.node("Greater", flat(b, maps_of(b)), number(2.5)), to=TensorProto.FLOAT))
    # Means of them.
    parts.append(b.reduce("ReduceMean", more, [1], 1))
    parts.append(b.reduce("ReduceSum", b.node("Reshape", maps_of(b), whole(b, [1, 2, count])), [2], 0))
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 13, 18)
def sums_of_absolute_values(b):
    source = maps(b)
    axes = lambda *all: {"axes": list(all)} if b.opset < 18 else {}
    given = lambda *all: [] if b.opset < 18 else [whole(b, all)]
    b.node("ReduceL1", source, *given(2, 3), keepdims=0, **axes(2, 3))
    channels = b.node("ReduceL1", source, *given(1), keepdims=1, **axes(1))
    return [b.nodes[-2].output[0], channels]


@case(11, 18)
def largest_of_all(b):
    source, count = maps(b), SIZE[0] * SIZE[1]
    axes = lambda *all: {"axes": list(all)} if b.opset < 18 else {}
    given = lambda *all: [] if b.opset < 18 else [whole(b, all)]
    rows = b.node("Reshape", source, whole(b, [1, 2, count]))
    parts = [
        b.node("ReduceMax", source, *given(1, 2, 3), **axes(1, 2, 3)),
        b.node("ReduceMin", source, *given(-1, 1, 2), **axes(-1, 1, 2)),
        b.node("ReduceMax", rows, *given(2), keepdims=0, **axes(2)),
        b.node("ReduceMin", rows, *given(-1), **axes(-1)),
    ]
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


@case(11, 17)
def pooled_blocks(b):
    source = b.node("Slice", maps(b), whole(b, [0]), whole(b, [6]), whole(b, [2]))
    apart = b.node("Reshape", source, whole(b, [-1, 2, 3, 2, 3, 2]))
    blocks = b.node("Reshape", b.node("Transpose", apart, perm=[0, 1, 3, 5, 2, 4]), whole(b, [-1, 8, 3, 3]))
    ends = whole(b, [9, 9])
    part = lambda row, column: b.node("Slice", source, whole(b, [row, column]), ends, whole(b, [2, 3]), whole(b, [2, 2]))
    joined = b.node("Concat", *(part(row, column) for row in range(2) for column in range(2)), axis=1)
    kernels = b.constant(models.weights(b.rng, 2, 8, 2, 2))
    rectified = b.node("Clip", b.node("Relu", blocks), b.constant(0.0), b.constant(9.5))
    parts = [
        b.node("MaxPool", blocks, kernel_shape=[2, 2], strides=[1, 1]),
        b.node("AveragePool", joined, kernel_shape=[2, 3], strides=[1, 1]),
        b.node("MaxPool", rectified, kernel_shape=[3, 2], strides=[1, 1]),
        b.node("Conv", b.node("MaxPool", joined, kernel_shape=[2, 2], strides=[1, 1]), kernels),
        b.node("MaxPool", rectified, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]),
    ]
    b.node("Concat", *(flat(b, part) for part in parts), axis=1)


def write(folder, build, opset):
    rng = random.Random(f"{build.__name__} {opset}")
    b = models.Builder(rng, opset)
    outputs = build(b) or [b.last]
    model = models.finish(b, SIZE, outputs)
    pictures = [[rng.randrange(256) for _ in range(SIZE[0] * SIZE[1])] for _ in range(2)]
    settings = onnxruntime.SessionOptions()
    if any(node.op_type == "DequantizeLinear" for node in model.graph.node):
        # Otherwise products with quantised weights are calculated in integers.
        settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
    expected = []
    for picture in pictures:
        values = np.array(picture, np.float64).reshape(1, 1, *SIZE) / 255 * 120 - 60
        results = session.run(None, {"picture": values.astype(np.float32)})
        expected.append([np.asarray(result, np.float64).ravel().tolist() for result in results])
    options = ["--levels=-60..60"] + (["--depth=20"] if b.rounds else [])
    name = f"{folder}/{build.__name__}-{opset}"
    with open(f"{name}.onnx", "wb") as file:
        file.write(model.SerializeToString())
    with open(f"{name}.json", "w") as file:
        json.dump({"options": options, "pictures": pictures, "outputs": expected}, file)


if __name__ == "__main__":
    for build, opset in CASES:
        write(sys.argv[1], build, opset)
