//! Networks and automata in kernel files.

use cain_codegen::kernel_file::{Diagnostic, parse_automata, parse_in_pixel, parse_networks, write_network};
use cain_digital::{Logic, SearchError};
use cain_network::{CompiledNetwork, Image, Layer, Network, Obstacle, Operation, Shape, Source, compile};
use cain_runtime::io::Size;
use cain_runtime::program::{Margin, carry_out, places};
use cain_runtime::sim::Array;

use crate::oracle::{ensure, placed, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "networks",
    about: "networks, networks in the pixels and automata in kernel files, and the array's answers",
    ending: "toml",
    quick: 250,
    memory: 512,
    generate,
    check,
};

/// Words of such files.
const WORDS: [&str; 49] = [
    "network",
    "in_pixel",
    "automaton",
    "layer",
    "input",
    "size",
    "levels",
    "range",
    "binarise",
    "interruptible",
    "registers",
    "latency",
    "name",
    "op",
    "from",
    "kernels",
    "scale",
    "bias",
    "stride",
    "dilation",
    "padding",
    "count_padding",
    "at",
    "inclusive",
    "values",
    "windows",
    "mean",
    "capacity",
    "weights",
    "filters",
    "thresholds",
    "bits",
    "\"convolution\"",
    "\"mean_pool\"",
    "\"events\"",
    "\"digital\"",
    "\"logic\"",
    "expressions",
    "\"leaky_relu\"",
    "\"image\"",
    "\"-60..60\"",
    "\"1/3\"",
    "true",
    "[0, 2]",
    "65536",
    "[",
    "]",
    "{",
    "}",
];

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_text(dice, corpus, &WORDS, random)
}

/// A network of a few layers, which may or may not match each other.
fn random(dice: &mut Dice) -> String {
    let levels = dice.pick(&["-60..60", "0..100", "-126..126", "5..6"]);
    let (size, binary) = (4 + dice.below(9), dice.pick(&["", ", binarise = 128"]));
    let mut text = vec![format!("[network.net]\ninput = {{ size = {size}, levels = \"{levels}\"{binary} }}\n")];
    if dice.once_in(3) {
        let registers = dice.pick(&["[\"E\", \"F\"]", "[\"A\", \"R7\"]", "[\"R12\"]"]);
        let latency = dice.pick(&["", ", latency = \"2 us\""]);
        text.push(format!("interruptible = {{ registers = {registers}{latency} }}\n"));
    }
    let channels = 1 + dice.below(3);
    let mut layers = vec![convolution(dice, channels, 1)];
    // For each layer, counted from 1, this tells whether another one reads it.
    let mut is_read = vec![false];
    for _ in 0..dice.below(6) {
        let operation = dice.below(10);
        let threshold = format!("op = \"threshold\"\nat = {}", dice.between(-60, 60));
        if operation > 7 && dice.once_in(2) {
            is_read[layers.len() - 1] = true;
            is_read.push(false);
            layers.push(threshold.clone());
        }
        // Often the source is one that others read too.
        let before = if dice.once_in(2) { layers.len() } else { 1 + dice.below(layers.len()) };
        is_read[before - 1] = true;
        is_read.push(false);
        let layer = match operation {
            0 => "op = \"relu\"".to_owned(),
            1 => "op = \"abs\"".to_owned(),
            2 => format!("op = \"leaky_relu\"\nslope = \"1/{}\"", 1 << dice.below(4)),
            3 => format!("op = \"clamp\"\nlow = {}\nhigh = {}", dice.between(-90, 0), dice.between(1, 90)),
            4 => threshold,
            5 => format!("op = \"max_pool\"\nsize = 2\nstride = {}\npadding = {}", 1 + dice.below(2), dice.below(2)),
            6 => format!("op = \"mean_pool\"\nsize = 2\npadding = {}\ncount_padding = true", dice.below(2)),
            7 => convolution(dice, channels, channels),
            8 => digital(dice, channels),
            _ => {
                let mut name = |channel: usize| match channels {
                    1 => format!("layer{before}"),
                    _ => format!("layer{before}[{channel}]"),
                };
                let expressions = listed(channels, || format!("\"{}\"", expression(dice, channels, 2, &mut name)));
                format!("op = \"logic\"\nexpressions = {expressions}")
            }
        };
        layers.push(format!("from = \"layer{before}\"\n{layer}"));
    }
    for (maps, _) in (1..).zip(is_read).filter(|(_, is_read)| !is_read) {
        let operation = match dice.below(3) {
            0 => "op = \"plane\"".to_owned(),
            1 => format!("op = \"windows\"\nsize = {}\nmean = {}", 1 + dice.below(4), dice.once_in(2)),
            _ => format!("op = \"events\"\ncapacity = {}", 1 + dice.below(70)),
        };
        layers.push(format!("from = \"layer{maps}\"\n{operation}"));
    }
    let layers = (1..).zip(layers).map(|(i, op)| format!("[[network.net.layer]]\nname = \"layer{i}\"\n{op}\n"));
    text.extend(layers);
    text.concat()
}

fn convolution(dice: &mut Dice, outputs: usize, inputs: usize) -> String {
    let (rows, columns) = (1 + dice.below(3), 1 + dice.below(3));
    let mut row = || listed(columns, || dice.between(-4, 4).to_string());
    let kernels = listed(outputs, || listed(inputs, || listed(rows, &mut row)));
    let (stride, padding) = (1 + dice.below(2), dice.below(2));
    format!("op = \"convolution\"\nscale = \"1/4\"\nkernels = {kernels}\nstride = {stride}\npadding = {padding}")
}

fn digital(dice: &mut Dice, channels: usize) -> String {
    let (rows, columns) = (1 + dice.below(3), 1 + dice.below(3));
    let mut row = || listed(columns, || dice.between(-1, 1).to_string());
    let kernels = listed(channels, || listed(channels, || listed(rows, &mut row)));
    let (stride, padding) = (1 + dice.below(2), dice.below(2));
    format!("op = \"digital\"\nkernels = {kernels}\nstride = {stride}\npadding = {padding}")
}

/// An expression of bits of channels, which have these names.
fn expression(dice: &mut Dice, channels: usize, depth: usize, name: &mut impl FnMut(usize) -> String) -> String {
    let mut part = |dice: &mut Dice| match depth {
        0 => name(dice.below(channels)) + dice.pick(&["", "@east", "@north@north", "@southwest"]),
        depth => expression(dice, channels, depth - 1, name),
    };
    let (a, b, c) = (part(dice), part(dice), part(dice));
    match dice.below(5) {
        0 => format!("({a} & {b})"),
        1 => format!("!({a} | {b} | {c})"),
        2 => format!("({a} ^ {b})"),
        3 => format!("maj({a}, {b}, {c})"),
        _ => format!("(count({a}, {b}, {c}) == 1)"),
    }
}

fn listed(count: usize, mut item: impl FnMut() -> String) -> String {
    let items: Vec<String> = (0..count).map(|_| item()).collect();
    format!("[{}]", items.join(", "))
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let mut missing = |_: &str| Err("is missing".to_owned());
    let mut verdict = Verdict::Refused;
    if taken(&text, parse_automata(&text, &mut missing))?.is_some() {
        verdict = Verdict::Accepted;
    }
    for declared in taken(&text, parse_in_pixel(&text, &mut missing))?.unwrap_or_default() {
        verdict = Verdict::Accepted;
        match cain_in_pixel::compile(&declared.network) {
            Ok(_) => {}
            Err(error) => printable(&declared.failed(&error).to_string())?,
        }
    }
    for declared in taken(&text, parse_networks(&text, &mut missing))?.unwrap_or_default() {
        verdict = Verdict::Accepted;
        written_and_read(&declared.network)?;
        if let Some(network) = small(declared.network.clone()) {
            match compile(&network) {
                Ok(compiled) => answers(&compiled)?,
                Err(error) => {
                    let message = declared.failed(&error).to_string();
                    printable(&message)?;
                    ensure(!is_fault(&error.obstacle), || format!("a fault of the compiler: {message}"))?;
                }
            }
        }
    }
    Ok(verdict)
}

/// Whether a network is refused because of an error of the compiler.
fn is_fault(obstacle: &Obstacle) -> bool {
    match obstacle {
        Obstacle::Lost | Obstacle::Proof(_) | Obstacle::Operation(_) => true,
        Obstacle::Exact { error, .. } => matches!(error, SearchError::Unproved(_)),
        _ => false,
    }
}

/// The result of a parser; `None` if it refuses the text, with messages that have places in it.
fn taken<T>(text: &str, parsed: Result<Vec<T>, Vec<Diagnostic>>) -> Result<Option<Vec<T>>, String> {
    match parsed {
        Ok(found) => Ok((!found.is_empty()).then_some(found)),
        Err(problems) => placed(text, &problems).map(|()| None),
    }
}

/// Checks that a network remains the same when it is written as a kernel file and read again.
fn written_and_read(network: &Network) -> Result<(), String> {
    let written = write_network(network, None, "again");
    let mut beside = |name: &str| {
        let file = written.files.iter().find(|(file, _)| file == name);
        file.map(|(_, bytes)| bytes.clone()).ok_or_else(|| "is missing".to_owned())
    };
    let again = parse_networks(&written.toml, &mut beside)
        .map_err(|problems| format!("what is written is wrong: {problems:?}\n{}", written.toml))?;
    let same = match again.as_slice() {
        [again] => {
            let layers = again.network.layers.iter().zip(&network.layers);
            again.network.layers.len() == network.layers.len()
                && layers.into_iter().all(|(again, layer)| is_same(again, layer))
                && again.network.input == network.input
                && write_network(&again.network, None, "again") == written
        }
        _ => false,
    };
    ensure(same, || format!("written, it is another one:\n{}", written.toml))
}

/// Whether layers are equal, except for simpler forms of the same function.
fn is_same(one: &Layer, other: &Layer) -> bool {
    let are_functions = [one, other].iter().all(|layer| matches!(layer.operation, Operation::Logic { .. }));
    let of_functions = (&one.name, &one.from) == (&other.name, &other.from);
    one == other || (are_functions && of_functions)
}

/// The network with a small budget, if it compiles quickly.
fn small(mut network: Network) -> Option<Network> {
    const MOST_WEIGHTS: usize = 100;
    const SIDE: usize = 16;
    let weights = |operation: &Operation| match operation {
        Operation::Convolution { kernels, .. } | Operation::Digital { kernels, .. } => {
            kernels.iter().flatten().flatten().map(Vec::len).sum()
        }
        Operation::Logic { functions } => functions.iter().map(Logic::size).sum(),
        Operation::MaxPool { size, .. } | Operation::MeanPool { size, .. } => size.0 * size.1,
        _ => 0,
    };
    network.options.nodes = network.options.nodes.min(40);
    let weights: usize = network.layers.iter().map(|layer| weights(&layer.operation)).sum();
    let is_small = network.input.height <= SIDE && network.input.width <= SIDE;
    (is_small && weights <= MOST_WEIGHTS && network.layers.len() <= 12).then_some(network)
}

/// Checks that, for a binary picture, an ideal array finds the bits of the network.
pub(super) fn answers(compiled: &CompiledNetwork) -> Result<(), String> {
    const SIDE: usize = 64;
    let network = compiled.network();
    let mut array = Array::new(SIDE, SIDE).machine(network.machine);
    let (pixels, way, image) = (compiled.pixels(), compiled.way(), network.input);
    let gap = (pixels.top.max(pixels.bottom), pixels.left.max(pixels.right));
    let margin = Margin { top: way.top, left: way.left, bottom: way.bottom, right: way.right };
    let size = Size { width: SIDE, height: SIDE };
    let Some(place) = places(size, (image.height, image.width), gap, margin).next() else { return Ok(()) };
    let mut dice = Dice::new(TARGET.name, 0, 0);
    let picture: Vec<u8> = (0..image.height * image.width).map(|_| dice.pick(&[0, 255])).collect();
    let mut plane = vec![level(&image, 0); SIDE * SIDE];
    for (i, &pixel) in picture.iter().enumerate() {
        plane[(place.row + i / image.width) * SIDE + place.column + i % image.width] = level(&image, pixel);
    }
    array.load_reg(compiled.input(), &plane).map_err(|error| error.to_string())?;
    let readouts = compiled.readouts();
    let count = readouts.iter().map(|(_, count)| count).sum();
    let mut found = vec![0.0; count];
    carry_out(&mut array, compiled.steps(), &[], &[place], &mut found).map_err(|error| error.to_string())?;

    let values = network.evaluate(&picture).map_err(|error| format!("cannot be evaluated: {error}"))?;
    let shapes = network.shapes().map_err(|error| error.to_string())?;
    let exact = network.exact();
    let mut found = found.as_slice();
    for (layer, count) in readouts {
        let numbers = found.split_off(..count).unwrap_or_default();
        let bits = network.layers[layer].from.iter().all(|source| match source {
            Source::Image => false,
            Source::Layer(layer) => exact[*layer].is_some() || matches!(shapes[*layer], Shape::Maps { bits: true, .. }),
        });
        let wanted = values[layer].numbers();
        let differs = numbers.iter().zip(wanted).any(|(found, wanted)| (found - wanted).abs() > 1e-6);
        ensure(!bits || !differs, || format!("layer {layer} is {numbers:?} instead of {wanted:?}"))?;
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "planes hold f32")]
fn level(image: &Image, pixel: u8) -> f32 {
    image.level(pixel) as f32
}
