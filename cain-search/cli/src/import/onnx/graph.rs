//! The network while nodes are read: layers in floating point, and what the names of tensors stand for.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cain_search::network::{Operation, Padding, Source, Window};

use super::forms::Forms;
use super::tensor::Tensor;

/// The most numbers and terms of all values together.
const MOST_HELD: usize = 1 << 22;

/// What only convolutions and pooling read.
pub(super) const PADDED: &str = "reads padded maps; expected a convolution or pooling directly behind the padding";

/// Channels, rows and columns.
pub(super) type Size = (usize, usize, usize);

/// A layer before its weights are rounded.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) from: Vec<Source>,
    pub(super) op: Op,
    /// Of its maps; none if it makes numbers.
    pub(super) size: Option<Size>,
}

#[derive(Clone, Debug)]
pub(super) enum Op {
    Convolution {
        /// Output channel, input channel, row, column.
        weights: Vec<Vec<Vec<Vec<f64>>>>,
        bias: Vec<f64>,
        stride: (usize, usize),
        dilation: (usize, usize),
        padding: Padding,
    },
    /// Of each channel.
    Affine {
        scale: Vec<f64>,
        shift: Vec<f64>,
    },
    /// 1 above, -1 below and 0 at a number for each channel, or for all.
    Sign {
        at: Vec<f64>,
    },
    Dense {
        weights: Vec<Vec<f64>>,
        bias: Vec<f64>,
    },
    Ready(Operation),
}

/// What a tensor is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Constant(Tensor),
    Maps(Maps),
    /// Maps with zeros around them.
    Padded(Maps, Padding),
    /// A part of maps: first channel, channels, rows and columns.
    Part(Maps, (usize, usize), Window),
    Condition(Condition),
    Forms(Forms),
}

/// Maps of a layer, of which each channel is still to be scaled and shifted.
#[derive(Clone, Debug)]
pub(super) struct Maps {
    pub(super) source: Source,
    pub(super) size: Size,
    pub(super) pending: Option<Pending>,
}

/// Factors and summands of channels that the layer before or a threshold behind may absorb.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Of each channel.
    pub(super) scale: Vec<f64>,
    pub(super) shift: Vec<f64>,
    /// What the layer is called if there has to be one.
    pub(super) name: String,
    /// Whether nothing else reads the layer.
    pub(super) is_alone: bool,
    /// The nodes that it is made of.
    pub(super) steps: Vec<usize>,
}

/// Whether maps are above or below a number.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) maps: Maps,
    /// Of each channel.
    pub(super) at: Vec<f64>,
    /// Whether what is equal counts as above.
    pub(super) inclusive: bool,
    /// Whether it is true above.
    pub(super) above: bool,
}

/// What became of a node.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) node: String,
    pub(super) what: Became,
}

#[derive(Clone, Debug)]
pub(super) enum Became {
    /// A constant.
    Constant,
    /// Nothing, or a part of others.
    Text(&'static str),
    /// Part of a layer.
    In(usize),
    /// The layer itself.
    Layer(usize),
}

/// The network.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) drafts: Vec<Draft>,
    /// The factor and the summand of the picture's numbers.
    pub(super) image: Option<(f64, f64)>,
    pub(super) values: BTreeMap<String, Rc<Value>>,
    pub(super) steps: Vec<Step>,
    /// How many nodes and outputs read a tensor.
    pub(super) readers: BTreeMap<String, usize>,
    names: BTreeSet<String>,
    /// How many numbers and terms all values hold.
    held: usize,
    /// What forms read; it must stay as it is.
    pub(super) pinned: BTreeSet<Option<usize>>,
    /// Read-outs and what they read.
    pub(super) read_outs: Vec<(Option<usize>, Vec<Window>, usize)>,
}

impl Graph {
    pub(super) fn value(&self, name: &str) -> Result<Rc<Value>, String> {
        self.values.get(name).cloned().ok_or_else(|| format!("reads `{name}`, which no earlier node makes"))
    }

    /// Gives a tensor its value; fails if all values together become too large.
    pub(super) fn set(&mut self, name: &str, value: Value) -> Result<(), String> {
        self.held += match &value {
            Value::Constant(tensor) => tensor.values.len(),
            Value::Forms(forms) => forms.forms.iter().map(|form| form.terms.len() + 1).sum(),
            Value::Maps(_) | Value::Padded(..) | Value::Part(..) | Value::Condition(_) => 0,
        };
        if self.held > MOST_HELD {
            return Err(format!("all nodes up to this one make more than {MOST_HELD} numbers off the array"));
        }
        self.values.insert(name.to_owned(), Rc::new(value));
        Ok(())
    }

    /// Adds a layer; its name is a word of that text that no other layer has.
    pub(super) fn push(&mut self, name: &str, from: Vec<Source>, op: Op, size: Option<Size>) -> usize {
        let name = self.fresh_name(name);
        self.drafts.push(Draft { name, from, op, size });
        self.drafts.len() - 1
    }

    fn fresh_name(&mut self, text: &str) -> String {
        let parts: Vec<&str> =
            text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let word: String = parts.join("_").to_ascii_lowercase().chars().take(60).collect();
        let word = if word.is_empty() { "layer".to_owned() } else { word };
        let numbered = (2..).map(|number| format!("{word}_{number}"));
        let fits = |name: &String| name != "image" && !self.names.contains(name);
        let name = std::iter::once(word.clone()).chain(numbered).find(fits).unwrap_or(word);
        self.names.insert(name.clone());
        name
    }

    /// Whether a layer, or the picture, can still be changed: nothing reads it but what is pending.
    fn is_free(&self, source: Source) -> bool {
        let layer = match source {
            Source::Image => None,
            Source::Layer(layer) => Some(layer),
        };
        !self.pinned.contains(&layer) && !self.drafts.iter().any(|draft| draft.from.contains(&source))
    }

    /// The maps of a tensor with nothing pending.
    pub(super) fn maps(&mut self, name: &str) -> Result<(Source, Size), String> {
        let value = self.value(name)?;
        let maps = match &*value {
            Value::Maps(maps) => maps.clone(),
            Value::Condition(_) => return Err(format!("reads the condition `{name}` as numbers; add a cast")),
            Value::Padded(..) => return Err(PADDED.to_owned()),
            Value::Part(..) => {
                return Err(format!("reads a part of maps, `{name}`, which can only be summed or averaged"));
            }
            Value::Constant(_) | Value::Forms(_) => {
                return Err(format!("expected maps on the array, but `{name}` is on the controller"));
            }
        };
        let source = self.settle(&maps);
        let settled = Maps { source, size: maps.size, pending: None };
        self.values.insert(name.to_owned(), Rc::new(Value::Maps(settled)));
        Ok((source, maps.size))
    }

    /// The maps of a tensor with nothing pending, and the zeros around them.
    pub(super) fn padded(&mut self, name: &str) -> Result<(Source, Size, Padding), String> {
        let Value::Padded(maps, padding) = (*self.value(name)?).clone() else {
            return self.maps(name).map(|(source, size)| (source, size, Padding::NONE));
        };
        let source = self.settle(&maps);
        let settled = Maps { source, size: maps.size, pending: None };
        self.values.insert(name.to_owned(), Rc::new(Value::Padded(settled, padding)));
        Ok((source, maps.size, padding))
    }

    /// The layer of maps, with what is pending in it or behind it.
    pub(super) fn settle(&mut self, maps: &Maps) -> Source {
        let Some(pending) = &maps.pending else { return maps.source };
        let is_free = pending.is_alone && self.is_free(maps.source);
        let uniform = match (pending.scale.split_first(), pending.shift.split_first()) {
            (Some((scale, scales)), Some((shift, shifts))) => {
                let is_uniform = scales.iter().all(|other| other == scale) && shifts.iter().all(|other| other == shift);
                is_uniform.then_some((*scale, *shift))
            }
            _ => None,
        };
        let absorbed = match (maps.source, uniform) {
            (Source::Image, Some((scale, shift))) if is_free && scale != 0.0 => {
                let (factor, summand) = self.image.unwrap_or((1.0, 0.0));
                self.image = Some((factor * scale, summand * scale + shift));
                Some(Became::Text("folded into the numbers of the image"))
            }
            (Source::Layer(layer), _) if is_free && self.absorb(layer, pending, uniform) => Some(Became::In(layer)),
            _ => None,
        };
        let (source, became) = if let Some(became) = absorbed {
            (maps.source, became)
        } else {
            let op = Op::Affine { scale: pending.scale.clone(), shift: pending.shift.clone() };
            let layer = self.push(&pending.name, vec![maps.source], op, Some(maps.size));
            (Source::Layer(layer), Became::Layer(layer))
        };
        self.note(&pending.steps, &became);
        source
    }

    /// Whether a layer could absorb factors and summands.
    fn absorb(&mut self, layer: usize, pending: &Pending, uniform: Option<(f64, f64)>) -> bool {
        let channels = || pending.scale.iter().zip(&pending.shift);
        match self.drafts.get_mut(layer).map(|draft| &mut draft.op) {
            Some(Op::Convolution { weights, bias, .. }) => {
                for ((kernel, bias), (scale, shift)) in weights.iter_mut().zip(bias).zip(channels()) {
                    kernel.iter_mut().flatten().flatten().for_each(|weight| *weight *= scale);
                    *bias = *bias * scale + shift;
                }
                true
            }
            Some(Op::Affine { scale: scales, shift: shifts }) => {
                for ((own_scale, own_shift), (scale, shift)) in scales.iter_mut().zip(shifts).zip(channels()) {
                    *own_scale *= scale;
                    *own_shift = *own_shift * scale + shift;
                }
                true
            }
            Some(Op::Ready(Operation::Threshold { below, above, .. })) => uniform.is_some_and(|(scale, shift)| {
                *below = *below * scale + shift;
                *above = *above * scale + shift;
                true
            }),
            _ => false,
        }
    }

    pub(super) fn note(&mut self, steps: &[usize], became: &Became) {
        for step in steps {
            if let Some(step) = self.steps.get_mut(*step) {
                step.what = became.clone();
            }
        }
    }

    /// What a condition compares: a layer, the numbers for its channels, and whether both sides were exchanged. Positive
    /// factors only move the numbers.
    pub(super) fn compared(&mut self, maps: &Maps, at: &[f64]) -> (Source, Vec<f64>, bool) {
        let Some(pending) = &maps.pending else { return (maps.source, at.to_vec(), false) };
        let moved = |sign: f64| {
            let channels = at.iter().zip(&pending.scale).zip(&pending.shift);
            channels
                .map(
                    |((at, scale), shift)| {
                        if sign < 0.0 && *scale < 0.0 { (shift - at) / scale } else { (at - shift) / scale }
                    },
                )
                .collect()
        };
        let (all_above, all_below) =
            (pending.scale.iter().all(|scale| *scale > 0.0), pending.scale.iter().all(|scale| *scale < 0.0));
        if all_above || all_below {
            self.note(&pending.steps, &Became::Text("moves the thresholds behind it"));
            return (maps.source, moved(1.0), all_below);
        }
        // Kernels of channels with a negative factor change their sign, and so does the comparison.
        if let Source::Layer(layer) = maps.source
            && pending.is_alone
            && self.is_free(maps.source)
            && pending.scale.iter().all(|scale| *scale != 0.0)
            && let Some(Op::Convolution { weights, bias, .. }) = self.drafts.get_mut(layer).map(|draft| &mut draft.op)
        {
            for ((kernel, bias), scale) in weights.iter_mut().zip(bias).zip(&pending.scale) {
                if *scale < 0.0 {
                    kernel.iter_mut().flatten().flatten().for_each(|weight| *weight = -*weight);
                    *bias = -*bias;
                }
            }
            self.note(&pending.steps, &Became::Text("moves the thresholds behind it"));
            return (maps.source, moved(-1.0), false);
        }
        (self.settle(maps), at.to_vec(), false)
    }
}
