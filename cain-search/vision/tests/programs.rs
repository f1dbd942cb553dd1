//! Programs on a simulated array, compared with their meaning.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "rows, columns, levels and numbers of tests are small"
)]

mod running;

use cain_analysis::owned::Step;
use cain_digital::Logic;
use cain_isa::program::Grid;
use cain_isa::{Displacement, Fraction, Machine};
use cain_network::Wanted;
use cain_search::Options;
use cain_vision::declaration::{
    Arithmetic, Axis, Builder, Declaration, First, Kind, Number, Operation, Result as Outcome, Side, Storage, Summand,
    Until, Value,
};
use cain_vision::reference::Content;
use running::{SIDE, compare, try_compare};

/// Pictures of whole levels.
fn pictures(count: usize) -> Vec<Content> {
    let mut random = cain_isa::random::SplitMix64::new(7);
    let picture =
        |_| Content::Levels((0..SIDE * SIDE).map(|_| random.below(200) as f64 / 2.0 - 50.0).map(f64::round).collect());
    (0..count).map(picture).collect()
}

fn levels() -> Kind {
    Kind::Levels { low: -100.0, high: 100.0 }
}

fn builder() -> Builder {
    let mut builder = Builder::new("program", Machine::SCAMP5, Options { nodes: 500, ..Options::default() });
    builder.on_array_of(SIDE);
    builder
}

fn sum(summands: &[(Value, i64, i16, i16)], constant: i64, numbers: &[(i64, Value)]) -> Operation {
    Operation::Sum {
        summands: summands
            .iter()
            .map(|&(of, weight, x, y)| Summand {
                of,
                weight: Fraction::from(weight as i32),
                at: Displacement::new(x, y),
            })
            .collect(),
        constant: Fraction::from(constant as i32),
        numbers: numbers.iter().map(|&(weight, number)| (Fraction::from(weight as i32), number)).collect(),
    }
}

fn pixel(input: usize, x: i16, y: i16) -> Logic {
    Logic::pixel(input, Displacement::new(x, y))
}

fn cross() -> Logic {
    Logic::Any(vec![pixel(0, 0, 0), pixel(0, 1, 0), pixel(0, -1, 0), pixel(0, 0, 1), pixel(0, 0, -1)])
}

#[test]
fn thresholds_are_parameters() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let threshold = builder.parameter("threshold", (-100, 100), 20, false);
    let above = builder.define(sum(&[(image, 1, 0, 0)], 0, &[(-1, threshold)])).unwrap();
    let bright = builder.define(Operation::Positive(above)).unwrap();
    let below = builder.define(sum(&[(image, -1, 0, 0)], 0, &[(1, threshold)])).unwrap();
    let dark = builder.define(Operation::Positive(below)).unwrap();
    let count = builder.define(Operation::Count(bright)).unwrap();
    for (name, value) in [("bright", bright), ("dark", dark), ("count", count)] {
        builder.result(name, Outcome::Value(value));
    }
    let frames: Vec<_> = pictures(3).into_iter().zip([20, -7, 0]).map(|(image, t)| (vec![image], vec![t])).collect();
    assert_eq!(compare(&builder.finish(), &frames), 8);
}

#[test]
fn edges_have_a_threshold() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let threshold = builder.parameter("threshold", (0, 100), 20, false);
    let mut edges = Vec::new();
    for (x, y) in [(1, 0), (0, 1)] {
        let slope = builder.define(sum(&[(image, 1, x, y), (image, -1, 0, 0)], 0, &[])).unwrap();
        let slope = builder.define(Operation::Abs(slope)).unwrap();
        let above = builder.define(sum(&[(slope, 1, 0, 0)], 0, &[(-1, threshold)])).unwrap();
        edges.push(builder.define(Operation::Positive(above)).unwrap());
    }
    let either = Logic::Any(vec![pixel(0, 0, 0), pixel(1, 0, 0)]);
    let edges = builder.define(Operation::Logic { function: either, of: edges }).unwrap();
    let inside = builder.define(Operation::Inside { area: [1, 0, 14, 15].map(Number::Constant) }).unwrap();
    let both = Logic::All(vec![pixel(0, 0, 0), pixel(1, 0, 0)]);
    let edges = builder.define(Operation::Logic { function: both, of: vec![edges, inside] }).unwrap();
    builder.result("edges", Outcome::Value(edges));
    let frames: Vec<_> = pictures(3).into_iter().zip([20, 50, 1]).map(|(image, t)| (vec![image], vec![t])).collect();
    println!("edges: {} words", compare(&builder.finish(), &frames));
}

#[test]
fn bits_spread_in_loops() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let times = builder.parameter("times", (0, 20), 1, false);
    let above = builder.define(sum(&[(image, 1, 0, 0)], -45, &[])).unwrap();
    let bright = builder.define(Operation::Positive(above)).unwrap();
    builder.begin();
    let (counter, inside) = (builder.given(Kind::Number { low: 0, high: 20 }), builder.given(Kind::Bits));
    let next = builder.define(Operation::Logic { function: cross(), of: vec![inside] }).unwrap();
    let body = builder.end();
    let until = Until::Passes(times);
    let after = builder.repeat(20, until, &[[bright, inside, next]], counter, body).unwrap();
    builder.result("spread", Outcome::Value(after[0]));
    builder.result("bright", Outcome::Value(bright));
    let frames: Vec<_> = pictures(4).into_iter().zip([0, 1, 3, 20]).map(|(image, n)| (vec![image], vec![n])).collect();
    println!("spread: {} words", compare(&builder.finish(), &frames));
}

#[test]
fn states_follow_pictures() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let threshold = builder.parameter("threshold", (0, 100), 20, false);
    let learn = builder.parameter("learn", (0, 1), 1, true);
    let (state, background) = builder.state("background", levels(), First::Input(0), Storage::Plain);
    let change = builder.define(sum(&[(image, 1, 0, 0), (background, -1, 0, 0)], 0, &[])).unwrap();
    let change = builder.define(Operation::Abs(change)).unwrap();
    let above = builder.define(sum(&[(change, 1, 0, 0)], 0, &[(-1, threshold)])).unwrap();
    let moves = builder.define(Operation::Positive(above)).unwrap();
    let eighth = Fraction::new(1, 8).unwrap();
    let weighted = |of, weight| Summand { of, weight, at: Displacement::ZERO };
    let slow = Operation::Sum {
        summands: vec![weighted(image, eighth), weighted(background, Fraction::new(7, 8).unwrap())],
        constant: Fraction::ZERO,
        numbers: vec![],
    };
    builder.begin();
    let slow = builder.define(slow).unwrap();
    let next = builder.define(Operation::Select { bits: moves, then: background, otherwise: slow }).unwrap();
    let then = builder.end();
    builder.begin();
    let otherwise = builder.end();
    let next = builder.decide(learn, [then, otherwise], &[[next, background]]).unwrap();
    builder.next(state, next[0]).unwrap();
    builder.result("moves", Outcome::Value(moves));
    builder.result("background", Outcome::Value(next[0]));
    let frames: Vec<_> =
        pictures(4).into_iter().zip([1, 1, 0, 1]).map(|(image, learn)| (vec![image], vec![30, learn])).collect();
    println!("background: {} words", compare(&builder.finish(), &frames));
}

/// A state that is changed in some frames only stays in its register in all others.
#[test]
fn states_that_a_decision_leaves_alone_are_not_copied() {
    for is_read in [false, true] {
        let mut builder = builder();
        let image = builder.input("image", levels(), true);
        let learn = builder.parameter("learn", (0, 1), 0, true);
        let (state, kept) = builder.state("kept", levels(), First::Input(0), Storage::Plain);
        builder.begin();
        let difference = sum(&[(kept, -1, 0, 0), (image, 1, 1, 0)], 3, &[]);
        let next = if is_read { builder.define(difference).unwrap() } else { image };
        let then = builder.end();
        builder.begin();
        let otherwise = builder.end();
        let joined = builder.decide(learn, [then, otherwise], &[[next, kept]]).unwrap()[0];
        builder.next(state, joined).unwrap();
        builder.result("kept", Outcome::Value(joined));
        let declaration = builder.finish();
        let frames = pictures(6).into_iter().zip([0, 1, 0, 0, 1, 1]);
        compare(&declaration, &frames.map(|(image, learn)| (vec![image], vec![learn])).collect::<Vec<_>>());
        let compiled = cain_vision::compile(&declaration).unwrap();
        let decisions = compiled.program().steps().filter_map(|step| match step {
            Step::Decide { otherwise, .. } => Some(otherwise.0.len()),
            Step::Execute(_) => panic!("{step:?} in every frame"),
            _ => None,
        });
        // The first frame, and the parameter.
        assert_eq!(decisions.collect::<Vec<_>>(), [0, 0]);
    }
}

/// Near the border, a program must not read PEs that the sum itself does not read: the shortest ones that do are of no use.
#[test]
fn sums_read_no_farther_than_they_have_to() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let weights = [(4, -1, 1), (-4, 0, 1), (-3, -1, 0), (-3, 0, 0), (4, 1, 0), (-3, -1, -1)];
    let summands = weights.map(|(weight, x, y)| Summand {
        of: image,
        weight: Fraction::new(weight, 32).unwrap(),
        at: Displacement::new(x, y),
    });
    let edges = builder
        .define(Operation::Sum { summands: summands.to_vec(), constant: Fraction::ZERO, numbers: vec![] })
        .unwrap();
    builder.result("edges", Outcome::Value(edges));
    let declaration = builder.finish();
    let words = compare(&declaration, &[(pictures(1), vec![])]);
    // From copies of the picture at all places it takes 26.
    assert!(words <= 16, "{words}");
}

/// The mask as far as it is reached from seeds within it.
fn flooded(builder: &mut Builder, seeds: Value, mask: Value) -> Value {
    let both = Logic::All(vec![pixel(0, 0, 0), pixel(1, 0, 0)]);
    let first = builder.define(Operation::Logic { function: both, of: vec![seeds, mask] }).unwrap();
    builder.begin();
    let counter = builder.given(Kind::Number { low: 0, high: 40 });
    let inside = builder.given(Kind::Bits);
    let function = Logic::All(vec![cross(), pixel(1, 0, 0)]);
    let next = builder.define(Operation::Logic { function, of: vec![inside, mask] }).unwrap();
    let body = builder.end();
    builder.repeat(40, Until::Stable(0), &[[first, inside, next]], counter, body).unwrap()[0]
}

#[test]
fn shapes_are_listed_until_none_is_left() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let (seen, before) = builder.state("seen", Kind::Number { low: 0, high: 1000 }, First::Constant(3), Storage::Plain);
    let above = builder.define(sum(&[(image, 1, 0, 0)], -40, &[])).unwrap();
    let bright = builder.define(Operation::Positive(above)).unwrap();
    builder.begin();
    let rest = builder.given(Kind::Bits);
    let any = builder.define(Operation::Any(rest)).unwrap();
    let statements = builder.end();
    builder.begin();
    let counter = builder.given(Kind::Number { low: 0, high: 8 });
    let count = builder.given(Kind::Number { low: 0, high: 1000 });
    let row = builder.define(Operation::First(rest, Axis::Row)).unwrap();
    let column = builder.define(Operation::First(rest, Axis::Column)).unwrap();
    let area = [Number::Value(row), Number::Value(column), Number::Constant(1), Number::Constant(1)];
    let seed = builder.define(Operation::Inside { area }).unwrap();
    let shape = flooded(&mut builder, seed, rest);
    let mut bounds =
        [Side::Top, Side::Left, Side::Bottom, Side::Right].map(|side| Operation::Bound(shape, side)).to_vec();
    bounds.push(Operation::Any(shape));
    let bounds = bounds.into_iter().map(|bound| builder.define(bound).unwrap()).collect();
    builder.list(0, bounds);
    let one = Number::Arithmetic(Arithmetic::Add, Box::new([Number::Value(count), Number::Constant(1)]));
    let more = builder.define(Operation::Number(one)).unwrap();
    let without = Logic::All(vec![pixel(0, 0, 0), Logic::Not(Box::new(pixel(1, 0, 0)))]);
    let next = builder.define(Operation::Logic { function: without, of: vec![rest, shape] }).unwrap();
    let body = builder.end();
    let until = Until::Fails { statements: statements.statements(), condition: any };
    let after = builder.repeat(8, until, &[[bright, rest, next], [before, count, more]], counter, body).unwrap();
    builder.next(seen, after[1]).unwrap();
    builder.result("boxes", Outcome::List(0));
    builder.result("rest", Outcome::Value(after[0]));
    builder.result("seen", Outcome::Value(after[1]));
    builder.result("before", Outcome::Value(before));
    let frames: Vec<_> = pictures(3).into_iter().map(|image| (vec![image], vec![])).collect();
    println!("shapes: {} words", compare(&builder.finish(), &frames));
}

#[test]
fn states_change_places_and_are_results() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let (first, one) = builder.state("one", levels(), First::Input(0), Storage::Plain);
    let (second, two) = builder.state("two", levels(), First::Constant(-7), Storage::Plain);
    let (third, _) = builder.state("three", levels(), First::Constant(5), Storage::Plain);
    builder.next(first, two).unwrap();
    builder.next(second, one).unwrap();
    builder.next(third, image).unwrap();
    for (name, value) in [("one", one), ("two", two), ("image", image)] {
        builder.result(name, Outcome::Value(value));
    }
    let frames: Vec<_> = pictures(4).into_iter().map(|image| (vec![image], vec![])).collect();
    println!("swap: {} words", compare(&builder.finish(), &frames));
}

/// Nine of sixteen pixels in a row around a PE are all brighter than it, or all darker.
fn corners() -> Declaration {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let threshold = builder.parameter("threshold", (0, 100), 20, false);
    let quarter = [(0, 3), (1, 3), (2, 2), (3, 1)];
    let turned = |turns: usize| quarter.map(|(x, y)| (0..turns).fold((x, y), |(x, y), _| (y, -x)));
    let ring: Vec<(i16, i16)> = (0..4).flat_map(turned).collect();
    let mut signs = Vec::new();
    for sign in [1, -1] {
        let mut bits = Vec::new();
        for &(x, y) in &ring {
            let above =
                builder.define(sum(&[(image, sign, x, y), (image, -sign, 0, 0)], 0, &[(-1, threshold)])).unwrap();
            bits.push(builder.define(Operation::Positive(above)).unwrap());
        }
        let run = |first: usize| Logic::All((first..first + 9).map(|at| pixel(at % 16, 0, 0)).collect());
        let function = Logic::Any((0..16).map(run).collect());
        signs.push(builder.define(Operation::Logic { function, of: bits }).unwrap());
    }
    let function = Logic::Any((0..signs.len()).map(|at| pixel(at, 0, 0)).collect());
    let corners = builder.define(Operation::Logic { function, of: signs }).unwrap();
    builder.result("corners", Outcome::Value(corners));
    builder.finish()
}

#[test]
fn corners_of_nine_in_a_row_fit() {
    let declaration = corners();
    let mut random = cain_isa::random::SplitMix64::new(3);
    let mut frame = || {
        // Mostly equal, so that there are corners.
        let levels = (0..SIDE * SIDE).map(|_| if random.below(6) == 0 { 40.0 } else { -20.0 }).collect();
        (vec![Content::Levels(levels)], vec![30])
    };
    let frames: Vec<_> = (0..4).map(|_| frame()).collect();
    let words = try_compare(&declaration, &frames, true).unwrap().0;
    println!("corners: {words} words");
    assert!(words <= 400);
}

/// More comparisons than registers, which are counted as they are made.
#[test]
fn comparisons_are_counted() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let around = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut alike = Vec::new();
    for (x, y) in around {
        let change = builder.define(sum(&[(image, 1, 0, 0), (image, -1, x, y)], 0, &[])).unwrap();
        let change = builder.define(Operation::Abs(change)).unwrap();
        let below = builder.define(sum(&[(change, -1, 0, 0)], 20, &[])).unwrap();
        alike.push(builder.define(Operation::Positive(below)).unwrap());
    }
    let pixels: Vec<Logic> = (0..8).map(|input| pixel(input, 0, 0)).collect();
    for (name, least, most) in [("some", 2, 4), ("many", 3, 8), ("few", 0, 1)] {
        let function = Logic::Count { of: pixels.clone(), least, most };
        let count = builder.define(Operation::Logic { function, of: alike.clone() }).unwrap();
        builder.result(name, Outcome::Value(count));
    }
    let frames: Vec<_> = pictures(3).into_iter().map(|image| (vec![image], vec![])).collect();
    println!("counts: {} words", try_compare(&builder.finish(), &frames, true).unwrap().0);
}

#[test]
fn states_are_kept_as_levels() {
    for (count, most) in [(2, 11), (16, 30), (10, 50)] {
        let mut builder = builder();
        let image = builder.input("image", levels(), false);
        let (kept, before) = builder.state("kept", levels(), First::Constant(0), Storage::Levels(count));
        let (still, _) = builder.state("still", levels(), First::Input(0), Storage::Levels(count));
        let half = Fraction::new(1, 2).unwrap();
        let weighted = |of| Summand { of, weight: half, at: Displacement::ZERO };
        let summands = vec![weighted(image), weighted(before)];
        let next = Operation::Sum { summands, constant: Fraction::ZERO, numbers: vec![] };
        let next = builder.define(next).unwrap();
        builder.next(kept, next).unwrap();
        builder.result("before", Outcome::Value(before));
        builder.result("next", Outcome::Value(next));
        let _ = still;
        let frames: Vec<_> = pictures(4).into_iter().map(|image| (vec![image], vec![])).collect();
        let words = compare(&builder.finish(), &frames);
        println!("two states of {count} levels: {words} words");
        assert!(words <= 2 * most + 12, "{count}: {words}");
    }
}

#[test]
fn the_median_of_nine_shares_sorted_columns() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let median = builder.median_of_nine(image).unwrap();
    builder.result("median", Outcome::Value(median));
    let frames: Vec<_> = pictures(2).into_iter().map(|image| (vec![image], vec![])).collect();
    let words = compare(&builder.finish(), &frames);
    println!("median of nine: {words} words");
    assert!(words <= 100, "{words}");
}

/// The constant errors of transfers cancel in everything that is compared, so what is left is noise.
#[test]
fn halves_of_steps_of_sums_are_rounded_up() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let total = builder.define(Operation::Total(image)).unwrap();
    builder.result("total", Outcome::Value(total));
    let frames = [24.0, -24.0, 25.0, -25.0, -8.0, 8.0];
    let frames = frames.map(|level| (vec![Content::Levels(vec![level; SIDE * SIDE])], vec![]));
    compare(&builder.finish(), &frames);
}

/// How many PEs differ from a key picture that moves by each of 49 displacements.
fn differences(sign: i64) -> Declaration {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let (state, key) = builder.state("key", levels(), First::Input(0), Storage::Plain);
    builder.next(state, image).unwrap();
    let area = [4, 4, 8, 8].map(Number::Constant);
    let inside = builder.define(Operation::Inside { area }).unwrap();
    for (x, y) in (-3..=3).flat_map(|y| (-3..=3).map(move |x| (x, y))) {
        let difference = builder.define(sum(&[(image, sign, x, y), (key, -sign, 0, 0)], 0, &[])).unwrap();
        let size = builder.define(Operation::Abs(difference)).unwrap();
        let above = builder.define(sum(&[(size, 1, 0, 0)], -20, &[])).unwrap();
        let above = builder.define(Operation::Positive(above)).unwrap();
        let function = Logic::All(vec![pixel(0, 0, 0), pixel(1, 0, 0)]);
        let bits = builder.define(Operation::Logic { function, of: vec![above, inside] }).unwrap();
        let count = builder.define(Operation::Count(bits)).unwrap();
        builder.result(format!("{x} {y}"), Outcome::Value(count));
    }
    builder.finish()
}

#[test]
fn differences_to_moved_planes_need_no_searches() {
    for sign in [1, -1] {
        let declaration = differences(sign);
        let frames: Vec<_> = pictures(3).into_iter().map(|image| (vec![image], vec![])).collect();
        let words = compare(&declaration, &frames);
        // Those of searches for each of them are 786.
        assert!(words <= 760, "{words} words");
        let compiled = cain_vision::compile(&declaration).unwrap();
        let sums = compiled.searched().iter().filter(|searched| matches!(searched.wanted, Wanted::Sum(_)));
        // That of the planes where they are.
        assert_eq!(sums.count(), 1);
    }
}

#[test]
fn copies_are_known_after_a_decision_where_it_did_not_write() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let also = builder.parameter("also", (0, 1), 0, true);
    let positive = |builder: &mut Builder, summands: &[(Value, i64, i16, i16)]| {
        let sum = builder.define(sum(summands, -3, &[])).unwrap();
        builder.define(Operation::Positive(sum)).unwrap()
    };
    let before = positive(&mut builder, &[(image, 1, 3, 0), (image, -1, 0, 0)]);
    let before = builder.define(Operation::Count(before)).unwrap();
    let none = builder.define(Operation::Number(Number::Constant(0))).unwrap();
    builder.begin();
    let [across, along] = [[(1, 0), (-1, 0)], [(0, 1), (0, -1)]].map(|[one, other]: [(i16, i16); 2]| {
        let difference = sum(&[(image, 1, one.0, one.1), (image, -1, other.0, other.1)], 0, &[]);
        let difference = builder.define(difference).unwrap();
        builder.define(Operation::Abs(difference)).unwrap()
    });
    // So much that every register is written.
    let larger = builder.define(Operation::Max(across, along)).unwrap();
    let lower = builder.define(Operation::Max(across, image)).unwrap();
    let upper = builder.define(sum(&[(image, 1, 2, 1)], 0, &[])).unwrap();
    let upper = builder.define(Operation::Max(larger, upper)).unwrap();
    let least = builder.define(Operation::Min(lower, upper)).unwrap();
    let corner = positive(&mut builder, &[(least, 4, 0, 0), (across, -2, 0, 0), (larger, -1, 0, 0)]);
    let corner = builder.define(Operation::Count(corner)).unwrap();
    let then = builder.end();
    builder.begin();
    let otherwise = builder.end();
    let within = builder.decide(also, [then, otherwise], &[[corner, none]]).unwrap()[0];
    let after = positive(&mut builder, &[(image, 1, 3, 1), (image, -1, 0, 0)]);
    let inner = builder.define(Operation::Inside { area: [4, 4, 8, 8].map(Number::Constant) }).unwrap();
    let function = Logic::All(vec![pixel(0, 0, 0), pixel(1, 0, 0)]);
    let after = builder.define(Operation::Logic { function, of: vec![after, inner] }).unwrap();
    builder.result("after", Outcome::Value(after));
    for number in [before, within] {
        let used = Number::Arithmetic(Arithmetic::Multiply, Box::new([Number::Value(number), Number::Constant(0)]));
        let used = builder.define(Operation::Number(used)).unwrap();
        builder.result("used", Outcome::Value(used));
    }
    let frames: Vec<_> = pictures(4).into_iter().zip(0..).map(|(image, n)| (vec![image], vec![n % 2])).collect();
    compare(&builder.finish(), &frames);
}

#[test]
fn thresholds_are_right_on_a_chip() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let threshold = builder.parameter("threshold", (0, 60), 20, false);
    let (state, before) = builder.state("before", levels(), First::Input(0), Storage::Plain);
    builder.next(state, image).unwrap();
    let change = builder.define(sum(&[(image, 1, 0, 0), (before, -1, 0, 0)], 0, &[])).unwrap();
    let size = builder.define(Operation::Abs(change)).unwrap();
    let mut compared = vec![(change, 0)];
    for (sign, of) in [(1, image), (-1, image), (1, change), (-1, change), (1, size)] {
        let by = if of == size { -2 } else { -1 };
        compared.push((builder.define(sum(&[(of, sign, 0, 0)], 0, &[(by, threshold)])).unwrap(), 0));
    }
    for (number, (of, _)) in compared.iter().enumerate() {
        let bits = builder.define(Operation::Positive(*of)).unwrap();
        builder.result(format!("bits {number}"), Outcome::Value(bits));
    }
    let declaration = builder.finish();
    let model = cain_runtime::sim::ErrorModel::measured();
    let array = cain_runtime::sim::Array::new(SIDE, SIDE).errors(model);
    let mut running = running::Running::new(&declaration, array).unwrap();
    let mut reference = cain_vision::reference::Reference::new(&declaration, SIDE, SIDE);
    reference.set(0, 15);
    let (mut wrong, mut all) = (0, 0);
    // Levels so far apart that noise does not matter.
    for picture in pictures(4) {
        let Content::Levels(picture) = picture else { unreachable!() };
        let picture = Content::Levels(picture.iter().map(|level| (level / 40.0).round() * 35.0).collect());
        let (found, wanted) =
            (running.frame(std::slice::from_ref(&picture), &[15]), reference.frame(std::slice::from_ref(&picture)));
        for (found, wanted) in found.iter().zip(&wanted).skip(1) {
            let (
                cain_vision::reference::Answer::One(Content::Bits(found)),
                cain_vision::reference::Answer::One(Content::Bits(wanted)),
            ) = (found, wanted)
            else {
                unreachable!()
            };
            wrong += found.iter().zip(wanted).filter(|(found, wanted)| found != wanted).count();
            all += found.len();
        }
    }
    println!("{wrong} of {all} bits differ on a chip");
    assert!(wrong * 200 < all, "{wrong} of {all}");
}

/// Sums over parts of planes, which are read at once as far as they follow each other.
#[test]
fn parts_are_read() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let half = builder.define(Operation::Sum {
        summands: vec![Summand { of: image, weight: Fraction::new(1, 2).unwrap(), at: Displacement::new(0, 0) }],
        constant: Fraction::ZERO,
        numbers: vec![],
    });
    let half = half.unwrap();
    let bright = builder.define(Operation::Positive(half)).unwrap();
    let grid = |(top, left), steps, size| Grid::new((top, left), steps, size);
    let grids = [
        grid((0, 0), (1, 1), (16, 16)),
        grid((3, 2), (1, 1), (1, 5)),
        grid((1, 3), (2, 3), (4, 3)),
        grid((5, 0), (2, 3), (1, 1)),
        grid((5, 1), (2, 3), (2, 2)),
        grid((4, 0), (2, 3), (2, 2)),
    ];
    let mut numbers = Vec::new();
    for of in [half, bright, half] {
        numbers.extend(grids.map(|grid| builder.define(Operation::Read(of, grid)).unwrap()));
    }
    builder.result("numbers", Outcome::Tuple(numbers));
    let declaration = builder.finish();
    let frames: Vec<_> = pictures(3).into_iter().map(|image| (vec![image], vec![])).collect();
    compare(&declaration, &frames);
    let compiled = cain_vision::compile(&declaration).unwrap();
    let windows = compiled
        .program()
        .steps()
        .filter_map(|step| if let Step::Read(read) = step { read.windows.as_ref() } else { None });
    assert_eq!(windows.map(Vec::len).collect::<Vec<_>>(), [2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1]);
}

/// Sums over more planes than there are registers for, which are made again for each of them, as those of networks are.
#[test]
fn planes_are_made_again_for_sums_of_many() {
    let mut builder = builder();
    let image = builder.input("image", levels(), false);
    let half = Fraction::new(1, 2).unwrap();
    let read = |of, (x, y)| Summand { of, weight: half, at: Displacement::new(x, y) };
    let zero = builder.define(sum(&[], 0, &[])).unwrap();
    let mut maps = Vec::new();
    for at in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)] {
        let (one, mut other) = (read(image, (0, 0)), read(image, at));
        other.weight = other.weight.negated();
        let edge = Operation::Sum { summands: vec![one, other], constant: Fraction::ZERO, numbers: vec![] };
        let edge = builder.define(edge).unwrap();
        maps.push(builder.define(Operation::Max(edge, zero)).unwrap());
    }
    for number in 0..3 {
        let at = |place: usize| if place % 3 == number { (0, 1) } else { (0, 0) };
        let mut summands: Vec<Summand> = maps.iter().enumerate().map(|(place, map)| read(*map, at(place))).collect();
        summands[number].weight = half.negated();
        let all = builder.define(Operation::Sum { summands, constant: Fraction::ZERO, numbers: vec![] }).unwrap();
        let all = builder.define(Operation::Max(all, zero)).unwrap();
        let read = builder.define(Operation::Read(all, Grid::new((4, 4), (1, 1), (7, 7)))).unwrap();
        builder.result(format!("sum_{number}"), Outcome::Value(read));
    }
    let frames: Vec<_> = pictures(3).into_iter().map(|image| (vec![image], vec![])).collect();
    println!("sums of five: {} words", compare(&builder.finish(), &frames));
}
