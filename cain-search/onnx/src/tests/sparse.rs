//! Tests with tensors of which only some numbers are listed.

use super::super::evaluator;
use super::super::proto::{SparseTensor, Tensor as Message};
use super::super::tensor::{MOST, Tensor};
use super::super::wire::Message as _;
use super::{integers, tensor};

fn sparse(dims: &[i64], places: &[i64], of: &[i64]) -> SparseTensor {
    SparseTensor {
        values: Some(Box::new(tensor("weights", &[2], vec![0.5, -1.0]))),
        indices: Some(Box::new(Message { dims: of.to_vec(), ..integers("", places) })),
        dims: dims.to_vec(),
    }
}

/// What the import and the evaluator of the check read.
fn both(message: &SparseTensor) -> (Result<Vec<f64>, String>, Result<Vec<f64>, String>) {
    let known = evaluator::proto::SparseTensor::decode(message.encode_to_vec().as_slice()).unwrap();
    let reals = |tensor: evaluator::Tensor| tensor.numbers.iter().map(|number| number.real()).collect();
    (Tensor::of_sparse(message, MOST).map(|tensor| tensor.values), evaluator::Tensor::of_sparse(&known).map(reals))
}

#[test]
fn places_count_all_numbers_or_have_an_index_for_each_axis() {
    let wanted = Ok(vec![0.0, 0.5, 0.0, 0.0, -1.0, 0.0]);
    for message in
        [sparse(&[2, 3], &[1, 4], &[2]), sparse(&[2, 3], &[0, 1, 1, 1], &[2, 2]), sparse(&[6], &[1, 4], &[2, 1])]
    {
        assert_eq!(both(&message), (wanted.clone(), wanted.clone()));
    }
}

#[test]
fn places_that_there_are_not_are_refused() {
    for (message, expected) in [
        (sparse(&[2, 3], &[1, 6], &[2]), "the place [6] is not within the sizes [2, 3]"),
        (sparse(&[2, 3], &[-1, 2], &[2]), "the place [-1] is not within the sizes [2, 3]"),
        (sparse(&[2, 3], &[0, 3, 1, 1], &[2, 2]), "the place [0, 3] is not within the sizes [2, 3]"),
        (sparse(&[2, 3], &[1, 2, 3], &[3]), "places of the sizes [3] for 2 numbers"),
        (sparse(&[1 << 40], &[1, 2], &[2]), "the sizes [1099511627776] are not possible"),
        (SparseTensor::default(), "its numbers or their places are missing"),
    ] {
        assert_eq!(Tensor::of_sparse(&message, MOST).unwrap_err(), expected);
    }
}

#[test]
fn few_bytes_do_not_stand_for_too_many_numbers() {
    let message = sparse(&[2, 3], &[1, 4], &[2]);
    assert!(Tensor::of_sparse(&message, 6).is_ok());
    assert_eq!(
        Tensor::of_sparse(&message, 5).unwrap_err(),
        format!("all sparse tensors up to this one have more than {MOST} numbers; export them densely")
    );
}
