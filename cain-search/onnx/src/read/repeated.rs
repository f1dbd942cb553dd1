//! Reads nodes that repeat numbers, or that put the pixels of blocks into channels.

use cain_network::MOST_CHANNELS;

use super::{Made, Reader};
use crate::graph::Id;
use crate::op::Op;
use crate::phases::Phases;
use crate::tensor::{MOST, broadcast, count};

impl Reader<'_> {
    /// Repeats numbers to fill sizes: those along axes of size 1, or missing in front.
    pub(super) fn expanded(&mut self) -> Result<Id, String> {
        let sizes = self.sizes(1)?.ok_or("input 2 is missing")?;
        let wanted: Option<Vec<usize>> = sizes.iter().map(|size| usize::try_from(*size).ok()).collect();
        let dims = self.dims(0)?.to_vec();
        let wanted = wanted.ok_or_else(|| format!("the sizes {sizes:?} are not possible"))?;
        let wanted = broadcast(&[&dims, &wanted])?;
        if wanted.contains(&0) && self.graph.constant(self.id(0)?).is_none() {
            return Err(format!(
                "repeats {dims:?} numbers to fill the sizes {wanted:?}, which hold none; expected sizes from 1"
            ));
        }
        let own = [vec![1; wanted.len() - dims.len()], dims].concat();
        let times = wanted.iter().zip(&own).map(|(wanted, own)| if wanted == own { 1 } else { *wanted });
        self.repeated(own.clone(), &times.collect::<Vec<_>>())
    }

    /// Repeats an array along each axis, so many times.
    pub(super) fn tiled(&mut self) -> Result<Id, String> {
        let (times, dims) = (self.required(1)?.integers(), self.dims(0)?.to_vec());
        let known: Option<Vec<usize>> = times.iter().map(|times| usize::try_from(*times).ok()).collect();
        let known = known.filter(|known| known.len() == dims.len() && !known.contains(&0));
        let known = known
            .ok_or_else(|| format!("repeats the sizes {dims:?} {times:?} times; expected a number from 1 for each"))?;
        self.repeated(dims, &known)
    }

    /// The input with these sizes, repeated so many times along each axis.
    fn repeated(&mut self, mut dims: Vec<usize>, times: &[usize]) -> Result<Id, String> {
        let made: Vec<usize> = dims.iter().zip(times).map(|(size, times)| size.saturating_mul(*times)).collect();
        if count(&made).is_none_or(|count| count > MOST) {
            return Err(format!("makes an array of the sizes {made:?}, which is too large"));
        }
        let input = self.id(0)?;
        let mut id = if self.dims(0)? == dims { input } else { self.step(input, Op::Reshape, dims.clone())? };
        for (axis, (times, made)) in times.iter().zip(made).enumerate() {
            let Some(size) = dims.get_mut(axis).filter(|_| *times != 1) else { continue };
            let places = (0..made).map(|place| place % (*size).max(1)).collect();
            *size = made;
            id = self.step(id, Op::Take { axis, places }, dims.clone())?;
        }
        if id == input { self.add(Made::Same(id)) } else { Ok(id) }
    }

    /// Each pixel of a block becomes a channel.
    pub(super) fn blocks(&self) -> Result<Made, String> {
        let (channels, height, width) = self.maps()?;
        let block = usize::try_from(self.node.int("blocksize", 0)).unwrap_or(0);
        if block == 0 || !height.is_multiple_of(block) || !width.is_multiple_of(block) {
            return Err(format!("blocks of {block}×{block} pixels do not fill maps of {height}×{width}"));
        }
        let made = channels.saturating_mul(block * block);
        if made > MOST_CHANNELS {
            return Err(format!("makes {made} maps; at most {MOST_CHANNELS} are possible"));
        }
        self.alike(Op::Phases(Phases::of_blocks(channels, block)), vec![1, made, height / block, width / block])
    }
}
