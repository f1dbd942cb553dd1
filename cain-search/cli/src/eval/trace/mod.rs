//! `cain eval --trace`: every map and read-out of some pictures, and a report on all layers.

mod folder;
mod html;
mod layers;
mod npy;
pub(super) mod planes;
mod record;
mod sheet;
mod unit;
mod units;
mod values;

use std::path::Path;

use cain_isa::ErrorModel;
use cain_network::{CompiledNetwork, Shape};
use cain_runtime::trace::Timing;
use clap::ValueEnum;

use super::args::Eval;
use super::array::Arrays;
use super::costs::Costs;
use crate::data::Labelled;
use crate::run::Model;
use crate::watch::Interrupt;
use folder::LIST;
use html::Section;
use layers::Layer;
use record::Record;
use sheet::Row;
use values::{Looked, Values};

/// The most maps of a layer that are drawn; all are written as files.
const MOST_MAPS: usize = 16;
/// The most numbers of a layer that are drawn.
const MOST_NUMBERS: usize = 256;
/// The pictures that are shown if none are named: so many of the first ones.
const SHOWN: usize = 4;
/// The most pictures that may be shown.
const MOST_SHOWN: usize = 64;

/// Checks the folder before any work begins.
pub(super) fn check(args: &Eval) -> Result<(), String> {
    args.trace.as_deref().map_or(Ok(()), folder::check)
}

/// Writes the trace of a network.
pub(super) fn write(
    args: &Eval,
    into: &Path,
    compiled: &CompiledNetwork,
    data: &Labelled,
    (head, costs, errors): (usize, &Costs, ErrorModel),
    interrupt: &Interrupt,
) -> Result<(), String> {
    let shown = shown(&args.pictures, data.len())?;
    // The ideal array is there in any case, so that by default the other one has the errors of the chip.
    let model = if let Model::Ideal = args.model { Model::Measured } else { args.model };
    let ideal = Arrays::new(compiled, ErrorModel::ideal(), args.seed)?;
    let measured = Arrays::new(compiled, model.errors(errors), args.seed)?;
    let looked = Looked::new(compiled, [&ideal, &measured], head, data)?;
    let mut layers = Layer::all(compiled, costs)?;
    let (images, correct) = looked.fill(&mut layers, interrupt)?;
    let mut files = Vec::new();
    let mut sections = Vec::new();
    for &number in &shown {
        if interrupt.is_pressed() {
            return Err("interrupted".to_owned());
        }
        let Some((picture, label)) = data.iter().nth(number) else { continue };
        let values = looked.values(&[picture])?.into_iter().next().ok_or("the picture has no values")?;
        files.extend(arrays(compiled, number, &values)?);
        let name = |class: usize| data.classes().get(class).cloned().unwrap_or_else(|| class.to_string());
        sections.push(Section {
            number,
            classes: [label, values.class(head, 0), values.class(head, 1), values.class(head, 2)].map(name),
            rows: rows(compiled, picture, &looked, &values)?,
        });
    }
    let all: Vec<&[Row]> = sections.iter().map(|section| section.rows.as_slice()).collect();
    files.push(("contact-sheet.png".to_owned(), sheet::sheet(&all).png().map_err(|error| error.to_string())?));
    let microseconds = costs.microseconds(false) + costs.microseconds(true);
    let name = model.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let listed = files.iter().map(|(name, _)| name.clone()).chain(["report.html".to_owned(), LIST.to_owned()]);
    let record = Record {
        network: &compiled.network().name,
        pictures: &shown,
        images,
        model: &name,
        seed: args.seed,
        words: costs.words(),
        microseconds,
        microjoules: Timing::SCAMP5.microjoules(microseconds),
        fps: costs.fps(),
        correct,
        layers,
        files: listed.collect(),
    };
    let page = html::html(&record, &sections)?;
    let list = serde_json::to_vec_pretty(&record).map_err(|error| error.to_string())?;
    files.push(("report.html".to_owned(), page.into_bytes()));
    files.push((LIST.to_owned(), list));
    folder::replace(into, &files)
}

/// The values of a layer for pictures, in numbers of the network.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The name of the layer.
    pub name: String,
    /// The sizes for one picture, the last of which changes fastest.
    pub sizes: Vec<usize>,
    /// In floating point.
    pub float: Vec<f64>,
    /// On an array without errors; `None` if the layer is part of others there. Channels of which it is not known what their
    /// values stand for are NaN.
    pub ideal: Option<Vec<f64>>,
    /// On an array with errors, without the constants that thresholds compensate.
    pub measured: Option<Vec<f64>>,
}

/// The values of all layers for pictures; `progress` is told how many pictures are done.
pub(crate) fn traced(
    compiled: &CompiledNetwork,
    (errors, seed): (ErrorModel, u64),
    data: &Labelled,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Traced>, String> {
    let network = compiled.network();
    let ideal = Arrays::new(compiled, ErrorModel::ideal(), seed)?;
    let measured = Arrays::new(compiled, errors, seed)?;
    // No class is asked for, so the head does not matter.
    let looked = Looked::new(compiled, [&ideal, &measured], 0, data)?;
    let shapes = network.shapes().map_err(|error| error.to_string())?;
    let layer = |(layer, shape): (&cain_network::Layer, &Shape)| Traced {
        name: layer.name.clone(),
        sizes: sizes(shape),
        float: Vec::new(),
        ideal: Some(Vec::new()),
        measured: Some(Vec::new()),
    };
    let mut layers: Vec<Traced> = network.layers.iter().zip(&shapes).map(layer).collect();
    let pictures: Vec<&[u8]> = data.iter().map(|(picture, _)| picture).collect();
    let mut done = 0;
    for batch in pictures.chunks(ideal.room().max(1)) {
        if interrupt.is_pressed() {
            return Err("interrupted".to_owned());
        }
        for values in looked.values(batch)? {
            for (place, layer) in layers.iter_mut().enumerate() {
                let [float, ideal, measured] = values.of(place);
                layer.float.extend_from_slice(float.unwrap_or_default());
                add(&mut layer.ideal, ideal);
                add(&mut layer.measured, measured);
            }
        }
        done += batch.len();
        progress(done);
    }
    Ok(layers)
}

/// Adds the values of a picture to those of others, if there are any.
fn add(all: &mut Option<Vec<f64>>, values: Option<&[f64]>) {
    match (&mut *all, values) {
        (Some(all), Some(values)) => all.extend_from_slice(values),
        (_, None) => *all = None,
        (None, Some(_)) => {}
    }
}

/// The sizes of the values of a layer.
pub(crate) fn sizes(shape: &Shape) -> Vec<usize> {
    match *shape {
        Shape::Maps { channels, height, width, .. } => vec![channels, height, width],
        Shape::Numbers(count) => vec![count],
        Shape::Events { channels, .. } => vec![channels, shape.values() / channels.max(1)],
    }
}

/// The numbers of the pictures to be shown.
fn shown(wanted: &[usize], count: usize) -> Result<Vec<usize>, String> {
    if let Some(beyond) = wanted.iter().find(|number| **number >= count) {
        return Err(format!("`--pictures`: there is no picture {beyond}; the data has {count}, numbered from 0"));
    }
    if wanted.len() > MOST_SHOWN {
        return Err(format!("`--pictures`: {} pictures; at most {MOST_SHOWN} can be shown", wanted.len()));
    }
    let mut shown: Vec<usize> = if wanted.is_empty() { (0..count.min(SHOWN)).collect() } else { wanted.to_vec() };
    shown.sort_unstable();
    shown.dedup();
    Ok(shown)
}

/// The files with the values of all layers for a picture.
fn arrays(compiled: &CompiledNetwork, number: usize, values: &Values) -> Result<Vec<(String, Vec<u8>)>, String> {
    let network = compiled.network();
    let shapes = network.shapes().map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    for (place, (layer, shape)) in network.layers.iter().zip(shapes).enumerate() {
        let sizes = sizes(&shape);
        for (kind, numbers) in ["float", "ideal", "measured"].into_iter().zip(values.of(place)) {
            if let Some(numbers) = numbers {
                files.push((format!("{number}/{}.{kind}.npy", layer.name), npy::npy(&sizes, numbers)));
            }
        }
    }
    Ok(files)
}

/// The pictures of all layers that have values on the array or on the controller.
fn rows(compiled: &CompiledNetwork, picture: &[u8], looked: &Looked<'_>, values: &Values) -> Result<Vec<Row>, String> {
    let network = compiled.network();
    let shapes = network.shapes().map_err(|error| error.to_string())?;
    let mut rows = vec![Row::of_image(picture, network.input.width)];
    for (place, (layer, shape)) in network.layers.iter().zip(shapes).enumerate() {
        let [Some(float), Some(ideal), Some(measured)] = values.of(place) else { continue };
        let all = [float, ideal, measured];
        match shape {
            Shape::Maps { channels, height, width, .. } => {
                for channel in 0..channels.min(MOST_MAPS) {
                    let area = height * width;
                    let of = |values: &[f64]| values.get(channel * area..(channel + 1) * area).map(<[f64]>::to_vec);
                    let [Some(float), Some(ideal), Some(measured)] = all.map(of) else { continue };
                    if ideal.iter().chain(&measured).any(|number| number.is_nan()) {
                        continue;
                    }
                    let unit = looked.analogue(place, channel).map(|unit| (unit.scale, unit.zero));
                    let name = format!("{}[{channel}]", layer.name);
                    rows.push(Row::of_values(name, [&float, &ideal, &measured], width, unit));
                }
            }
            Shape::Numbers(count) if count <= MOST_NUMBERS => {
                let width = count.clamp(1, 16);
                let padded = |values: &[f64]| {
                    let missing = count.next_multiple_of(width) - count;
                    values.iter().copied().chain(std::iter::repeat_n(0.0, missing)).collect::<Vec<_>>()
                };
                let [float, ideal, measured] = all.map(padded);
                rows.push(Row::of_values(layer.name.clone(), [&float, &ideal, &measured], width, None));
            }
            Shape::Numbers(_) | Shape::Events { .. } => {}
        }
    }
    Ok(rows)
}
