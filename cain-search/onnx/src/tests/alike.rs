//! Operators that are others in disguise: each model makes the numbers of another one, and what the check evaluates.

use super::super::{Check, Choices, read};
use super::{assert_near, integers, model, node, outcome, picture, problem, tensor};
use crate::proto::{Attribute, Node, Tensor};

fn weights(name: &str, dims: &[i64]) -> Tensor {
    let count: i64 = dims.iter().product();
    let weight = |place: i64| f32::from(i16::try_from((place * 7 + 3) % 9).unwrap()) / 4.0 - 1.0;
    tensor(name, dims, (0..count).map(weight).collect())
}

fn constants() -> Vec<Tensor> {
    vec![
        weights("first", &[2, 1, 3, 3]),
        weights("growing", &[2, 3, 2, 3]),
        weights("turned", &[3, 2, 2, 3]),
        weights("of_groups", &[2, 1, 2, 2]),
        weights("matrix", &[3, 32]),
        weights("columns", &[32, 3]),
        weights("list", &[32]),
        weights("each", &[3, 2, 4, 4]),
        weights("channels", &[2]),
        weights("mixed", &[3, 2]),
        weights("bias", &[3, 1]),
        tensor("ahead", &[3], vec![0.0, 400.0, -400.0]),
        tensor("spread", &[1, 2, 1, 1], weights("channels", &[2]).float_data),
        integers("column", &[32, 1]),
        integers("all", &[32]),
        integers("one", &[1]),
        integers("two", &[2]),
        integers("sides", &[2, 3]),
    ]
}

/// Two maps of 4×4 pixels, and then these nodes.
fn behind(nodes: &[Node]) -> Vec<Node> {
    [&[node("Conv", &["picture", "first"], "maps", &[]), node("Flatten", &["maps"], "flat", &[])], nodes].concat()
}

fn einsum(equation: &str, inputs: &[&str], output: &str) -> Node {
    let s = equation.as_bytes().to_vec();
    let equation = Attribute { name: "equation".to_owned(), s, ..Attribute::default() };
    Node { attribute: vec![equation], ..node("Einsum", inputs, output, &[]) }
}

/// What the network of a model makes, which is what the check evaluates.
fn made(nodes: &[Node], constants: &[Tensor]) -> Vec<f64> {
    let choices = Choices { levels: (-60.0, 60.0), range: Some((-2.0, 2.0)), binarise: None, depth: None };
    let bytes = model(&[1, 1, 6, 6], &behind(nodes), constants, &["last"], &[]);
    let imported = read(&bytes, "n", choices).unwrap_or_else(|problem| panic!("{problem} of {nodes:?}"));
    let check = Check::new(&bytes, &imported, &imported.network, choices).unwrap();
    check.picture(&picture()).unwrap();
    outcome(&imported, &picture())
}

fn assert_alike(one: &[Node], other: &[Node], constants: &[Tensor]) {
    assert_near(&made(one, constants), &made(other, constants), 1e-6);
}

/// The kernels for `Conv` of those for `ConvTranspose`, whose first axis is that of the inputs.
fn kernels(weights: &Tensor, groups: usize) -> Tensor {
    let [inputs, outputs, rows, columns] =
        <[i64; 4]>::try_from(weights.dims.clone()).unwrap().map(|size| usize::try_from(size).unwrap());
    let own = inputs / groups;
    let mut turned = Vec::new();
    for output in 0..outputs * groups {
        for input in 0..own {
            let start = ((output / outputs * own + input) * outputs + output % outputs) * rows * columns;
            turned.extend(weights.float_data[start..start + rows * columns].iter().rev());
        }
    }
    let dims = [outputs * groups, own, rows, columns].map(|size| i64::try_from(size).unwrap());
    tensor("turned", &dims, turned)
}

#[test]
fn transposed_convolutions_of_stride_one_are_convolutions() {
    let read_out = node("Flatten", &["sums"], "last", &[]);
    for (name, groups, dilation, pads) in [
        ("growing", 1, 1, [0, 0, 0, 0]),
        ("growing", 1, 1, [1, 0, 0, 2]),
        ("growing", 1, 2, [1, 3, 2, 1]),
        ("of_groups", 2, 1, [1, 1, 1, 1]),
    ] {
        let mut constants = constants();
        let given = constants.iter().find(|tensor| tensor.name == name).unwrap();
        let turned = kernels(given, groups);
        let (rows, columns) = (turned.dims[2], turned.dims[3]);
        constants.retain(|tensor| tensor.name != "turned");
        constants.push(turned);
        let groups = [i64::try_from(groups).unwrap()];
        let around = [rows, columns, rows, columns].map(|size| (size - 1) * dilation);
        let padding: Vec<i64> = around.iter().zip(pads).map(|(all, cut)| all - cut).collect();
        let apart = [dilation; 2];
        let attributes = |pads| [("group", &groups[..]), ("dilations", &apart[..]), ("pads", pads)];
        let grown = node("ConvTranspose", &["maps", name], "sums", &attributes(&pads));
        let sums = node("Conv", &["maps", "turned"], "sums", &attributes(&padding));
        let [grown, sums] = [grown, sums].map(|node| {
            // Sizes are lists, and the number of groups is not.
            let attribute = node.attribute.into_iter().map(|mut attribute| {
                if attribute.name == "group" {
                    attribute.ints = Vec::new();
                }
                attribute
            });
            Node { attribute: attribute.collect(), ..node }
        });
        assert_alike(&[grown, read_out.clone()], &[sums, read_out.clone()], &constants);
    }
    let grown = |attributes| behind(&[node("ConvTranspose", &["maps", "growing"], "last", attributes)]);
    let found = problem(&grown(&[("strides", &[2, 2])]), &constants());
    assert!(found.contains("maps cannot grow; ") && found.ends_with("with a stride of 1"), "{found}");
    let found = problem(&grown(&[("pads", &[2, 0, 0, 0])]), &constants());
    assert!(found.ends_with("cuts off more than its kernels add; crop the maps by a slice instead"), "{found}");
}

#[test]
fn sums_over_letters_are_layers() {
    let product = |weights: &str| node("MatMul", &["flat", weights], "last", &[]);
    let flat = |from: &str| node("Flatten", &[from], "last", &[]);
    let constants = constants();
    for (equation, inputs, other) in [
        ("bi,io->bo", &["flat", "columns"][..], vec![product("columns")]),
        ("i o , b i", &["columns", "flat"], vec![product("columns")]),
        ("bi,i->b", &["flat", "list"], vec![product("list")]),
        (
            "bi,oi->ob",
            &["flat", "matrix"],
            vec![
                node("Gemm", &["flat", "matrix"], "sums", &[("transB", &[1])]),
                node("Transpose", &["sums"], "last", &[]),
            ],
        ),
        ("bchw,ochw->bo", &["maps", "each"], vec![node("Conv", &["maps", "each"], "sums", &[]), flat("sums")]),
        ("bchw->bc", &["maps"], vec![node("ReduceSum", &["maps", "sides"], "last", &[("keepdims", &[0])])]),
    ] {
        assert_alike(&[einsum(equation, inputs, "last")], &other, &constants);
    }
    for (equation, inputs, other) in [
        ("bchw,c->bchw", &["maps", "channels"][..], node("Mul", &["maps", "spread"], "more", &[])),
        ("oc,bchw->bohw", &["mixed", "maps"], node("Conv", &["maps", "single"], "more", &[])),
        ("bchw->bcwh", &["maps"], node("Transpose", &["maps"], "more", &[("perm", &[0, 1, 3, 2])])),
    ] {
        let single = tensor("single", &[3, 2, 1, 1], weights("mixed", &[3, 2]).float_data);
        let constants = [constants.clone(), vec![single]].concat();
        assert_alike(&[einsum(equation, inputs, "more"), flat("more")], &[other, flat("more")], &constants);
    }
}

#[test]
fn other_sums_over_letters_are_refused() {
    for (equation, inputs, expected) in [
        ("bi,bi->b", &["flat", "flat"][..], "multiplies two results; one of them has to be weights"),
        ("bchw,cohw->bco", &["maps", "apart"], "both inputs and the result have the letter `c`"),
        ("bi,io", &["flat"], "reads 1 arrays by an equation of 2"),
        ("b...,i->b", &["flat", "list"], "the equation is `b...,i->b`; expected a letter for each axis"),
        ("bii,i->b", &["flat", "list"], "the equation `bii,i->b` has a letter twice in `bii`"),
        ("bij,i->b", &["flat", "list"], "reads the sizes [1, 32] as `bij`; expected a letter for each"),
        ("bi,bo->o", &["flat", "matrix"], "the letter `b` stands for 1 numbers and for 3 weights"),
        ("bi,i->bz", &["flat", "list"], "the result has the letter `z`, which no input has"),
    ] {
        let constants = [constants(), vec![weights("apart", &[2, 3, 4, 4])]].concat();
        let found = problem(&behind(&[einsum(equation, inputs, "last")]), &constants);
        assert!(found.starts_with(&format!("node `last` (Einsum): {expected}")), "{found}");
    }
}

#[test]
fn weights_may_stand_on_the_left() {
    let column = || node("Reshape", &["flat", "column"], "numbers", &[]);
    let list = || node("Reshape", &["flat", "all"], "numbers", &[]);
    let right = |bias: &str| {
        let inputs: &[&str] = if bias.is_empty() { &["flat", "matrix"] } else { &["flat", "matrix", bias] };
        vec![node("Gemm", inputs, "last", &[("transB", &[1])])]
    };
    let mut constants = constants();
    constants.push(tensor("biases", &[3], weights("bias", &[3, 1]).float_data));
    let gemm = |inputs: &[&str], attributes: &[(&str, &[i64])]| node("Gemm", inputs, "last", attributes);
    for (left, other) in [
        (vec![column(), gemm(&["matrix", "numbers"], &[])], right("")),
        (vec![column(), gemm(&["matrix", "numbers", "bias"], &[])], right("biases")),
        (vec![gemm(&["matrix", "flat", "bias"], &[("transB", &[1])])], right("biases")),
        (
            vec![column(), gemm(&["columns", "numbers"], &[("transA", &[1])])],
            vec![node("MatMul", &["flat", "columns"], "last", &[])],
        ),
        (vec![list(), node("MatMul", &["matrix", "numbers"], "last", &[])], right("")),
        (
            vec![column(), node("MatMul", &["list", "numbers"], "last", &[])],
            vec![node("MatMul", &["flat", "list"], "last", &[])],
        ),
    ] {
        assert_alike(&left, &other, &constants);
    }
    let found = problem(&behind(&[gemm(&["matrix", "flat"], &[])]), &constants);
    assert_eq!(found, "node `last` (Gemm): weights for 32 numbers, but reads [1, 32] numbers");
}

#[test]
fn the_first_in_order_is_the_largest_or_the_smallest() {
    let constants = constants();
    let scores = || node("Gemm", &["flat", "columns", "ahead"], "scores", &[]);
    let first = |output: usize, attributes: &[(&str, &[i64])]| {
        let mut first = node("TopK", &["scores", "one"], "", attributes);
        first.output = ["other", "other"].map(str::to_owned).to_vec();
        first.output[output] = "last".to_owned();
        first.output[1 - output] = String::new();
        vec![scores(), first]
    };
    let other = |op: &str| vec![scores(), node(op, &["scores"], "last", &[("axis", &[1]), ("axes", &[1])])];
    assert_alike(&first(0, &[]), &other("ReduceMax"), &constants);
    assert_alike(&first(1, &[("axis", &[1])]), &other("ArgMax"), &constants);
    assert_alike(&first(0, &[("largest", &[0])]), &other("ReduceMin"), &constants);
    assert_alike(&first(1, &[("largest", &[0])]), &other("ArgMin"), &constants);
    let two = Node { input: ["scores", "two"].map(str::to_owned).to_vec(), ..first(0, &[]).remove(1) };
    let found = problem(&behind(&[scores(), two]), &constants);
    assert!(found.ends_with("`max`, `argmax` or `topk` with `k=1`"), "{found}");
}
