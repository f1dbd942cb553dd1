//! Functions of the model that have the same name.

use super::super::evaluator::Graph;
use super::super::proto::{Function, Node};
use super::super::{Choices, Imported, read};
use super::{assert_near, model, node, outcome, picture};

fn function(overload: &str, op: &str) -> Function {
    Function {
        name: "bend".to_owned(),
        domain: "own".to_owned(),
        overload: overload.to_owned(),
        input: vec!["a".to_owned()],
        output: vec!["b".to_owned()],
        node: vec![node(op, &["a"], "b", &[])],
        ..Function::default()
    }
}

fn bytes(overload: &str, functions: &[(&str, &str)]) -> Vec<u8> {
    let call =
        Node { domain: "own".to_owned(), overload: overload.to_owned(), ..node("bend", &["picture"], "last", &[]) };
    let functions: Vec<Function> = functions.iter().map(|(overload, op)| function(overload, op)).collect();
    model(&[1, 1, 6, 6], &[call], &[], &["last"], &functions)
}

fn imported(bytes: &[u8]) -> Result<Imported, String> {
    read(bytes, "n", Choices { levels: (-60.0, 60.0), range: Some((-60.0, 60.0)), binarise: None, depth: None })
}

#[test]
fn the_overload_that_is_named_is_called() {
    let all = [("first", "Relu"), ("second", "Abs"), ("", "Relu")];
    let numbers: Vec<f64> = picture().into_iter().map(|pixel| f64::from(pixel) / 255.0 * 120.0 - 60.0).collect();
    for (overload, of) in [("first", (|number| number.max(0.0)) as fn(f64) -> f64), ("second", f64::abs)] {
        let wanted: Vec<f64> = numbers.iter().map(|number| of(*number)).collect();
        let bytes = bytes(overload, &all);
        assert_near(&outcome(&imported(&bytes).unwrap(), &picture()), &wanted, 1e-9);
        let outputs = Graph::read(&bytes).unwrap().outputs(&numbers).unwrap();
        assert_near(&outputs[0].numbers.iter().map(|number| number.real()).collect::<Vec<_>>(), &wanted, 1e-6);
    }
}

#[test]
fn overloads_that_are_missing_or_there_twice_are_refused() {
    let missing = imported(&bytes("third", &[("first", "Relu"), ("", "Abs")])).unwrap_err();
    assert!(missing.starts_with("node `last` (own.bend):"), "{missing}");
    let twice = imported(&bytes("first", &[("first", "Relu"), ("first", "Abs")])).unwrap_err();
    assert_eq!(twice, "there are two functions `bend` of the domain `own`; export the model again");
}
