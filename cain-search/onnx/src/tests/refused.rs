//! Forms of supported operators that are refused.

use super::super::proto::{Attribute, Tensor};
use super::{imported, integers, node, problem, tensor};

fn whole(name: &str, code: i32, dims: &[i64], values: &[i32]) -> Tensor {
    Tensor {
        dims: dims.to_vec(),
        data_type: code,
        int32_data: values.to_vec(),
        name: name.to_owned(),
        ..Tensor::default()
    }
}

#[test]
fn padding_that_is_not_of_one_number_around_maps_is_refused() {
    let pad = |from: &str| node("Pad", &[from, "pads", "value"], "last", &[]);
    let zeros = |pads: &[i64]| [integers("pads", pads), tensor("value", &[1], vec![0.0])];
    let around = [0, 0, 1, 1, 0, 0, 1, 1];
    for (pads, expected) in [
        (&[0, 0, -3, 0, 0, 0, -3, 0][..], "node `last` (Pad): cuts off 6 of 6 along axis 2, so that nothing is left"),
        (&[0, 0, i64::MIN, 0, 0, 0, 0, 0], "node `last` (Pad): a padding of -9223372036854775808; expected from -256"),
        (&[1, 0, 0, 0, 0, 0, 0, 0], "node `last` (Pad): pads axis 0; expected channels, rows and columns only"),
        (&[0, 200, 0, 0, 0, 100, 0, 0], "node `last` (Pad): makes 301 maps; at most 256 are possible"),
        (&[1, 1], "node `last` (Pad): 2 numbers of the padding; expected 8"),
    ] {
        let found = problem(&[pad("picture")], &zeros(pads));
        assert!(found.starts_with(expected), "{found}");
    }
    let [pads, _] = zeros(&around);
    let several = [pads.clone(), tensor("value", &[2], vec![1.0; 2])];
    assert_eq!(problem(&[pad("picture")], &several), "node `last` (Pad): pads with several numbers; expected one");
    let bits = [
        node("Greater", &["picture", "zero"], "bits", &[]),
        node("Cast", &["bits"], "whole", &[("to", &[6])]),
        pad("whole"),
    ];
    let one = [tensor("zero", &[], vec![0.0]), pads.clone(), whole("value", 6, &[], &[3])];
    let found = problem(&bits, &one);
    assert_eq!(found, "node `last` (Pad): pads whole numbers with 3; cast them to float first, or pad with zeros");
    let flat = [node("Flatten", &["picture"], "flat", &[]), pad("flat")];
    let found = problem(&flat, &zeros(&[0, 1, 0, 1]));
    assert_eq!(found, "node `last` (Pad): reads the sizes [1, 36]; expected maps, [1, channels, rows, columns]");
    let mut reflected = pad("picture");
    let mode = b"reflect".to_vec();
    reflected.attribute = vec![Attribute { name: "mode".to_owned(), s: mode, ..Attribute::default() }];
    let found = problem(&[reflected], &zeros(&around));
    let expected = "node `last` (Pad): pads by `reflect`; expected a number around maps, the mode `constant`: train with \
                    `padding_mode='zeros'`, or with `ZeroPad2d` in place of `ReflectionPad2d`";
    assert_eq!(found, expected);
}

#[test]
fn places_that_cannot_be_taken_are_named() {
    let gather = |axis: i64| [node("Gather", &["picture", "places"], "last", &[("axis", &[axis])])];
    for (axis, places, expected) in [
        (3, &[6][..], "takes place 6 along axis 3, which has 6"),
        (1, &[-2], "takes place -2 along axis 1, which has 1"),
        (2, &[], "takes no places"),
        (4, &[0], "axis 4 of 4 sizes"),
    ] {
        let found = problem(&gather(axis), &[integers("places", places)]);
        assert!(found.starts_with(&format!("node `last` (Gather): {expected}")), "{found}");
    }
}

#[test]
fn quantised_numbers_that_no_layer_has_are_refused() {
    let of = |op: &str, from: &str| node(op, &[from, "scale", "zero"], "last", &[]);
    let with = |scale: &[f32], zero: Tensor| {
        let dims: &[i64] = if scale.len() == 1 { &[] } else { &[2] };
        let weights = whole("weights", 3, &[2, 3], &[1, 2, 3, 4, 5, 6]);
        [tensor("scale", dims, scale.to_vec()), zero, weights]
    };
    let byte = || whole("zero", 3, &[], &[0]);
    for (last, constants, expected) in [
        (of("QuantizeLinear", "picture"), with(&[0.5], byte()), "rounds numbers of the picture to integers"),
        (
            of("QuantizeLinear", "picture"),
            with(&[0.5], whole("zero", 6, &[], &[0])),
            "makes numbers of the type int32; expected int8, uint8 or int16",
        ),
        (of("DequantizeLinear", "picture"), with(&[0.5], byte()), "reads numbers of the type float; expected int8"),
        (of("DequantizeLinear", "weights"), with(&[0.0], byte()), "has factors that are not positive floating point"),
        (
            of("DequantizeLinear", "weights"),
            with(&[0.5], whole("zero", 2, &[], &[0])),
            "has uint8 for 0 beside numbers of the type int8",
        ),
        (
            of("DequantizeLinear", "weights"),
            with(&[0.5, 0.25], byte()),
            "has factors of the sizes [2] and zeros of the sizes []",
        ),
        (
            of("DequantizeLinear", "weights"),
            with(&[0.5, 0.25], whole("zero", 3, &[2], &[0, 0])),
            "has factors of the sizes [2] for 3 places along axis 1",
        ),
    ] {
        let found = problem(std::slice::from_ref(&last), &constants);
        assert!(found.starts_with(&format!("node `last` ({}): {expected}", last.op_type)), "{found}");
    }
}

/// A product of matrices has at most one matrix of weights.
#[test]
fn products_with_several_matrices_are_refused() {
    let nodes = [node("Flatten", &["picture"], "flat", &[]), node("MatMul", &["flat", "weights"], "last", &[])];
    let found = problem(&nodes, &[tensor("weights", &[2, 36, 1], vec![0.5; 72])]);
    assert_eq!(found, "node `last` (MatMul): the weights have the sizes [2, 36, 1]; expected a matrix");
    assert!(imported(&nodes, &[tensor("weights", &[1, 36, 1], vec![0.5; 36])], &["last"]).is_ok());
}

/// Products of bits are bits; other products are refused, and so are the largest numbers along rows.
#[test]
fn products_and_extremes_of_other_numbers_are_refused() {
    let bits = |at: &str, name: &str| {
        let condition = format!("{name}_condition");
        [node("Greater", &["picture", at], &condition, &[]), node("Cast", &[&condition], name, &[("to", &[1])])]
    };
    let product = |factor: &str| {
        let all = [bits("zero", "first"), bits("five", "second")].concat();
        [all, vec![node("Mul", &["first", factor], "last", &[])]].concat()
    };
    let constants = [tensor("zero", &[], vec![0.0]), tensor("five", &[], vec![5.0]), integers("columns", &[3])];
    assert!(imported(&product("second"), &constants, &["last"]).is_ok());
    let of_others = [
        &bits("five", "first")[..],
        &[node("Abs", &["picture"], "size", &[]), node("Mul", &["first", "size"], "last", &[])],
    ];
    let found = problem(&of_others.concat(), &constants);
    assert!(found.starts_with("node `last` (Mul): multiplies two results"), "{found}");
    assert!(
        found.ends_with("one of others, for numbers `x` from 0 to `top`, as `torch.minimum(x, top * mask)`"),
        "{found}"
    );
    let found = problem(&[node("ReduceMax", &["picture"], "last", &[("axes", &[2])])], &constants);
    assert!(found.contains("take the largest or the smallest over channels or over rows and columns"), "{found}");
    let found = problem(&[node("Equal", &["picture", "five"], "last", &[])], &constants);
    assert!(found.starts_with("node `last` (Equal): no counterpart"), "{found}");
}

/// The greys of a picture are values of the type of the input.
#[test]
fn greys_that_the_input_does_not_have_are_refused() {
    use crate::kind::Kind;
    let check = |code: i64, range: (f64, f64), is_binary| {
        crate::picture::check_range(Kind::of(code).unwrap(), range, is_binary)
    };
    let (float, byte, signed, word, bool) = (1, 2, 3, 6, 9);
    for (code, range, is_binary) in [
        (float, (0.0, 1.0), false),
        (byte, (0.0, 255.0), false),
        (byte, (255.0, 0.0), false),
        (byte, (0.0, 1.0), true),
        (signed, (-128.0, 127.0), false),
        (signed, (-1.0, 1.0), true),
        (word, (0.0, 510.0), false),
        (bool, (0.0, 1.0), true),
    ] {
        assert_eq!(check(code, range, is_binary), Ok(()), "{code} {range:?} {is_binary}");
    }
    for (code, range, is_binary, expected) in [
        (
            signed,
            (0.0, 255.0),
            false,
            "type int8, which does not have all greys between 0 and 255; give `--range -128..127`",
        ),
        (byte, (-1.0, 1.0), true, "type uint8, which does not have all greys between -1 and 1; give `--range 0..255`"),
        (byte, (0.0, 1.0), false, "give `--range 0..255`, or whole numbers and `--binarise GREY`"),
        (word, (0.0, 1.0), false, "type int32"),
        (bool, (0.0, 1.0), false, "add `--binarise GREY` with `--range 0..1`"),
    ] {
        let found = check(code, range, is_binary).unwrap_err();
        assert!(found.contains(expected), "{found}");
    }
}

/// The array cannot divide by another number at the border; the controller can.
#[test]
fn means_over_fewer_pixels_at_the_border_are_only_read_out() {
    let sizes: [(&str, &[i64]); 3] = [("kernel_shape", &[3, 3]), ("strides", &[2, 2]), ("pads", &[1, 1, 1, 1])];
    let mean = || node("AveragePool", &["picture"], "mean", &sizes);
    let counted: Vec<_> = sizes.into_iter().chain([("count_include_pad", &[1][..])]).collect();
    let kernel = [tensor("edge", &[1, 1, 1, 2], vec![1.0, -1.0])];
    let last = || node("Conv", &["mean", "edge"], "last", &[]);
    let found = problem(&[mean(), last()], &kernel);
    assert!(found.starts_with("layer `mean`: takes means over fewer pixels at the border"), "{found}");
    assert!(imported(&[node("AveragePool", &["picture"], "mean", &counted), last()], &kernel, &["last"]).is_ok());
    assert!(imported(&[mean(), node("Flatten", &["mean"], "last", &[])], &kernel, &["last"]).is_ok());
}

#[test]
fn slopes_that_are_no_numbers_are_refused() {
    let alpha = |f: f32| {
        let attribute = Attribute { name: "alpha".to_owned(), f, ..Attribute::default() };
        let leaky = node("LeakyRelu", &["picture"], "last", &[]);
        problem(&[super::proto::Node { attribute: vec![attribute], ..leaky }], &[])
    };
    assert_eq!(alpha(f32::NAN), "node `last` (LeakyRelu): has the number NaN as `alpha`, which is not finite");
    assert_eq!(alpha(f32::INFINITY), "node `last` (LeakyRelu): has the number inf as `alpha`, which is not finite");
}

/// What is the same for every picture is no map that the array makes.
#[test]
fn constants_beside_maps_are_told() {
    let constants = [tensor("same", &[1, 1, 6, 6], vec![0.5; 36]), tensor("weights", &[1, 2, 1, 1], vec![1.0; 2])];
    let nodes = [
        node("Concat", &["picture", "same"], "both", &[("axis", &[1])]),
        node("Conv", &["both", "weights"], "last", &[]),
    ];
    let found = problem(&nodes, &constants);
    let expected = "node `both` (Concat): expected maps of the picture, but reads numbers of the sizes [1, 1, 6, 6] that are the \
                    same for every picture, which the array does not make; leave them out before the export";
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn models_with_too_many_layers_are_refused() {
    let name = |place: usize| if place == 5000 { "last".to_owned() } else { format!("n{place}") };
    let read = |place: usize| if place == 0 { "picture".to_owned() } else { name(place) };
    let bent = |place: usize| node("Relu", &[&read(place)], &name(place + 1), &[]);
    let nodes: Vec<_> = (0..5000).map(bent).collect();
    let found = problem(&nodes, &[]);
    assert!(found.ends_with(" layers; a network has at most 4096"), "{found}");
}

/// The mean of the picture is at fault, not the convolution that would need it on the array.
#[test]
fn means_of_the_picture_are_named() {
    let constants = [tensor("edge", &[1, 1, 1, 2], vec![1.0, -1.0]), tensor("zero", &[], vec![0.0])];
    let mean = |axes: &[i64]| node("ReduceMean", &["picture"], "mean", &[("axes", axes)]);
    let difference = node("Sub", &["picture", "mean"], "difference", &[]);
    for last in [
        node("Conv", &["difference", "edge"], "last", &[]),
        node("Greater", &["difference", "zero"], "last", &[]),
        node("MaxPool", &["difference"], "last", &[("kernel_shape", &[2, 2])]),
    ] {
        let found = problem(&[mean(&[2, 3]), difference.clone(), last], &constants);
        let expected = "node `mean` (ReduceMean): makes the mean of all pixels of a map, a number on the controller";
        assert!(found.starts_with(expected), "{found}");
    }
    let flat = node("Flatten", &["difference"], "last", &[]);
    assert!(imported(&[mean(&[2, 3]), difference, flat], &constants, &["last"]).is_ok());
}

/// Types have their names in messages.
#[test]
fn types_that_are_not_read_are_named() {
    let of_type = |code: i32| whole("numbers", code, &[1], &[1]);
    let add = [node("Add", &["picture", "numbers"], "last", &[])];
    for (code, name) in [(13, "UINT64"), (22, "INT4"), (8, "STRING"), (99, "with the unknown code 99")] {
        let expected = format!("tensor `numbers`: numbers of the type {name}; expected FLOAT, DOUBLE, FLOAT16, ");
        let found = problem(&add, &[of_type(code)]);
        assert!(found.starts_with(&expected), "{found}");
    }
    let cast = [node("Cast", &["picture"], "last", &[("to", &[8])])];
    let expected = "node `last` (Cast): casts to the type STRING; expected floating point, integers or bool";
    assert_eq!(problem(&cast, &[]), expected);
}
