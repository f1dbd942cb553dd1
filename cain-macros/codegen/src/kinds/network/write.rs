//! Networks as text.

use std::fmt::Write as _;

use cain_digital::Input;
use cain_isa::Fraction;
use cain_network::{Layer, Network, Operation, Padding, Source};
use cain_search::Options;

use crate::emit::digital::expression;
use crate::kinds::beside::npy;
use crate::quoted::string;

/// Matrices with more weights are written to files of their own.
const MOST_INLINE: usize = 4096;
/// The longest line of weights.
const WIDTH: usize = 110;

/// A network as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenNetwork {
    /// The tables of the network, for a kernel file.
    pub toml: String,
    /// The names and contents of the files with weights and pictures, which belong beside the kernel file.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Writes a network, with the options of its searches but `nodes` left to the defaults and its machine to the table `machine`.
///
/// Pictures, and large matrices of dense layers, become files whose names begin with `stem`. What is read back is the same network.
#[must_use]
pub fn write_network(network: &Network, doc: Option<&str>, stem: &str) -> WrittenNetwork {
    let mut written = WrittenNetwork { toml: format!("[network.{}]\n", network.name), files: Vec::new() };
    if let Some(doc) = doc {
        written.line("doc", &string(doc));
    }
    let pictures = (!network.pictures.is_empty()).then(|| format!("{stem}.pictures.npy"));
    written.line("input", &input(network, pictures.as_deref()));
    if let Some(file) = pictures {
        let size = (network.input.height, network.input.width);
        written.files.push((file, npy::write_pictures(&network.pictures, size)));
    }
    if network.options.nodes != Options::default().nodes {
        written.line("search", &format!("{{ nodes = {} }}", network.options.nodes));
    }
    for (i, layer) in network.layers.iter().enumerate() {
        written.layer(network, i, layer, stem);
    }
    written
}

impl WrittenNetwork {
    fn line(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.toml, "{key} = {value}");
    }

    fn layer(&mut self, network: &Network, index: usize, layer: &Layer, stem: &str) {
        let _ = write!(self.toml, "\n[[network.{}.layer]]\n", network.name);
        self.line("name", &string(&layer.name));
        self.line("op", &string(layer.operation.name()));
        let before = index.checked_sub(1).map_or(Source::Image, Source::Layer);
        match layer.from.as_slice() {
            [only] if *only == before => {}
            [only] => self.line("from", &string(network.name_of(*only))),
            several => {
                let names: Vec<String> = several.iter().map(|source| string(network.name_of(*source))).collect();
                self.line("from", &format!("[{}]", names.join(", ")));
            }
        }
        self.operation(network, layer, stem);
    }

    fn operation(&mut self, network: &Network, layer: &Layer, stem: &str) {
        match &layer.operation {
            Operation::Convolution { kernels, bias, stride, dilation, padding } => {
                self.kernels(kernels);
                if bias.iter().any(|bias| *bias != 0.0) {
                    self.line("bias", &list(bias.iter().copied().map(real)));
                }
                self.pair_unless("stride", *stride, (1, 1));
                self.pair_unless("dilation", *dilation, (1, 1));
                self.padding(*padding);
            }
            Operation::Affine { scale, shift } => {
                self.line("scale", &list(scale.iter().copied().map(fraction)));
                self.line("shift", &list(shift.iter().copied().map(real)));
            }
            Operation::LeakyRelu { exponent } => {
                let slope = 1_u128.checked_shl(*exponent).unwrap_or(u128::MAX);
                self.line("slope", &format!("\"1/{slope}\""));
            }
            Operation::Clamp { low, high } => {
                self.line("low", &real(*low));
                self.line("high", &real(*high));
            }
            Operation::Threshold { at, inclusive, below, above } => {
                self.line("at", &list(at.iter().copied().map(real)));
                self.flag("inclusive", *inclusive);
                self.line("values", &format!("[{}, {}]", real(*below), real(*above)));
            }
            Operation::Digital { kernels, stride, dilation, padding } => {
                self.kernels(kernels);
                self.pair_unless("stride", *stride, (1, 1));
                self.pair_unless("dilation", *dilation, (1, 1));
                self.padding(*padding);
            }
            Operation::Logic { functions } => {
                let inputs = inputs(network, &layer.from);
                let functions = functions.iter().map(|function| string(&expression(function, &inputs)));
                self.line("expressions", &wrapped(functions));
            }
            Operation::MaxPool { size, stride, dilation, padding } => {
                self.pooling(*size, *stride, *dilation, *padding);
            }
            Operation::MeanPool { size, stride, dilation, padding, count_padding } => {
                self.pooling(*size, *stride, *dilation, *padding);
                self.flag("count_padding", *count_padding);
            }
            Operation::Windows { windows, mean } => {
                let windows = windows
                    .iter()
                    .map(|window| format!("[{}, {}, {}, {}]", window.top, window.left, window.height, window.width));
                self.line("windows", &wrapped(windows));
                self.flag("mean", *mean);
            }
            Operation::Events { capacity } => self.line("capacity", &capacity.to_string()),
            Operation::Dense { weights, bias, bits } => {
                if weights.iter().map(Vec::len).sum::<usize>() > MOST_INLINE {
                    let file = format!("{stem}.{}.npy", layer.name);
                    self.line("weights", &string(&file));
                    self.files.push((file, npy::write(weights)));
                } else {
                    let rows = weights.iter().map(|row| wrapped(row.iter().copied().map(real)));
                    self.line("weights", &lines(rows));
                }
                if bias.iter().any(|bias| *bias != 0.0) {
                    self.line("bias", &wrapped(bias.iter().copied().map(real)));
                }
                self.line("bits", &bits.to_string());
            }
            Operation::Relu
            | Operation::Abs
            | Operation::Maximum
            | Operation::Minimum
            | Operation::Concatenate
            | Operation::Plane
            | Operation::Rectify
            | Operation::Softmax
            | Operation::Argmax
            | Operation::Join => {}
        }
    }

    /// Kernels as whole numbers with a common scale, if they have one.
    fn kernels(&mut self, kernels: &[Vec<Vec<Vec<Fraction>>>]) {
        let all = || kernels.iter().flatten().flatten().flatten();
        let denominator = all().try_fold(1_i64, |common, weight| {
            let weight = weight.denominator();
            let shared = Fraction::new(common, weight)?.denominator();
            common.checked_mul(shared).filter(|common| common % weight == 0)
        });
        let scale = denominator.and_then(|denominator| Fraction::new(denominator, 1)).unwrap_or(Fraction::ONE);
        let fits = all().all(|weight| weight.checked_mul(scale).is_some());
        let scale = if fits { scale } else { Fraction::ONE };
        if scale != Fraction::ONE {
            self.line("scale", &format!("\"1/{scale}\""));
        }
        let weight = |weight: &Fraction| fraction(weight.checked_mul(scale).unwrap_or(*weight));
        let row = |row: &Vec<Fraction>| format!("[{}]", row.iter().map(weight).collect::<Vec<_>>().join(", "));
        let matrix =
            |matrix: &Vec<Vec<Fraction>>| format!("[{}]", matrix.iter().map(row).collect::<Vec<_>>().join(", "));
        let kernels = kernels.iter().map(|kernel| match kernel.as_slice() {
            [only] => matrix(only),
            several => format!("[{}]", several.iter().map(matrix).collect::<Vec<_>>().join(", ")),
        });
        self.line("kernels", &lines(kernels));
    }

    fn pooling(&mut self, size: (usize, usize), stride: (usize, usize), dilation: (usize, usize), padding: Padding) {
        self.line("size", &format!("[{}, {}]", size.0, size.1));
        self.pair_unless("stride", stride, size);
        self.pair_unless("dilation", dilation, (1, 1));
        self.padding(padding);
    }

    fn pair_unless(&mut self, key: &str, pair: (usize, usize), default: (usize, usize)) {
        if pair != default {
            self.line(key, &format!("[{}, {}]", pair.0, pair.1));
        }
    }

    fn padding(&mut self, padding: Padding) {
        if !padding.is_none() {
            let Padding { top, left, bottom, right } = padding;
            self.line("padding", &format!("[{top}, {left}, {bottom}, {right}]"));
        }
    }

    fn flag(&mut self, key: &str, value: bool) {
        if value {
            self.line(key, "true");
        }
    }
}

/// The channels that a layer reads, with the names that expressions have for them.
fn inputs(network: &Network, from: &[Source]) -> Vec<Input> {
    let exact = network.exact();
    let channels = |source: &Source| {
        let formats = match *source {
            Source::Image => None,
            Source::Layer(layer) => exact.get(layer).cloned().flatten(),
        };
        let (name, formats) = (network.name_of(*source), formats.unwrap_or_default());
        let is_one = formats.len() == 1;
        let name = move |channel| if is_one { name.to_owned() } else { format!("{name}[{channel}]") };
        let input = move |(channel, format)| Input { name: name(channel), format, keep: false, at: None };
        formats.into_iter().enumerate().map(input).collect::<Vec<_>>()
    };
    from.iter().flat_map(channels).collect()
}

/// What a network sees, with the name of the file with its pictures.
fn input(network: &Network, pictures: Option<&str>) -> String {
    let image = &network.input;
    let levels = |(black, white): (f64, f64)| format!("\"{black}..{white}\"");
    let mut text = format!("{{ size = [{}, {}], levels = {}", image.height, image.width, levels(image.levels));
    if image.range != image.levels {
        let _ = write!(text, ", range = {}", levels(image.range));
    }
    if let Some(least) = image.binarise {
        let _ = write!(text, ", binarise = {least}");
    }
    if let Some(file) = pictures {
        let _ = write!(text, ", pictures = {}", string(file));
    }
    if network.largest_sums != Fraction::ONE {
        let _ = write!(text, ", largest_sums = {}", fraction(network.largest_sums));
    }
    text + " }"
}

/// A number that is read back as the same.
fn real(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn fraction(number: Fraction) -> String {
    if number.denominator() == 1 { number.to_string() } else { format!("\"{number}\"") }
}

fn list(values: impl Iterator<Item = String>) -> String {
    let values: Vec<String> = values.collect();
    match values.as_slice() {
        [only] => only.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// An array of as many lines as it needs.
fn wrapped(values: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[");
    let mut column = 1;
    for (i, value) in values.enumerate() {
        let separator = if i == 0 { "" } else { "," };
        text += separator;
        if column + value.len() + 2 > WIDTH {
            text += "\n    ";
            column = 4;
        } else if i > 0 {
            text.push(' ');
            column += 2;
        }
        column += value.len();
        text += &value;
    }
    text + "]"
}

/// An array with a line for each value.
fn lines(values: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[\n");
    for value in values {
        let _ = writeln!(text, "    {value},");
    }
    text + "]"
}
