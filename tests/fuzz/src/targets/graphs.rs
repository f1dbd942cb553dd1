//! Random models in ONNX, which must compute the same as the networks they become.
//!
//! An input is a model. Its outputs are those of an evaluator that knows nothing of networks; the results of the network are
//! those of its layers that no layer reads.

use cain_cli::texts;
use cain_codegen::kernel_file::parse_networks;
use cain_network::Network;

use crate::onnx::{Graph, generate, level, picture};
use crate::oracle::ensure;
use crate::{Corpus, Dice, Target, Verdict};

pub(super) const TARGET: Target = Target {
    name: "graphs",
    about: "valid models in ONNX, and what the networks that come from them compute",
    ending: "onnx",
    quick: 3_000,
    memory: 256,
    generate: |dice: &mut Dice, _: &Corpus| generate(dice).bytes,
    check,
};

/// The number of pictures for a network.
const PICTURES: usize = 4;

fn check(input: &[u8]) -> Result<Verdict, String> {
    let Ok(network) = imported(input) else { return Ok(Verdict::Refused) };
    let graph = Graph::read(input).map_err(|problem| format!("it is accepted, and no model: {problem}"))?;
    let (height, width) = graph.picture()?;
    let mut dice = Dice::new("pictures", input.len() as u64, input.iter().map(|byte| u64::from(*byte)).sum());
    let (mut wanted, mut found) = (Vec::new(), Vec::new());
    for number in 0..PICTURES {
        let greys = picture(&mut dice, height * width, number);
        let levels: Vec<f64> = greys.iter().map(|grey| level(*grey)).collect();
        let outputs = graph.outputs(&levels).map_err(|problem| format!("it is accepted, and not valid: {problem}"))?;
        let outputs = outputs.iter().map(|output| output.numbers.iter().map(|number| number.real()).collect());
        append(&mut wanted, outputs.collect());
        let values = network.evaluate(&greys).map_err(|error| format!("the network cannot be evaluated: {error}"))?;
        append(&mut found, network.heads().into_iter().map(|head| values[head].numbers().to_vec()).collect());
    }
    compare(&wanted, &found)?;
    Ok(Verdict::Accepted)
}

/// The network that a model becomes, for pictures of any greys; the error lists the reasons if there is none.
///
/// Its weights are those of the model: none are rounded.
pub fn imported(model: &[u8]) -> Result<Network, String> {
    let (toml, _) = texts::network(model, None)?;
    let mut missing = |_: &str| Err("is missing".to_owned());
    let networks = parse_networks(&toml, &mut missing)
        .map_err(|problems| problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("\n"))?;
    let mut network = networks.into_iter().next().ok_or("there is no network")?.of.network;
    network.input.binarise = None;
    Ok(network)
}

/// Appends the results for one more picture to those for others.
fn append(all: &mut Vec<Vec<f64>>, results: Vec<Vec<f64>>) {
    all.resize(results.len(), Vec::new());
    for (all, result) in all.iter_mut().zip(results) {
        all.extend(result);
    }
}

/// Checks that every output is a result of the network, in the same order, and that every result is an output.
fn compare(outputs: &[Vec<f64>], results: &[Vec<f64>]) -> Result<(), String> {
    let is_among = |numbers: &Vec<f64>, all: &[Vec<f64>]| all.iter().any(|other| agree(numbers, other));
    for (place, output) in outputs.iter().enumerate() {
        ensure(is_among(output, results), || {
            format!("an output is no result: output {place}, {}, among {}", shown(output), all_shown(results))
        })?;
    }
    for (place, result) in results.iter().enumerate() {
        ensure(is_among(result, outputs), || {
            format!("a result is no output: result {place}, {}, among {}", shown(result), all_shown(outputs))
        })?;
    }
    ensure(outputs.first().zip(results.first()).is_some_and(|(output, result)| agree(output, result)), || {
        format!("the first result is not the first output: {}, and {}", all_shown(results), all_shown(outputs))
    })
}

/// Whether numbers are equal. Those that have many digits, such as probabilities, may be rounded differently.
fn agree(a: &[f64], b: &[f64]) -> bool {
    let scale = a.iter().fold(1.0_f64, |most, number| most.max(number.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * scale)
}

/// The first of the numbers.
fn shown(numbers: &[f64]) -> String {
    let some: Vec<String> = numbers.iter().take(12).map(ToString::to_string).collect();
    format!("{} numbers, {}", numbers.len(), some.join(" "))
}

fn all_shown(all: &[Vec<f64>]) -> String {
    all.iter().map(|numbers| shown(numbers)).collect::<Vec<_>>().join("; ")
}
