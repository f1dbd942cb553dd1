//! Checks whether a network can be laid out.

use crate::interleaved;
use crate::{Declaration, InPixelError, Pixels};

impl Declaration {
    /// Checks the declaration; returns the first error.
    pub fn check(&self) -> Result<(), InPixelError> {
        let Self { side, block, taps, pool, .. } = *self;
        if !side.is_power_of_two() || !(8..=256).contains(&side) {
            return Err(InPixelError::Side(side));
        }
        if let Some(second) = &self.second {
            return interleaved::check(self, second);
        }
        if !(2..=Self::MOST_TAPS).contains(&taps) {
            return Err(InPixelError::FilterSize(taps));
        }
        if !block.is_power_of_two() || block > side || block < 8 {
            return Err(InPixelError::Block { block, side });
        }
        let picture = self.picture.saturating_mul(self.scale);
        if picture == 0 || picture > block - self.margin() {
            return Err(InPixelError::Picture { picture, margin: self.margin(), block });
        }
        if self.pixels == Pixels::Halves && block == side {
            return Err(InPixelError::Halves);
        }
        if ![2, 4].contains(&pool) {
            return Err(InPixelError::Pool(pool));
        }
        self.check_filters()?;
        self.check_dense()
    }

    fn check_filters(&self) -> Result<(), InPixelError> {
        let (blocks, wanted) = (self.blocks() * self.blocks(), self.taps * self.taps);
        if self.filters.len() != blocks {
            return Err(InPixelError::Filters { found: self.filters.len(), blocks });
        }
        for (filter, weights) in self.filters.iter().enumerate() {
            if weights.len() != wanted {
                return Err(InPixelError::FilterWeights { filter, found: weights.len(), wanted });
            }
            if let Some(place) = weights.iter().position(|weight| !(-1..=1).contains(weight)) {
                let (row, column) = (place / self.taps, place % self.taps);
                return Err(InPixelError::NotBinary { filter, row, column, found: weights[place] });
            }
        }
        Ok(())
    }

    fn check_dense(&self) -> Result<(), InPixelError> {
        self.check_features(self.filters.len() * self.cells() * self.cells(), self.pool * self.pool)
    }

    /// Checks that there are weights for `wanted` features and at most `most` classes.
    pub(crate) fn check_features(&self, wanted: usize, most: usize) -> Result<(), InPixelError> {
        if self.dense.len() != wanted {
            return Err(InPixelError::Features { found: self.dense.len(), wanted });
        }
        let classes = self.classes();
        if !(1..=most).contains(&classes) {
            return Err(InPixelError::Classes { found: classes, most });
        }
        for (feature, weights) in self.dense.iter().enumerate() {
            if weights.len() != classes {
                return Err(InPixelError::Uneven { feature, found: weights.len(), wanted: classes });
            }
            if let Some(class) = weights.iter().position(|weight| !(-1..=1).contains(weight)) {
                return Err(InPixelError::NotTernary { feature, class, found: weights[class] });
            }
        }
        Ok(())
    }
}
