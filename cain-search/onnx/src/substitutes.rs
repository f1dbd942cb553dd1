//! What to train or export instead of an operator that has no counterpart.

use super::node::Node;

/// The beginning of the message for such an operator.
const NONE: &str = "no counterpart on the array or the controller";

/// Stands for the operators that exporters write for a normalisation by the numbers of the picture.
pub(crate) const PART_OF_NORMALISATION: &str = "a part of a normalisation";

/// What to write instead of these operators.
const SUBSTITUTES: [(&[&str], &str); 22] = [
    (
        &["Sigmoid"],
        "train with `torch.clamp(x / 4 + 0.5, 0, 1)` or a threshold; it may be returned for up to 16 numbers, and factors that \
         depend on the picture, as of squeeze and excitation, are not possible",
    ),
    (
        &["Tanh", "Softsign", "Atan"],
        "train with `Hardtanh`, which limits to -1 and 1; at the end leave it out, since it does not change which number is \
         the largest",
    ),
    (&["Sin", "Cos", "Tan", "Range"], "it may only be of constants; train with `ReLU` or `Hardtanh`"),
    (
        &["HardSwish", "Swish", "Gelu", "Erf", "Erfc", "Mish", "Elu", "Selu", "Celu", "Softplus"],
        "train with `ReLU`, or `LeakyReLU` with the slope 1/8",
    ),
    (
        &["InstanceNormalization", "LayerNormalization", "GroupNormalization", "RMSNormalization"],
        "train with `BatchNorm2d`, whose numbers are constants after training and become part of the weights",
    ),
    (
        &[PART_OF_NORMALISATION],
        "it is a part of a normalisation such as `LayerNorm`; train with `BatchNorm2d`, whose numbers are constants after training \
         and become part of the weights",
    ),
    (
        &["LRN", "LpNormalization", "MeanVarianceNormalization"],
        "train without it, or with `BatchNorm2d`, whose numbers are constants after training",
    ),
    (
        &["Resize", "Upsample", "GridSample", "AffineGrid"],
        "maps cannot be resized; train with pictures of the size that the network sees, leave resizing to the loader of the \
         data, and make maps smaller by strides or `AvgPool2d`",
    ),
    (
        &["ConvTranspose", "DepthToSpace", "Col2Im", "MaxUnpool", "CenterCropPad"],
        "maps cannot grow; make them smaller by strides or pooling only, or take `ConvTranspose2d` with a stride of 1",
    ),
    (
        &["ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceProd", "ReduceSumSquare"],
        "add up the values themselves, or their absolute values, by `sum` or `mean`",
    ),
    (
        &["ReduceMax", "ReduceMin"],
        "take the largest or the smallest over channels or over rows and columns, or maxima of windows with `MaxPool2d`",
    ),
    (&["GlobalLpPool", "LpPool"], "train with `MaxPool2d` or `AvgPool2d`"),
    (
        &["LSTM", "GRU", "RNN", "Scan", "Loop"],
        "a network sees one picture; what is kept from frame to frame is declared in a program of a kernel file",
    ),
    (&["If"], "export the model after `model.eval()`, for pictures of a fixed size, so that nothing is decided"),
    (&["Attention", "MultiHeadAttention", "Det", "Trilu", "CumSum"], "write it as convolutions or `Linear`"),
    (
        &["Exp", "Log", "Pow", "Sqrt", "Reciprocal", "Ceil", "Floor", "Round", "Mod", "Neg"],
        "the array adds, halves, rectifies and compares; train with these",
    ),
    (
        &["DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger"],
        "export the model in floating point, before it is quantised; the import rounds weights with `--depth`",
    ),
    (
        &["SplitToSequence", "GatherElements", "GatherND", "ScatterND", "ScatterElements", "Compress"],
        "take parts as slices such as `x[:, 0:2]`, and choose sizes of `AdaptiveAvgPool2d` that divide the rows and columns",
    ),
    (&["Gather"], "the places that are taken have to be constants"),
    (
        &["TopK", "Hardmax", "OneHot", "NonMaxSuppression", "NonZero", "Unique"],
        "return the numbers themselves, or the largest one and its place with `max`, `argmax` or `topk` with `k=1`",
    ),
    (
        &["Equal", "Xor", "IsNaN", "IsInf", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot"],
        "compare maps with constants by `>`, and combine bits with `Min`, `Max` or sums; layers `logic` of a kernel file have \
         all functions of bits",
    ),
    (
        &["RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli", "Multinomial"],
        "export the model after `model.eval()`",
    ),
];

/// The message for numbers of the picture that become integers.
pub(crate) const ROUNDED: &str = "rounds numbers of the picture to integers, which neither the array nor the controller does; \
     export the model in floating point, before it is quantised: weights may stay quantised, and the import rounds them \
     with `--depth`";

/// The message for a normalisation over a batch.
pub(crate) const NORMALISED: &str = "normalises over a batch; export the model after `model.eval()`";

/// What to do instead of operators of these domains.
const DOMAINS: [(&str, &str); 2] = [
    ("com.microsoft.", "export the model as it is, without optimising it by onnxruntime"),
    ("ai.onnx.ml.", "return the numbers of the last layer, without what turns them into labels"),
];

/// The message for a node that has no counterpart.
pub(crate) fn none(op: &str) -> String {
    let of_domain = DOMAINS.iter().find(|(domain, _)| op.starts_with(domain)).map(|(_, instead)| instead);
    if let Some(instead) = of_domain {
        return format!("{NONE}; {instead}");
    }
    let found = SUBSTITUTES.iter().find(|(ops, _)| ops.contains(&op));
    found.map_or(NONE.to_owned(), |(_, instead)| format!("{NONE}; {instead}"))
}

/// Whether an operator has no counterpart whatever it reads.
pub(crate) fn is_always_refused(op: &str) -> bool {
    // Some forms of these have one.
    const AT_TIMES: [&str; 17] = [
        "Sigmoid",
        "Tanh",
        "Sqrt",
        "Neg",
        "Round",
        "Floor",
        "Ceil",
        "Equal",
        "Xor",
        "Gather",
        "ReduceMax",
        "ReduceMin",
        "ReduceProd",
        "HardSigmoid",
        "Sum",
        "ConvTranspose",
        "TopK",
    ];
    let is_listed = SUBSTITUTES.iter().any(|(ops, _)| ops.contains(&op));
    (is_listed || DOMAINS.iter().any(|(domain, _)| op.starts_with(domain))) && !AT_TIMES.contains(&op)
}

/// The beginning of the message for padding by other numbers of the maps.
const PADDING: &str = "pads by ";

/// The message for a node that pads by other numbers of the maps, instead of by one number.
pub(crate) fn padding(node: &Node) -> Option<String> {
    let mode = node.text("mode").filter(|mode| node.op == "Pad" && !mode.is_empty() && mode != "constant")?;
    let layer = match mode.as_str() {
        "reflect" => " in place of `ReflectionPad2d`",
        "edge" => " in place of `ReplicationPad2d`",
        "wrap" => " in place of `CircularPad2d`",
        _ => "",
    };
    Some(format!(
        "{PADDING}`{mode}`; expected a number around maps, the mode `constant`: train with `padding_mode='zeros'`, or with `ZeroPad2d`{layer}"
    ))
}

/// Whether it is the message for a node that would be refused whatever it reads.
pub(crate) fn is_certain(problem: &str) -> bool {
    [NONE, PADDING, ROUNDED, NORMALISED].iter().any(|start| problem.starts_with(start))
}
