//! Tests how weights are read, in each of the forms that files have.

use super::super::evaluator;
use super::super::proto::Tensor as Message;
use super::super::tensor::Tensor;
use super::super::wire::Message as _;
use super::{assert_near, imported, node, outcome, picture, tensor};

/// What the import and the evaluator of the check read.
fn both(message: &Message) -> (Result<Vec<f64>, String>, Result<Vec<f64>, String>) {
    let known = evaluator::proto::Tensor::decode(message.encode_to_vec().as_slice()).unwrap();
    let checked = evaluator::Tensor::read(&known);
    let reals = |tensor: evaluator::Tensor| tensor.numbers.iter().map(|number| number.real()).collect();
    (Tensor::read(message).map(|tensor| tensor.values), checked.map(reals))
}

/// Numbers of two bytes are in raw bytes, or in the lower halves of integers.
#[test]
fn numbers_of_two_bytes_are_read() {
    let half = [
        (0x3C00_u16, 1.0),
        (0xC100, -2.5),
        (0x7BFF, 65504.0),
        (0x0400, 2_f64.powi(-14)),
        (0x0001, 2_f64.powi(-24)),
        (0x8000, 0.0),
        (0x3555, 0.333_251_953_125),
    ];
    let upper_half = [(0x3F80_u16, 1.0), (0xC020, -2.5), (0x0080, 2_f64.powi(-126)), (0x4049, 3.140_625)];
    for (kind, numbers) in [(10, &half[..]), (16, &upper_half)] {
        let (codes, wanted): (Vec<u16>, Vec<f64>) = numbers.iter().copied().unzip();
        let of_kind =
            Message { dims: vec![i64::try_from(codes.len()).unwrap()], data_type: kind, ..Message::default() };
        let raw = Message { raw_data: codes.iter().flat_map(|code| code.to_le_bytes()).collect(), ..of_kind.clone() };
        let whole = Message { int32_data: codes.iter().map(|code| i32::from(*code)).collect(), ..of_kind };
        for message in [raw, whole] {
            assert_eq!(both(&message), (Ok(wanted.clone()), Ok(wanted.clone())));
        }
    }
    for code in [0x7C00_u16, 0xFC00, 0x7E00] {
        let infinite =
            Message { dims: vec![1], data_type: 10, raw_data: code.to_le_bytes().to_vec(), ..Message::default() };
        assert!(Tensor::read(&infinite).unwrap().not_finite().is_some());
    }
}

/// No number is made up for one whose bytes are missing.
#[test]
fn bytes_that_end_within_a_number_are_refused() {
    for (bytes, count) in [(11, 3), (3, 1), (3, 0)] {
        let message = Message { dims: vec![count], data_type: 1, raw_data: vec![0; bytes], ..Message::default() };
        let (read, checked) = both(&message);
        assert_eq!(read, Err(format!("{bytes} bytes; expected 4 for each number")));
        assert!(checked.is_err());
    }
}

#[test]
fn tensors_of_the_same_name_are_refused() {
    let nodes = [node("Conv", &["picture", "weights"], "last", &[])];
    let weights = |value: f32| tensor("weights", &[1, 1, 1, 1], vec![value]);
    imported(&nodes, &[weights(1.0)], &["last"]).unwrap();
    let problem = imported(&nodes, &[weights(1.0), weights(2.0)], &["last"]).unwrap_err();
    assert_eq!(problem, "tensor `weights`: there are two of this name; export the model again");
}

/// The largest of numbers, of constants that differ by channels and of such that do not.
#[test]
fn several_constants_are_bounds_together() {
    let constants = [
        tensor("kernels", &[2, 1, 1, 1], vec![1.0, -0.5]),
        tensor("all", &[], vec![4.0]),
        tensor("each", &[2, 1, 1], vec![12.0, -9.0]),
    ];
    let maps = [node("Conv", &["picture", "kernels"], "maps", &[]), node("Neg", &["maps"], "others", &[])];
    let greys: Vec<f64> = picture().iter().map(|grey| f64::from(*grey) / 255.0 * 120.0 - 60.0).collect();
    let maps_of = |factor: f64| greys.iter().map(move |grey| factor * grey);
    for (inputs, bounds) in [
        (&["maps", "all", "each"][..], [12.0, 4.0]),
        (&["each", "maps", "all"], [12.0, 4.0]),
        (&["maps", "each", "others"], [12.0, -9.0]),
        (&["others", "all", "maps", "each"], [12.0, 4.0]),
    ] {
        let nodes = [&maps[..], &[node("Max", inputs, "last", &[])]].concat();
        let found = imported(&nodes, &constants, &["last"]).unwrap();
        let has_others = inputs.contains(&"others");
        let most = |number: f64, bound: f64| if has_others { number.abs().max(bound) } else { number.max(bound) };
        let wanted: Vec<f64> = [(1.0, bounds[0]), (-0.5, bounds[1])]
            .into_iter()
            .flat_map(|(factor, bound)| maps_of(factor).map(move |number| most(number, bound)))
            .collect();
        assert_near(&outcome(&found, &picture()), &wanted, 1e-9);
    }
}
