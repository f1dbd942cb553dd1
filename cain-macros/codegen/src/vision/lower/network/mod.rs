//! Calls of networks: their layers are put in, as if a function had them in its body.
//!
//! Maps become planes of levels or of bits, read-outs and what follows them numbers of the controller.

mod channel;
mod extremes;
mod layers;
mod numbers;
mod places;
mod sums;

use cain_isa::Fraction;
use cain_isa::program::{Area, Grid};
use cain_network::arithmetic::common;
use cain_network::{Network, Operation as Layer, Source};
use cain_vision::declaration::{Operation, Sample, Value};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::operator::TOO_LARGE;
use super::thing::{Given, Thing};
use super::{Lowering, Made, Told};
use channel::{Channel, Held, Level};
use numbers::Entry;

/// The rows and columns of an array.
const SIDE: usize = cain_analysis::owned::SIDE;

/// What a layer makes.
enum Layered {
    Maps(Vec<Channel>),
    Numbers(Vec<Entry>),
    /// The place of the largest of several numbers.
    Class(Entry),
    /// Planes that stay on the array, and lists of their bits.
    Planes(Vec<Thing>),
}

/// A call.
struct Call<'n> {
    network: &'n Network,
    at: Span,
    /// The layer that is put in.
    layer: usize,
    /// The masks of rectangles so far.
    inside: Vec<([usize; 4], Value)>,
}

impl Lowering<'_> {
    /// What a network makes of a picture: a result for each head, or a tuple of them.
    pub(super) fn seen(&mut self, network: &Network, given: &[Option<Given>], at: Span) -> Made<Vec<Thing>> {
        let Some(Some((image, image_at))) = given.first() else { return Err(Told) };
        let corner = match given.get(1) {
            Some(Some((place, place_at))) => self.corner(network, place, *place_at)?,
            _ => ((SIDE - network.input.height) / 2, (SIDE - network.input.width) / 2),
        };
        let levels = self.levels(image, *image_at)?;
        let step = self.step_of(&levels);
        let image = self.plane(&levels, *image_at)?;
        self.builder.sample(sample(network, image, corner));
        let mut call = Call { network, at, layer: 0, inside: Vec::new() };
        let picture = self.picture(&call, image, step, corner)?;
        let heads = network.heads();
        let mut layers: Vec<Layered> = Vec::new();
        for (number, layer) in network.layers.iter().enumerate() {
            call.layer = number;
            let mut maps = Vec::new();
            let mut numbers = Vec::new();
            for source in &layer.from {
                match *source {
                    Source::Image => maps.push(vec![picture.clone()]),
                    Source::Layer(of) => match layers.get(of) {
                        Some(Layered::Maps(channels)) => maps.push(channels.clone()),
                        Some(Layered::Numbers(entries)) => numbers.extend_from_slice(entries),
                        Some(Layered::Class(entry)) => numbers.push(entry.clone()),
                        Some(Layered::Planes(_)) => {
                            let reason = "it reads a list of pixels, which belongs to the host here; read the bits \
                                          themselves with `windows`";
                            return Err(self.refused(&call, reason));
                        }
                        None => return Err(Told),
                    },
                }
            }
            let is_head = heads.contains(&number);
            let made = if maps.is_empty() {
                self.of_numbers(&call, &layer.operation, numbers)?
            } else {
                self.of_maps(&mut call, &layer.operation, &picture, &maps, is_head)?
            };
            layers.push(made);
        }
        let mut results = Vec::new();
        for head in heads {
            call.layer = head;
            results.push(match layers.get(head) {
                Some(Layered::Numbers(entries)) => Thing::List(self.told(entries, at)?),
                Some(Layered::Class(entry)) => Thing::Number(self.in_parts(entry, 1.0, at)?),
                Some(Layered::Planes(planes)) => one_or_tuple(planes.clone()),
                _ => return Err(self.refused(&call, "nothing reads its maps")),
            });
        }
        Ok(results)
    }

    /// The row and the column of the north-west corner of the picture.
    fn corner(&mut self, network: &Network, place: &Thing, at: Span) -> Made<(usize, usize)> {
        let Thing::Tuple(parts) = place else {
            return Err(self.expected("a row and a column, as in `(100, 100)`", place, "", at));
        };
        let [row, column] = parts.as_slice() else {
            return Err(self.expected("a row and a column, as in `(100, 100)`", place, "", at));
        };
        if [row, column].iter().any(|part| matches!(part, Thing::Number(_))) {
            let message = "the place of a network's picture is known while the program is compiled; `shift(image, dx, dy)` \
                           moves what it sees by numbers of the controller";
            return Err(self.wrong(at, message));
        }
        let mut along = |part: &Thing, length: usize, what: &str| {
            let most = i64::try_from(SIDE - length.min(SIDE)).unwrap_or(0);
            let place = self.known_within(part, 0, most, what, at)?;
            Ok(usize::try_from(place).unwrap_or(0))
        };
        Ok((along(row, network.input.height, "a row")?, along(column, network.input.width, "a column")?))
    }

    /// The picture, as the network sees it.
    fn picture(
        &mut self,
        call: &Call<'_>,
        image: Value,
        step: Option<Fraction>,
        (top, left): (usize, usize),
    ) -> Made<Channel> {
        let input = &call.network.input;
        let grid = Grid {
            top: top.cast_signed(),
            left: left.cast_signed(),
            row_step: 1,
            column_step: 1,
            height: input.height,
            width: input.width,
        };
        let held = match input.binarise {
            None => Held::Levels(Level::of_picture(image, input, step).ok_or_else(|| self.refused(call, TOO_LARGE))?),
            Some(least) => {
                let ends = [least.saturating_sub(1), least].map(|grey| level_of(input, grey));
                let bits = if least == 0 {
                    Bits::constant(true)
                } else if ends[0] < ends[1] {
                    self.above(image, channel::between(ends[0], ends[1]), call.at)?
                } else {
                    self.above(image, channel::between(ends[1], ends[0]), call.at)?.not()
                };
                Held::Bits(bits, input.range)
            }
        };
        Ok(Channel { grid, held })
    }

    /// What levels are multiples of if inputs are in whole DN, as converters tell them; nothing if they are made of others.
    fn step_of(&self, levels: &Linear) -> Option<Fraction> {
        let (constant, mut numbers) = levels.added();
        let is_input = |of: Value| self.builder.inputs().iter().any(|input| input.value == of);
        let known = levels.planes().all(|(of, _)| is_input(of)) && numbers.next().is_none();
        let mut weights = levels.planes().map(|(_, weight)| weight.abs());
        weights.try_fold(constant.abs(), common).filter(|_| known)
    }

    /// Bits that are 1 where levels are above a known one.
    fn above(&mut self, of: Value, than: Fraction, at: Span) -> Made<Bits> {
        let difference = Linear::plane(of).plus(&Linear::constant(than), Fraction::from(-1));
        let difference = difference.ok_or_else(|| self.wrong(at, TOO_LARGE))?;
        let difference = self.plane(&difference, at)?;
        Ok(Bits::plane(self.define(Operation::Positive(difference), at)?))
    }

    /// What a layer on the array makes of maps.
    fn of_maps(
        &mut self,
        call: &mut Call<'_>,
        layer: &Layer,
        picture: &Channel,
        maps: &[Vec<Channel>],
        is_head: bool,
    ) -> Made<Layered> {
        Ok(match layer {
            Layer::Windows { .. } | Layer::Plane if !is_head || matches!(layer, Layer::Windows { .. }) => {
                Layered::Numbers(self.read_of_maps(call, layer, &maps.concat())?)
            }
            Layer::Plane => {
                let planes = maps.concat().into_iter().map(|channel| self.shown(call, &channel, picture));
                Layered::Planes(planes.collect::<Made<_>>()?)
            }
            Layer::Events { capacity } => {
                let most = u32::try_from(*capacity).unwrap_or(u32::MAX);
                let lists = maps.concat().into_iter().map(|channel| {
                    let Held::Bits(..) = channel.held else { return Err(self.refused(call, "it lists levels")) };
                    let bits = self.shown(call, &channel, picture)?;
                    Ok(Thing::Events(self.bits_value(&bits, call.at)?, most))
                });
                Layered::Planes(lists.collect::<Made<_>>()?)
            }
            layer => Layered::Maps(self.layer(call, layer, maps)?),
        })
    }

    /// A layer that cannot be put in, and why.
    fn refused(&mut self, call: &Call<'_>, reason: &str) -> Told {
        let name = &call.network.name;
        let message = match call.network.layers.get(call.layer) {
            Some(layer) => format!(
                "layer `{}` of network `{name}`, `{}`, cannot be called in a program: {reason}",
                layer.name,
                layer.operation.name()
            ),
            None => format!("network `{name}` cannot be called in a program: {reason}"),
        };
        self.wrong(call.at, message)
    }
}

/// What the network typically sees.
fn sample(network: &Network, of: Value, (top, left): (usize, usize)) -> Sample {
    #[expect(clippy::cast_possible_truncation, reason = "levels need few digits")]
    let level = |grey: u8| level_of(&network.input, grey) as f32;
    let area = Area { top, left, height: network.input.height, width: network.input.width };
    let pictures = network.typical_pictures();
    let pictures = pictures.iter().map(|picture| picture.iter().copied().map(level).collect()).collect();
    Sample { of, area, around: level(0), pictures }
}

/// A level of the picture, in DN.
fn level_of(input: &cain_network::Image, grey: u8) -> f64 {
    cain_network::Image { binarise: None, ..*input }.level(grey)
}

/// The only one of several results, or all of them.
pub(super) fn one_or_tuple(mut all: Vec<Thing>) -> Thing {
    match all.pop() {
        Some(only) if all.is_empty() => only,
        last => {
            all.extend(last);
            Thing::Tuple(all)
        }
    }
}
