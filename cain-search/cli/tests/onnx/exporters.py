"""Models of the forms that exporters write, with what onnxruntime makes of random pictures.

    python3 exporters.py FOLDER

writes `NAME.onnx` and `.json`: the options of `cain import`, and either the pictures and the expected outputs, or parts of
the message with which the import is refused. The forms are those of PyTorch's two exporters, tf2onnx and skl2onnx. The
files in `exporters` were written by it.
"""

import json
import os
import random
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SIZE = (10, 9)
LEVELS = ["--levels=0..100"]
UNIT = [*LEVELS, "--range=0..1"]
CASES = {}


def case(options=UNIT, opset=18, sizes=("batch", 1, *SIZE), kind=TensorProto.FLOAT, refused=(), outputs=None):
    """A model; `refused` has parts of the message if it is not imported."""

    def add(build):
        CASES[build.__name__] = (build, options, opset, sizes, kind, refused, outputs)
        return build

    return add


class Model:
    """Nodes, constants and functions; names are those of the exporters."""

    def __init__(self, name):
        self.rng = np.random.default_rng(sum(map(ord, name)))
        self.nodes, self.constants, self.functions, self.imports = [], [], [], {}
        self.infos = {}

    def __call__(self, op, *inputs, name=None, domain="", outputs=1, **attributes):
        made = name or f"{op.lower()}_{len(self.nodes)}"
        names = [made] if outputs == 1 else [f"{made}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, name=f"node_{made}", domain=domain, **attributes))
        return made if outputs == 1 else names

    def weight(self, value, kind=np.float32, name=None):
        name = name or f"val_{len(self.constants)}_{len(self.nodes)}"
        self.constants.append(numpy_helper.from_array(np.array(value, kind), name))
        return name

    def ints(self, *values):
        return self.weight(values, np.int64)

    def constant(self, value, kind=np.int64):
        tensor = numpy_helper.from_array(np.array(value, kind))
        return self("Constant", value=tensor)

    def kernels(self, outputs, inputs=1, size=3):
        """Multiples of 1/8."""
        return self.weight(self.rng.integers(-8, 9, [outputs, inputs, size, size]) / 8)

    def conv(self, source="input", outputs=2, inputs=1, size=3, **attributes):
        attributes = {"pads": [size // 2] * 4, "kernel_shape": [size, size], **attributes}
        attributes = {key: value for key, value in attributes.items() if value is not None}
        bias = self.weight(self.rng.integers(-8, 9, outputs) / 8)
        return self("Conv", source, self.kernels(outputs, inputs, size), bias, **attributes)

    def linear(self, source, inputs, outputs=4):
        weights = self.weight(self.rng.normal(size=[outputs, inputs]) / 4)
        return self("Gemm", source, weights, self.weight(self.rng.normal(size=outputs)), transB=1)

    def scores(self, source, channels=2, height=SIZE[0], width=SIZE[1]):
        return self.linear(self("Flatten", source, axis=1), channels * height * width)


# TorchScript.


@case(opset=17)
def script_cnn(m):
    maps = m("Relu", m.conv(outputs=3))
    maps = m("MaxPool", maps, kernel_shape=[2, 2], strides=[2, 2], pads=[0] * 4, ceil_mode=0, dilations=[1, 1])
    maps = m("Relu", m.conv(maps, 2, 3))
    return m.linear(m("Relu", m.scores(maps, 2, 5, 4)), 4, 3)


@case(opset=17)
def script_dynamic_batch(m):
    maps = m("Relu", m.conv())
    batch = m("Gather", m("Shape", maps), m.constant(0), axis=0)
    sizes = m("Concat", m("Unsqueeze", batch, m.constant([0])), m.constant([-1]), axis=0)
    return m.linear(m("Reshape", maps, sizes), 180)


@case(opset=17)
def script_numel(m):
    maps = m("Relu", m.conv())
    count = m("Div", m("Size", maps), m.constant(1))
    sizes = m("Concat", m.constant([1]), m("Unsqueeze", count, m.constant([0])), axis=0)
    return m.linear(m("Reshape", maps, sizes), 180)


@case(opset=14)
def script_batch_norm(m):
    maps = m.conv(outputs=3)
    of = lambda low, high: m.weight(m.rng.uniform(low, high, 3))
    numbers = [of(0.5, 2), of(-1, 1), of(-1, 1), of(0.5, 2)]
    maps = m("BatchNormalization", maps, *numbers, epsilon=1e-5, momentum=0.9, training_mode=0)
    bits = m("Cast", m("Greater", maps, m.constant(0.0, np.float32)), to=TensorProto.FLOAT)
    return m.scores(bits, 3)


@case(opset=17, options=[*UNIT, "--depth=7"], outputs=False)
def script_batch_norm_rounded(m):
    maps = m("Conv", "input", m.weight(m.rng.normal(size=[3, 1, 3, 3])), kernel_shape=[3, 3], pads=[1] * 4)
    of = lambda low, high: m.weight(m.rng.uniform(low, high, 3))
    maps = m("BatchNormalization", maps, of(0.5, 2), of(-1, 1), of(-1, 1), of(0.5, 2))
    return m.scores(m("Relu", maps), 3)


@case(opset=17)
def script_mobile_block(m):
    maps = m("Clip", m.conv(outputs=4), m.constant(0.0, np.float32), m.constant(6.0, np.float32))
    maps = m("Relu", m("Conv", maps, m.kernels(4, 1), group=4, kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2]))
    maps = m("Relu", m("Conv", maps, m.kernels(2, 4, 1), kernel_shape=[1, 1]))
    return m.linear(m("Flatten", m("GlobalAveragePool", maps)), 2, 3)


@case(opset=17)
def script_residual(m):
    first = m("Relu", m.conv())
    second = m.conv(first, 2, 2)
    return m.scores(m("Relu", m("Add", second, first)))


@case(opset=17)
def script_inception(m):
    parts = [m("Relu", m.conv(size=1)), m("Relu", m.conv(size=3)), m("Relu", m.conv(size=5))]
    return m.scores(m("Concat", *parts, axis=1), 6)


@case(opset=17)
def script_sum_of_three(m):
    return m.scores(m("Relu", m("Sum", m.conv(), m.conv(size=1), m.conv(size=5))))


@case(opset=17)
def script_pooling(m):
    maps = m("AveragePool", m.conv(), kernel_shape=[2, 2], strides=[2, 2], ceil_mode=0, count_include_pad=1, pads=[1] * 4)
    maps = m("MaxPool", m("Relu", maps), kernel_shape=[2, 2], dilations=[2, 1], ceil_mode=1, strides=[2, 2])
    return m("Flatten", maps)


@case(opset=17)
def script_log_softmax(m):
    return m("LogSoftmax", m.scores(m("Relu", m.conv())), axis=1)


@case(opset=17)
def script_log_softmax_argmax(m):
    return m("ArgMax", m("LogSoftmax", m.scores(m("Relu", m.conv())), axis=1), axis=1, keepdims=0)


@case(opset=17)
def script_sigmoid_argmax(m):
    scores = m("Mul", m.scores(m("Relu", m.conv())), m.constant(1 / 256, np.float32))
    return m("ArgMax", m("Sigmoid", scores), axis=-1, keepdims=0)


@case(opset=17, refused=["(LogSoftmax): the controller has no logarithm; return it as the last node"])
def script_log_softmax_inside(m):
    return m.linear(m("LogSoftmax", m.scores(m("Relu", m.conv())), axis=1), 4)


@case(opset=17)
def script_sigmoid(m):
    return m("Sigmoid", m.scores(m("Relu", m.conv())))


@case(opset=17, refused=["(Sigmoid)", "(HardSwish)", "(Tanh)", "train with `Hardtanh`", "train with `ReLU`, or `LeakyReLU`"])
def script_many_activations(m):
    maps = m.conv()
    maps = m("Mul", maps, m("Sigmoid", maps))
    maps = m("Tanh", m("HardSwish", m.conv(maps, 2, 2)))
    return m.scores(maps)


@case(opset=17)
def script_hard_sigmoid(m):
    return m.scores(m("HardSigmoid", m.conv(), alpha=0.25, beta=0.5))


@case(opset=17, options=[*UNIT, "--depth=8"], outputs=False)
def script_hard_sigmoid_of_pytorch(m):
    return m.scores(m("HardSigmoid", m.conv(), alpha=1 / 6, beta=0.5))


@case(opset=17)
def script_prelu(m):
    return m.scores(m("PRelu", m.conv(), m.weight(np.full([2, 1, 1], 0.25))))


@case(opset=17)
def script_prelu_of_channels(m):
    return m.scores(m("PRelu", m.conv(), m.weight([[[0.25]], [[0.375]]])))


@case(opset=17, refused=["the sizes [1, 2, 10, 9] and [3, 1, 1] do not fit"])
def script_prelu_of_others(m):
    return m.scores(m("PRelu", m.conv(), m.weight([[[0.25]], [[0.375]], [[0.5]]])))


@case(opset=17, options=[*UNIT, "--depth=8"], outputs=False)
def script_leaky(m):
    return m.scores(m("LeakyRelu", m.conv()))


@case(opset=17)
def script_maps(m):
    return m("Relu", m.conv(outputs=2))


@case(opset=17)
def script_heads(m):
    maps = m("Relu", m.conv())
    scores = m.scores(maps)
    return [m("ArgMax", scores, axis=1, keepdims=0), maps, m("Softmax", scores, axis=1)]


@case(opset=17, sizes=(4, 1, *SIZE), refused=["calculates with several pictures of a batch; export the model for one"])
def script_fixed_batch(m):
    maps = m("Relu", m.conv())
    return m.linear(m("Reshape", maps, m.constant([1, -1])), 720)


@case(opset=17)
def script_hardtanh(m):
    maps = m("Clip", m.conv(), m.constant(-1.0, np.float32), m.constant(1.0, np.float32))
    maps = m("Clip", m.conv(maps, 2, 2), m.constant(0.0, np.float32))
    return m.scores(maps)


@case(opset=17)
def script_where(m):
    maps = m.conv()
    high = m.constant(0.5, np.float32)
    bits = m("Where", m("Less", maps, high), m.constant(-1.0, np.float32), m.constant(1.0, np.float32))
    return m.scores(bits)


@case(opset=17, refused=["(If): no counterpart", "export the model after `model.eval()`"])
def script_if(m):
    maps = m.conv()
    branch = helper.make_graph([helper.make_node("Identity", [maps], ["b"])], "b", [], [helper.make_empty_tensor_value_info("b")])
    maps = m("If", m.constant(True, np.bool_), then_branch=branch, else_branch=branch)
    return m.scores(maps)


@case(opset=17)
def script_padded(m):
    """`F.pad(x, ..., value=1)` before a convolution and before what takes no padding over."""
    around = lambda source: m("Pad", source, m.ints(0, 0, 1, 2, 0, 0, 1, 0), m.constant(1.0, np.float32), mode="constant")
    return m.scores(m("Relu", around(m.conv(around("input"), pads=[0] * 4))), 2, 12, 11)


@case(opset=17, refused=["pads by `reflect`"])
def script_reflect(m):
    return m.scores(m.conv(m("Pad", "input", m.ints(0, 0, 1, 1, 0, 0, 1, 1), mode="reflect"), pads=[0] * 4))


@case(opset=17, refused=["(Resize): no counterpart", "(DepthToSpace): no counterpart", "train with pictures of the size"])
def script_resize(m):
    maps = m.conv(m("Resize", "input", "", "", m.ints(1, 1, 20, 18), mode="linear"), 4)
    return m("Relu", m("DepthToSpace", maps, blocksize=2))


@case(sizes=("batch", 3, *SIZE), refused=["the array sees grey values", "transforms.Grayscale()"])
def script_colours(m):
    return m.scores(m("Relu", m.conv(inputs=3)))


@case(sizes=("batch", 1, "height", "width"), refused=["rows and columns left open", "pictures of a fixed size"])
def script_open_size(m):
    return m("GlobalAveragePool", m("Relu", m.conv()))


@case(sizes=("batch", 1, 300, 300), refused=["pictures of 300×300 pixels; the array has 256×256"])
def script_large(m):
    return m("Flatten", m("GlobalAveragePool", m("Relu", m.conv())))


@case(options=LEVELS, opset=17)
def script_bytes(m):
    return m.scores(m("Relu", m.conv(m("Div", "input", m.constant(255.0, np.float32)))))


@case(options=LEVELS, opset=17, kind=TensorProto.UINT8)
def script_type_of_bytes(m):
    picture = m("Mul", m("Cast", "input", to=TensorProto.FLOAT), m.constant(1 / 256, np.float32))
    return m.scores(m("Relu", m.conv(picture)))


@case(options=LEVELS, opset=17)
def script_centred(m):
    half = m.constant(0.5, np.float32)
    return m.scores(m("Relu", m.conv(m("Div", m("Sub", "input", half), half), pads=[0] * 4)), 2, 8, 7)


@case(options=LEVELS, opset=17, refused=["does not tell its numbers for black and white", "may have been trained on 0 and 1"])
def script_mean_and_deviation(m):
    picture = m("Div", m("Sub", "input", m.constant(0.1307, np.float32)), m.constant(0.3081, np.float32))
    return m.scores(m("Relu", m.conv(picture)))


@case(options=LEVELS, opset=17, refused=["does not tell its numbers for black and white; add `--range LO..HI`"])
def script_without_range(m):
    return m.scores(m("Relu", m.conv()))


@case(options=["--levels=0..255", "--range=0..1"], refused=["255 DN is outside of the registers"])
def script_levels(m):
    return m.scores(m("Relu", m.conv()))


# The exporter of PyTorch 2, with and without optimisation.


@case(opset=18, sizes=("s77", 1, *SIZE))
def dynamo_cnn(m):
    maps = m("Relu", m.conv(outputs=3), name="relu")
    maps = m("MaxPool", maps, name="max_pool2d", kernel_shape=[2, 2], strides=[2, 2], auto_pad="NOTSET", storage_order=0)
    batch = m("Shape", maps, name="sym_size_int", start=0, end=1)
    sizes = m("Concat", batch, m.ints(60), name="val_4", axis=0)
    return m.linear(m("Reshape", maps, sizes, name="view", allowzero=1), 60)


@case(opset=20, sizes=(1, 1, *SIZE))
def dynamo_adaptive_pool(m):
    maps = m("Clip", m.conv(), m.weight(0.0), m.weight(6.0), name="hardtanh")
    means = m("ReduceMean", maps, m.ints(-1, -2), name="mean", keepdims=1, noop_with_empty_axes=0)
    return m.linear(m("Reshape", means, m.ints(1, 2), name="view", allowzero=1), 2, 3)


@case(opset=18, sizes=("s77", 1, *SIZE))
def dynamo_external(m):
    return m.scores(m("Relu", m.conv()))


@case(opset=18, refused=["its numbers are in `dynamo_external_missing.onnx.data`, which cannot be read", "beside the model"])
def dynamo_external_missing(m):
    return m.scores(m("Relu", m.conv()))


@case(opset=17, refused=["(com.microsoft.FusedConv): no counterpart", "without optimising it by onnxruntime"])
def optimised(m):
    m.imports["com.microsoft"] = 1
    return m.scores(m("FusedConv", "input", m.kernels(2), domain="com.microsoft", activation="Relu", pads=[1] * 4))


@case(opset=17, refused=["(Pow): no counterpart", "the second one has to be a constant matrix of weights", "(Sigmoid): no counterpart", "train with `ReLU`"])
def script_several_faults(m):
    maps = m("Pow", m.conv(), m.weight(2.0))
    other = m("MatMul", "input", "input")
    swish = m.conv()
    return m("Concat", m.scores(maps), m("Flatten", other), m("Flatten", m("Mul", swish, m("Sigmoid", swish))), axis=1)


@case(opset=23)
def dynamo_threshold(m):
    maps = m.conv()
    bits = m("Cast", m("Greater", maps, m("Cast", m("Constant", value_int=0), to=1), name="gt"), name="_to_copy", to=1)
    counts = m("ReduceSum", bits, m.ints(2, 3), name="sum_1", keepdims=0)
    matrix = m("Transpose", m.weight(m.rng.normal(size=[3, 2])), perm=[1, 0])
    return m("Add", m("MatMul", counts, matrix), m.weight(m.rng.normal(size=3)), name="addmm")


@case(opset=22)
def dynamo_average(m):
    maps = m("AveragePool", m.conv(), kernel_shape=[2, 2], strides=[2, 2], dilations=[1, 2], count_include_pad=1)
    return m("Flatten", m("Relu", maps), axis=-3)


@case(opset=28)
def dynamo_newest(m):
    maps = m("Expand", m("Relu", m.conv()), m.ints(1, 1, 1, 1))
    return m.scores(m("Squeeze", m("Unsqueeze", m("Dropout", m("Identity", maps)), m.ints(0)), m.ints(0)))


@case(opset=29, refused=["the model uses opset 29; export it with opset 7 to 28"])
def dynamo_future(m):
    return m.scores(m("Relu", m.conv()))


@case(opset=24, refused=["(Swish)", "(Gelu)", "(LayerNormalization)", "train with `BatchNorm2d`"])
def dynamo_swish(m):
    maps = m("Gelu", m("Swish", m.conv()))
    return m.scores(m("LayerNormalization", maps, m.weight(np.ones(SIZE[1])), axis=-1))


@case(opset=18)
def dynamo_chunk(m):
    parts = m("Split", m.conv(), outputs=2, axis=1, num_outputs=2)
    return m.scores(m("Add", *parts), 1)


@case(opset=18)
def dynamo_channels(m):
    """`x[:, [2, 0]]`, `x.index_select(1, ...)`, `x.amax(1)`, `x.mean(1, keepdim=True)` and `(a > 0) ^ (b > 0)`."""
    maps = m("Relu", m.conv(outputs=3))
    chosen = m.conv(m("Gather", maps, m.ints(2, 0), axis=1), 2, 2)
    one = m("Unsqueeze", m("Gather", maps, m.weight(1, np.int64), axis=1), m.ints(1))
    most = m("Unsqueeze", m("ReduceMax", maps, m.ints(1), keepdims=0), m.ints(1))
    halves = m("ReduceMean", m("Gather", maps, m.ints(0, 1), axis=1), m.ints(1), keepdims=1)
    bits = [m("Greater", part, m.constant(0.5, np.float32)) for part in (one, most)]
    bits = m("Cast", m("Xor", *bits), to=TensorProto.FLOAT)
    return m.scores(m("Concat", chosen, m("Abs", halves), most, bits, axis=1), 5)


@case(opset=18, refused=["(Gather): no counterpart", "the places that are taken have to be constants"])
def dynamo_places(m):
    place = m("ArgMax", m.scores(m("Relu", m.conv())), axis=1, keepdims=0)
    return m("Gather", m.weight([1.0, 2.0, 3.0, 4.0]), place)


@case(opset=18)
def dynamo_functions(m):
    """Calls of functions, which call others, with attributes of their own and of the call."""
    domain = "pkg.onnxscript.torch_lib"
    standard = [helper.make_opsetid("", 18), helper.make_opsetid(domain, 1)]
    node = helper.make_node

    def referring(op, inputs, outputs, name, to, kind):
        made = node(op, inputs, outputs)
        attribute = made.attribute.add(name=name, ref_attr_name=to)
        attribute.type = kind
        return made

    relu = helper.make_function(domain, "aten_relu", ["self"], ["result"], [node("Relu", ["self"], ["result"])], standard)
    leaky = helper.make_function(
        domain, "aten_leaky_relu", ["self"], ["result"], [referring("LeakyRelu", ["self"], ["result"], "alpha", "slope", 1)],
        standard, ["slope"],
    )
    flatten = helper.make_function(
        domain, "aten_flatten", ["self"], ["made"],
        [referring("Flatten", ["self"], ["made"], "axis", "start_dim", 2)],
        standard, attribute_protos=[helper.make_attribute("start_dim", 1)],
    )
    linear = helper.make_function(
        domain, "aten_linear", ["input", "weight", "bias"], ["result"],
        [
            node("Transpose", ["weight"], ["turned"], perm=[1, 0]),
            node("MatMul", ["input", "turned"], ["product"]),
            node("CastLike", ["bias", "product"], ["like"]),
            node("Add", ["product", "like"], ["sum"]),
            node("aten_relu", ["sum"], ["result"], domain=domain),
        ],
        standard,
    )
    m.functions = [relu, leaky, flatten, linear]
    m.imports[domain] = 1
    maps = m("aten_relu", m.conv(), domain=domain)
    maps = m("aten_leaky_relu", m.conv(maps, 2, 2), domain=domain, slope=0.125)
    numbers = m("aten_flatten", maps, domain=domain)
    of = lambda *sizes: m.weight(m.rng.normal(size=sizes))
    return m("aten_linear", m("aten_linear", numbers, of(5, 180), of(5), domain=domain), of(3, 5), of(3), domain=domain)


# Keras by tf2onnx.


@case(opset=15, sizes=("unk__6", *SIZE, 1))
def keras_cnn(m):
    maps = m("Transpose", "input", perm=[0, 3, 1, 2])
    maps = m("Relu", m.conv(maps, 2, auto_pad="SAME_UPPER", strides=[2, 2], pads=None))
    maps = m("MaxPool", maps, kernel_shape=[2, 2], strides=[2, 2], auto_pad="VALID")
    numbers = m("Reshape", m("Transpose", maps, perm=[0, 2, 3, 1]), m.ints(-1, 8))
    numbers = m("Add", m("MatMul", numbers, m.weight(m.rng.normal(size=[8, 4]))), m.weight(m.rng.normal(size=4)))
    return m("Softmax", numbers, axis=-1)


@case(opset=13, sizes=("unk__9", *SIZE, 1))
def keras_reshaped(m):
    maps = m("Relu", m.conv(m("Reshape", "input", m.ints(-1, 1, *SIZE))))
    means = m("Squeeze", m("GlobalAveragePool", maps), m.ints(2, 3))
    return m("ArgMax", m("Add", m("MatMul", means, m.weight(m.rng.normal(size=[2, 3]))), m.weight([0.1, 0.2, 0.3])), axis=1)


@case(opset=13, sizes=("unk__9", *SIZE))
def keras_without_channels(m):
    maps = m("Relu", m.conv(m("Unsqueeze", "input", m.ints(1))))
    return m.scores(maps)


def channels_last(m, source, outputs, inputs):
    """A convolution of maps whose channels come last, as it is written where nothing merges changes of axes."""
    first = m("Transpose", source, perm=[0, 3, 1, 2])
    return m("Transpose", m("Conv", first, m.kernels(outputs, inputs)), perm=[0, 2, 3, 1])


@case(opset=13, sizes=("unk__6", *SIZE, 1))
def keras_channels_last(m):
    picture = m("Mul", m("Sub", "input", m.weight([[[[0.5]]]])), m.weight(4.0))
    maps = m("Clip", m("Add", channels_last(m, picture, 2, 1), m.weight([0.25, -0.5])), m.weight(0.0), m.weight(6.0))
    more = m("Mul", channels_last(m, maps, 3, 2), m.weight([2.0, -1.0, 0.5]))
    bits = m("Cast", m("Greater", more, m.weight(0.125)), to=TensorProto.FLOAT)
    both = m("Concat", m("Max", more, m("Neg", more)), m("Add", bits, m("Sign", more)), axis=3)
    kept = m("ReduceMean", both, axes=[1, 2], keepdims=1)
    return m("Concat", m.linear(m("ReduceSum", both, m.ints(1, 2), keepdims=0), 6), m("Reshape", kept, m.ints(-1, 6)), axis=1)


@case(opset=15, sizes=("unk__6", *SIZE, 1))
def keras_channels_mixed(m):
    """Channels that come last are chosen, summed, compared and rectified by slopes of their own."""
    maps = channels_last(m, "input", 3, 1)
    bent = m("PRelu", maps, m.weight([[[0.25, -0.5, 0.75]]]))
    chosen = channels_last(m, m("Gather", bent, m.ints(2, 2, 0), axis=3), 2, 3)
    every = m("Slice", bent, m.ints(0), m.ints(9), m.ints(-1), m.ints(2))
    most = m("ReduceMax", maps, axes=[3], keepdims=1)
    total = m("Unsqueeze", m("ReduceSum", maps, m.ints(3), keepdims=0), m.ints(3))
    both = m("Concat", every, most, m("Relu", total), axis=3)
    return m("Concat", *(m("ReduceSum", maps, m.ints(1, 2), keepdims=0) for maps in (both, m("Abs", chosen))), axis=1)


@case(opset=13, sizes=("unk__6", *SIZE))
def keras_scaled_without_channels(m):
    picture = m("Div", "input", m.weight(0.25))
    return m.scores(m("Relu", m.conv(m("Unsqueeze", m("Abs", picture), m.ints(1)))))


@case(opset=15, sizes=("unk__6", *SIZE, 1), refused=["(Elu)", "(Softplus)", "train with `ReLU`"])
def keras_elu(m):
    maps = m.conv(m("Transpose", "input", perm=[0, 3, 1, 2]))
    return m.scores(m("Softplus", m("Elu", maps)))


@case(opset=15, sizes=("unk__6", *SIZE, 1))
def keras_global_max(m):
    maps = m("Relu", m.conv(m("Transpose", "input", perm=[0, 3, 1, 2]), strides=[3, 3]))
    return m("Flatten", m("GlobalMaxPool", maps))


# Others.


@case(opset=15, sizes=("batch", 90), refused=["the input has the sizes [?, 90]", "a list of 90 numbers has no rows and columns"])
def list_of_numbers(m):
    return m.linear("input", 90)


@case(opset=15)
def dense_of_the_picture(m):
    return m.linear(m("Flatten", "input"), 90)


def quantised_weight(m, values, scale, kind, **attributes):
    scale = np.array(scale)
    integers = np.rint(values / scale.reshape([-1] + [1] * (np.ndim(values) - 1) if scale.ndim else [])).astype(kind)
    return m("DequantizeLinear", m.weight(integers, kind), m.weight(scale), m.weight(np.zeros_like(scale), kind), **attributes)


@case(opset=13)
def quantised_weights(m):
    """As onnxruntime writes them, for each channel, with numbers of the picture that are not rounded."""
    kernels = quantised_weight(m, m.rng.normal(size=[2, 1, 3, 3]), [1 / 32, 1 / 64], np.int8, axis=0)
    bias = quantised_weight(m, m.rng.normal(size=2), [1 / 512, 1 / 256], np.int32, axis=0)
    maps = m("Relu", m("Conv", "input", kernels, bias, kernel_shape=[3, 3], pads=[1] * 4))
    matrix = quantised_weight(m, m.rng.normal(size=[4, 180]), 1 / 64, np.int8)
    return m("Gemm", m("Flatten", maps), matrix, transB=1)


@case(opset=17, options=LEVELS, kind=TensorProto.UINT8)
def quantised_picture(m):
    """Bytes of the camera that a model maps to numbers by itself."""
    picture = m("DequantizeLinear", "input", m.weight(1 / 256), m.weight(128, np.uint8))
    return m.scores(m("Relu", m.conv(picture)))


@case(opset=21, refused=["(DequantizeLinear)", "a factor for each block of numbers"])
def quantised_blocks(m):
    kernels = m.weight(np.ones([2, 1, 4, 4]), np.int8)
    kernels = m("DequantizeLinear", kernels, m.weight(np.ones([2, 1, 2, 4])), axis=2, block_size=2)
    return m.conv(m("Conv", "input", kernels), 1, 2)


@case(opset=17, refused=["(QuantizeLinear): rounds numbers of the picture to integers", "export the model in floating point"])
def quantised(m):
    scale, zero = m.weight(0.1), m.weight(0, np.int8)
    maps = m("DequantizeLinear", m("QuantizeLinear", m.conv(), scale, zero), scale, zero)
    return m.scores(m("Relu", maps))


@case(opset=17, sizes=("batch", 1, 90), refused=["reads the sizes [1, 1, 90]; expected maps"])
def signal(m):
    return m("Flatten", m("Relu", m("Conv", "input", m.weight(np.ones([1, 1, 3])), kernel_shape=[3])))


@case(opset=17, outputs=False)
def half_precision(m):
    """What half precision rounds is not compared."""
    return m("Conv", m("Cast", "input", to=TensorProto.FLOAT16), m.weight(np.ones([1, 1, 3, 3]), np.float16))


@case(opset=17)
def weights_in_half_precision(m):
    kernels = np.array([[0.25, -1.5, 2.0**-14], [3.0, 0.0, -(2.0**-3)]]).reshape(2, 1, 1, 3)
    return m.scores(m("Conv", "input", m("Cast", m.weight(kernels, np.float16), to=TensorProto.FLOAT)), 2, 10, 7)


@case(options=LEVELS, opset=17, kind=TensorProto.UINT8)
def bytes_that_are_compared(m):
    bright = m("Greater", "input", m.weight(99, np.uint8))
    return m.scores(m("Conv", m("Cast", bright, to=TensorProto.FLOAT), m.kernels(2)), 2, 8, 7)


@case(opset=17, kind=TensorProto.DOUBLE, outputs=False)
def double_precision(m):
    maps = m("Conv", "input", m.weight(np.ones([2, 1, 3, 3]) / 4, np.float64))
    return m("Gemm", m("Flatten", maps), m.weight(np.ones([112, 3]) / 8, np.float64))


@case(options=LEVELS, opset=17, kind=TensorProto.UINT8)
def bytes_as_integers(m):
    """Bytes become integers, then numbers."""
    centred = m("Sub", m("Cast", "input", to=TensorProto.INT32), m.weight(128, np.int32))
    divided = m("Div", m("Cast", centred, to=TensorProto.FLOAT), m.weight(128.0))
    return m.scores(m("Conv", divided, m.kernels(2)), 2, 8, 7)


@case(options=LEVELS + ["--range=0..255"], opset=17)
def numbers_of_bytes(m):
    whole = m("Cast", m("Cast", "input", to=TensorProto.UINT8), to=TensorProto.FLOAT)
    return m.scores(m("Conv", m("Div", whole, m.weight(255.0)), m.kernels(2)), 2, 8, 7)


@case(opset=17, refused=["(Cast): casts the picture to uint8, which rounds its numbers", "give `--range 0..255`"])
def rounded_picture(m):
    return m.scores(m("Conv", m("Cast", m("Cast", "input", to=TensorProto.UINT8), to=TensorProto.FLOAT), m.kernels(2)), 2, 8, 7)


# What other exporters write.


@case()
def keras_slices_of_both_axes(m):
    maps = m.conv(outputs=2)
    part = m("Slice", maps, m.ints(1, 0), m.ints(9, 9), m.ints(2, 3), m.ints(1, 2))
    return m.linear(m("Flatten", part), 80)


@case()
def keras_slices_of_rows_that_end(m):
    part = m("Slice", "input", m.ints(1, 1), m.ints(-1, 9), m.ints(3, 2), m.ints(1, 3))
    return m.linear(m("Flatten", part), 21)


@case()
def keras_maxima_of_pixels(m):
    maps = m("Transpose", m("Relu", m.conv(outputs=3)), perm=[0, 2, 3, 1])
    return m.linear(m("ReduceMax", maps, m.ints(1, 2), keepdims=0), 3)


@case()
def keras_minima_of_maps(m):
    return m.linear(m("Flatten", m("ReduceMin", m("Relu", m.conv(outputs=3)), m.ints(2, 3), keepdims=1)), 3)


@case(opset=17)
def script_places_that_are_counted(m):
    rows = m("Range", m.constant(0), m("Sub", m.constant(10), m.constant(1)), m.constant(3))
    taken = m("Gather", m("Relu", m.conv()), rows, axis=2)
    return m.linear(m("Flatten", taken), 54)


@case()
def keras_one_value_either_way(m):
    maps = m("Relu", m.conv())
    one = m.weight(np.full([1, 1, 1, 1], 0.5))
    same = m("Where", m("Greater", maps, m.weight(0.25)), one, one)
    return m.scores(m("Add", maps, same))


@case(opset=17)
def script_padded_below(m):
    """`F.pad(x, ..., value=-math.inf)` before `MaxPool2d`, as timm writes it, and a number below all maps."""
    maps = m.conv()
    ways = [m("Pad", maps, m.ints(0, 0, 0, 1, 0, 0, 1, 1), m.weight(value)) for value in (-np.inf, -1e5)]
    pooled = [m("MaxPool", way, kernel_shape=[3, 3], strides=[2, 2]) for way in ways]
    return m.scores(m("Concat", *pooled, axis=1), 4, 5, 5)


@case([*LEVELS, "--range=0..255"], opset=17)
def script_part_of_bytes(m):
    """`(x / 255)[..., 1:9, 2:9]` before a convolution."""
    unit = m("Div", "input", m.weight(255))
    part = m("Slice", unit, m.ints(1, 2), m.ints(9, 9), m.ints(2, 3))
    return m.scores(m("Relu", m.conv(part)), 2, 8, 7)


@case(opset=21)
def quantised_to_a_named_type(m):
    """The type of integers is an attribute; there is no zero."""
    scale = m.weight(1 / 16)
    weights = m("QuantizeLinear", m.kernels(2), scale, output_dtype=TensorProto.INT8)
    weights = m("DequantizeLinear", weights, scale)
    return m.scores(m("Relu", m("Conv", "input", weights, kernel_shape=[3, 3], pads=[1] * 4)))


@case(opset=17)
def script_comparisons(m):
    """Of two maps with each other, of what grows with maps with a number, and with a number for each channel."""
    first, second = m.conv(), m.conv()
    larger = m("Cast", m("Greater", first, second), to=TensorProto.FLOAT)
    likely = m("Cast", m("Less", m("Sigmoid", first), m.weight(0.6875)), to=TensorProto.FLOAT)
    least = m("Max", second, m.weight(np.reshape([0.25, -0.5], [2, 1, 1])))
    most = m("Min", m.weight(np.reshape([0.5, 0.125], [1, 2, 1, 1])), first)
    return m.scores(m("Concat", larger, likely, least, most, axis=1), 8)


def write(folder, name, build, options, opset, sizes, kind, refused, outputs):
    m = Model(name)
    made = build(m)
    made = made if isinstance(made, list) else [made]
    graph = helper.make_graph(
        m.nodes, "main_graph", [helper.make_tensor_value_info("input", kind, sizes)],
        [helper.make_empty_tensor_value_info(output) for output in made], m.constants,
    )
    imports = [helper.make_opsetid("", opset)] + [helper.make_opsetid(*item) for item in m.imports.items()]
    model = helper.make_model(graph, opset_imports=imports, functions=m.functions, ir_version=10)
    expected = {"options": options}
    if refused:
        expected["refused"] = list(refused)
    elif outputs is not False:
        rng = random.Random(name)
        pictures = [[rng.randrange(256) for _ in range(SIZE[0] * SIZE[1])] for _ in range(2)]
        # Versions that onnxruntime does not have yet are the same for these operators.
        bytes_of = model.SerializeToString()
        if opset > 23:
            model.opset_import[0].version = 23
        settings = onnxruntime.SessionOptions()
        if any(node.op_type == "DequantizeLinear" for node in m.nodes):
            # Otherwise products with quantised weights are calculated in integers.
            settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
        expected["pictures"], expected["outputs"] = pictures, []
        for picture in pictures:
            dims = [1 if isinstance(size, str) else size for size in sizes]
            greys = np.array(picture, np.float64).reshape([1, *dims[1:]])
            white = 1 if "--range=0..1" in options or name == "script_centred" else 255
            greys = np.repeat(greys / 255 * white, dims[0], axis=0)
            values = (np.rint(greys) if kind == TensorProto.UINT8 else greys).astype(helper.tensor_dtype_to_np_dtype(kind))
            results = session.run(None, {"input": values})
            expected["outputs"].append([np.asarray(result[:1], np.float64).ravel().tolist() for result in results])
        model.opset_import[0].version = opset
        assert model.SerializeToString() == bytes_of
    # PyTorch writes the weights to a file beside the model.
    if name.startswith("dynamo_external"):
        location = f"{name}.onnx.data"
        onnx.save(model, f"{folder}/{name}.onnx", save_as_external_data=True, location=location, size_threshold=0)
        if name.endswith("missing"):
            os.remove(f"{folder}/{location}")
    else:
        onnx.save(model, f"{folder}/{name}.onnx")
    with open(f"{folder}/{name}.json", "w") as file:
        json.dump(expected, file)


if __name__ == "__main__":
    for name, given in CASES.items():
        write(sys.argv[1], name, *given)
