//! Tests with models for several pictures, of which a network has only one.

use super::{imported_batch, integers, node, tensor};
use crate::proto;

/// The constants of the models here.
fn constants() -> [proto::Tensor; 10] {
    [
        integers("first", &[0]),
        integers("second", &[1]),
        integers("all", &[4]),
        integers("row", &[1, 36]),
        integers("rows", &[4, 36]),
        integers("open_row", &[4, -1]),
        integers("rest", &[-1]),
        integers("ten_columns", &[4, 10, 36]),
        proto::Tensor { dims: Vec::new(), ..integers("place", &[0]) },
        tensor("weights", &[36, 2], vec![0.5; 72]),
    ]
}

/// The error for a batch of four pictures, of any number of them (0), or of one.
fn of_batch(pictures: i64, last: &[proto::Node]) -> Result<(), String> {
    let begin = [node("Relu", &["picture"], "positive", &[]), node("Flatten", &["positive"], "flat", &[])];
    imported_batch(pictures, &[&begin, last].concat(), &constants(), &["last"]).map(drop)
}

fn assert_refused(pictures: i64, last: &[proto::Node]) {
    let found = of_batch(pictures, last).expect_err(&format!("{pictures}: {last:?}"));
    assert!(found.contains("several pictures of a batch") || found.contains("the number of pictures"), "{found}");
}

/// Nodes that compute something else for several pictures than for each.
#[test]
fn pictures_of_a_batch_stay_apart() {
    let difference = || node("Sub", &["flat", "part"], "last", &[]);
    let size = |op: &str, output: &str| node(op, &["flat"], output, &[]);
    for last in [
        vec![node("ReduceSum", &["flat", "first"], "last", &[])],
        vec![node("ReduceSum", &["flat"], "last", &[])],
        vec![node("ReduceMean", &["positive"], "last", &[("axes", &[0, 2, 3])])],
        vec![node("Transpose", &["flat"], "last", &[])],
        vec![node("Concat", &["flat", "flat"], "last", &[("axis", &[0])])],
        vec![node("Slice", &["flat", "first", "second", "first"], "part", &[]), difference()],
        vec![node("Gather", &["flat", "place"], "part", &[("axis", &[0])]), difference()],
        vec![
            node("Unsqueeze", &["flat", "first"], "rows_first", &[]),
            node("Unsqueeze", &["flat", "second"], "rows_second", &[]),
            node("Sub", &["rows_first", "rows_second"], "last", &[]),
        ],
        vec![
            size("Size", "count"),
            node("Cast", &["count"], "factor", &[("to", &[1])]),
            node("Mul", &["flat", "factor"], "last", &[]),
        ],
        vec![
            size("Shape", "sizes"),
            node("Gather", &["sizes", "place"], "count", &[("axis", &[0])]),
            node("Cast", &["count"], "factor", &[("to", &[1])]),
            node("Mul", &["flat", "factor"], "last", &[]),
        ],
    ] {
        assert!(of_batch(1, &last).is_ok(), "{last:?}");
        assert_refused(4, &last);
        assert_refused(0, &last);
    }
    assert_refused(4, &[node("Softmax", &["flat"], "last", &[("axis", &[0])])]);
    assert_refused(0, &[node("Softmax", &["flat"], "last", &[("axis", &[0])])]);
}

/// A model for any number of pictures may have new sizes for one, or take one; a model for four has to keep all of them.
#[test]
fn an_open_batch_may_mean_one_picture() {
    for last in [
        node("Flatten", &["positive"], "last", &[("axis", &[0])]),
        node("Reshape", &["positive", "row"], "last", &[]),
        node("Reshape", &["positive", "rest"], "last", &[]),
        node("Squeeze", &["positive"], "last", &[]),
        node("Slice", &["flat", "first", "second", "first"], "last", &[]),
        node("Gather", &["flat", "place"], "last", &[("axis", &[0])]),
    ] {
        let last = [last];
        assert!(of_batch(1, &last).is_ok() && of_batch(0, &last).is_ok(), "{last:?}");
        assert_refused(4, &last);
    }
}

/// Sizes with the number of pictures in front, constant or computed, and parts of sizes that do not depend on it.
#[test]
fn sizes_may_begin_with_the_number_of_pictures() {
    let product = || node("MatMul", &["again", "weights"], "last", &[]);
    let shape = || node("Shape", &["positive"], "sizes", &[]);
    for last in [
        vec![node("Relu", &["flat"], "last", &[])],
        vec![node("Slice", &["flat", "first", "all", "first"], "last", &[])],
        vec![node("Reshape", &["positive", "rows"], "again", &[]), product()],
        vec![node("Reshape", &["positive", "open_row"], "again", &[]), product()],
        vec![
            shape(),
            node("Slice", &["sizes", "first", "second"], "count", &[]),
            node("Concat", &["count", "rest"], "to", &[("axis", &[0])]),
            node("Reshape", &["positive", "to"], "again", &[]),
            product(),
        ],
        vec![
            shape(),
            node("Gather", &["sizes", "second"], "channels", &[("axis", &[0])]),
            node("Cast", &["channels"], "factor", &[("to", &[1])]),
            node("Mul", &["flat", "factor"], "last", &[]),
        ],
        vec![node("Unsqueeze", &["flat", "second"], "more", &[]), node("Squeeze", &["more", "second"], "last", &[])],
        vec![
            node("Transpose", &["flat"], "turned", &[]),
            node("Relu", &["turned"], "rectified", &[]),
            node("Transpose", &["rectified"], "last", &[]),
        ],
    ] {
        let found = of_batch(4, &last);
        assert!(found.is_ok(), "{last:?}: {found:?}");
    }
    assert_refused(4, &[node("Reshape", &["flat", "row"], "last", &[])]);
    assert!(of_batch(4, &[node("Reshape", &["flat", "ten_columns"], "last", &[])]).is_err());
}
