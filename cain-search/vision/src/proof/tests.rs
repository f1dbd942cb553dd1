//! What is wrong is not proved.

use cain_analysis::owned::Step;
use cain_digital::Logic;
use cain_isa::{Cells, Displacement, Fraction, Machine};
use cain_search::Options;

use super::prove;
use crate::compile::{Order, Searches, plan};
use crate::declaration::{
    Builder, Declaration, First, Kind, Number, Operation, Result as Outcome, Storage, Summand, Until, Value,
};
use crate::plan::Piece;

fn levels() -> Kind {
    Kind::Levels { low: -50.0, high: 50.0 }
}

fn pixel(input: usize, x: i16, y: i16) -> Logic {
    Logic::pixel(input, Displacement::new(x, y))
}

fn define(builder: &mut Builder, function: Logic, of: &[Value]) -> Value {
    builder.define(Operation::Logic { function, of: of.to_vec() }).unwrap()
}

/// A threshold, a loop, a decision, a list, and states.
fn declaration() -> Declaration {
    let mut builder = Builder::new("all", Machine::SCAMP5, Options { nodes: 100, ..Options::default() });
    let image = builder.input("image", levels(), false);
    let threshold = builder.parameter("threshold", (0, 50), 9, false);
    let (state, before) = builder.state("before", levels(), First::Input(0), Storage::Plain);
    let (kept, mask) = builder.state("mask", Kind::Bits, First::Constant(1), Storage::Plain);
    let summand = |of, weight| Summand { of, weight: Fraction::from(weight), at: Displacement::ZERO };
    let summands = vec![summand(image, 1), summand(before, -1)];
    let change = Operation::Sum { summands, constant: Fraction::ZERO, numbers: vec![] };
    let change = builder.define(change).unwrap();
    let change = builder.define(Operation::Abs(change)).unwrap();
    let numbers = vec![(Fraction::from(-1), threshold)];
    let above = Operation::Sum { summands: vec![summand(change, 1)], constant: Fraction::ZERO, numbers };
    let above = builder.define(above).unwrap();
    let moves = builder.define(Operation::Positive(above)).unwrap();
    let first = define(&mut builder, Logic::All(vec![pixel(0, 0, 0), pixel(1, 0, 0)]), &[moves, mask]);
    builder.begin();
    let (counter, inside) = (builder.given(Kind::Number { low: 0, high: 9 }), builder.given(Kind::Bits));
    let count = builder.define(Operation::Count(inside)).unwrap();
    builder.list(0, vec![counter, count]);
    let cross = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)].map(|(x, y)| pixel(0, x, y));
    let next = define(&mut builder, Logic::Any(cross.to_vec()), &[inside]);
    let body = builder.end();
    let passes = builder.define(Operation::Number(Number::Constant(3))).unwrap();
    let after = builder.repeat(3, Until::Passes(passes), &[[first, inside, next]], counter, body).unwrap();
    let any = builder.define(Operation::Any(after[0])).unwrap();
    builder.begin();
    let larger = builder.define(Operation::Max(image, change)).unwrap();
    let then = builder.end();
    builder.begin();
    let otherwise = builder.end();
    let joined = builder.decide(any, [then, otherwise], &[[larger, image]]).unwrap();
    builder.next(state, joined[0]).unwrap();
    builder.next(kept, after[0]).unwrap();
    builder.result("moves", Outcome::Value(moves));
    builder.result("list", Outcome::List(0));
    builder.result("any", Outcome::Value(any));
    builder.finish()
}

#[test]
fn every_word_and_every_step_is_needed() {
    let declaration = declaration();
    let mut searches = Searches::default();
    let whole = plan(Order::Needs, &declaration, Cells::NONE, &mut searches).unwrap();
    prove(&declaration, whole.clone()).unwrap();
    let mut accepted = Vec::new();
    let mut tried = 0;
    let mut number = 0;
    loop {
        let mut shorter = whole.clone();
        let Some(what) = remove(&mut shorter.frame, &mut (number + 1)) else { break };
        number += 1;
        tried += 1;
        if prove(&declaration, shorter).is_ok() {
            accepted.push(what);
        }
    }
    assert!(tried > 30, "{tried}");
    assert_eq!(accepted, Vec::<String>::new());
}

/// Removes an instruction or a step of that number; what it was.
fn remove(pieces: &mut Vec<Piece<'_>>, number: &mut usize) -> Option<String> {
    for place in 0..pieces.len() {
        match &mut pieces[place] {
            Piece::Do(Step::Execute(listing)) => {
                if *number <= listing.len() {
                    return Some(listing.remove(*number - 1).to_string());
                }
                *number -= listing.len();
            }
            Piece::Do(_) | Piece::List { .. } => {
                *number -= 1;
                if *number == 0 {
                    return Some(format!("{:?}", pieces.remove(place)));
                }
            }
            Piece::Loop { check: one, body: other, .. } | Piece::Decide { then: one, otherwise: other, .. } => {
                if let Some(found) = remove(one, number).or_else(|| remove(other, number)) {
                    return Some(found);
                }
            }
            Piece::First { body, .. } => {
                if let Some(found) = remove(body, number) {
                    return Some(found);
                }
            }
            Piece::Holds(..) => {}
        }
    }
    None
}
