//! What an array holds after each stage: the planes of the layers, and the numbers that are read out.

use std::collections::BTreeMap;

use cain_isa::program::{Grid, Held};
use cain_network::{CompiledNetwork, Stage, Work};
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::Array;

use crate::eval::controller::Controller;

/// The values of the layers for pictures on one array.
pub(in crate::eval) struct Planes {
    /// The pixels of each channel that is in a register, by layer and channel and then by picture: in DN, or as numbers
    /// where they are in bits.
    pub(super) maps: BTreeMap<(usize, usize), Vec<Plane>>,
    /// The numbers of each layer on the controller, by picture.
    pub(super) numbers: Vec<Vec<Option<Vec<f64>>>>,
}

/// The pixels of a channel, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plane {
    pub(super) values: Vec<f64>,
    /// The number of bits that they are made of; 0 for a plane in an analogue register.
    pub(super) bits: usize,
}

impl Planes {
    /// Carries out a network on an array to which pictures are shown at these places.
    pub(in crate::eval) fn of(
        compiled: &CompiledNetwork,
        controller: &Controller<'_>,
        mut array: Array,
        places: &[Place],
    ) -> Result<Self, String> {
        let count: usize = compiled.readouts().iter().map(|(_, count)| count).sum();
        let mut numbers = vec![0.0; places.len() * count];
        let mut maps = BTreeMap::new();
        for stage in compiled.stages() {
            carry_out(&mut array, &stage.steps, &[], places, &mut numbers).map_err(|error| error.to_string())?;
            if stage.work != Work::Read {
                maps.extend(of_stage(&array, stage, places)?);
            }
        }
        let of_picture = |numbers: &[f64]| {
            let all = controller.run(&compiled.by_layer(numbers))?.into_iter();
            Ok(all.map(|numbers| Some(numbers?.reals().into_iter().map(f64::from).collect())).collect())
        };
        let none = [];
        let numbers = (0..places.len())
            .map(|picture| of_picture(numbers.get(picture * count..(picture + 1) * count).unwrap_or(&none)));
        Ok(Self { maps, numbers: numbers.collect::<Result<_, String>>()? })
    }
}

/// The planes that a stage made. A number in bits has several, lowest bit first.
fn of_stage(array: &Array, stage: &Stage, places: &[Place]) -> Result<BTreeMap<(usize, usize), Vec<Plane>>, String> {
    let mut made: BTreeMap<(usize, usize), Vec<Plane>> = BTreeMap::new();
    let Some(layer) = stage.layer else { return Ok(made) };
    for ((channel, held), grid) in stage.channels.iter().zip(&stage.held).zip(&stage.grids) {
        let plane: Vec<f64> = match *held {
            Held::Reg(reg) => {
                let values = array.read_reg(reg).map_err(|error| error.to_string())?;
                values.iter().copied().map(f64::from).collect()
            }
            Held::Bit(bit) => {
                let bits = array.read_bits(bit).map_err(|error| error.to_string())?;
                bits.into_iter().map(|bit| f64::from(u8::from(bit))).collect()
            }
        };
        let all = made.entry((layer, *channel)).or_insert_with(|| {
            places.iter().map(|_| Plane { values: vec![0.0; grid.height * grid.width], bits: 0 }).collect()
        });
        for (made, place) in all.iter_mut().zip(places) {
            let weight = 2_f64.powi(i32::try_from(made.bits).unwrap_or_default());
            let pixels = pixels(&plane, array.width(), grid, *place);
            made.values.iter_mut().zip(pixels).for_each(|(value, pixel)| *value += weight * pixel);
            made.bits += usize::from(matches!(held, Held::Bit(_)));
        }
    }
    Ok(made)
}

/// The pixels of a grid for a picture at a place.
fn pixels<'p>(plane: &'p [f64], width: usize, grid: &'p Grid, place: Place) -> impl Iterator<Item = f64> + 'p {
    (0..grid.height).flat_map(move |row| {
        let row = place.row.saturating_add_signed(grid.top) + row * grid.row_step;
        let start = row * width + place.column.saturating_add_signed(grid.left);
        (0..grid.width).map(move |column| plane.get(start + column * grid.column_step).copied().unwrap_or_default())
    })
}
