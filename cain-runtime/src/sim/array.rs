//! The simulated array of PEs.

use alloc::vec::Vec;

use super::bits::Bits;
use super::cells::Cells;
use super::digital::Digital;
use super::draw::{Draws, Purpose};
use super::planes::Planes;
use super::saturate::saturate;
use super::{BitErrors, ErrorModel, Propagation, SimError};
use crate::isa::{Bit, Machine, MachineError, Number, Reg, Store};
use crate::reg::{Register, digital};
use crate::trace::Timing;
use crate::{Areg, BitPlane, Dreg, Plane};

/// A simulated array of PEs of any size.
///
/// It is SCAMP-5 unless another [`machine`](Self::machine) is described; using what that machine lacks is an error. So
/// is reading a register that has never been written. What is read from outside the array is 0 DN unless set with
/// [`outside`](Self::outside); on the chip it is undefined.
///
/// If a setting is not a finite number, every operation of the array is an error:
///
/// ```
/// use cain_runtime::isa::asm::A;
/// use cain_runtime::sim::{Array, SimError};
///
/// let mut array = Array::new(1, 1).squarer(f32::NAN);
/// assert_eq!(array.load_reg(A, &[1.0]), Err(SimError::NoNumber("Array::squarer")));
/// ```
///
/// Carrying out whole instructions and plans is faster than carrying out their words one by one, with the same results.
#[derive(Clone, Debug)]
pub struct Array {
    pub(super) machine: Machine,
    pub(super) model: ErrorModel,
    pub(super) seed: u64,
    pub(super) propagation: Propagation,
    /// The share of a difference that flows in a diffusion, if diffusion is enabled.
    pub(super) diffusion: Option<f32>,
    /// The square of 1 DN, in DN, if squares are enabled.
    pub(super) squarer: Option<f32>,
    pub(super) timing: Timing,
    pub(super) planes: Planes,
    pub(super) digital: Digital,
    /// The errors of the cells written so far.
    pub(super) cells: Cells,
    /// The number of words carried out so far, and the most that may be.
    pub(super) words: u64,
    most_words: u64,
}

impl Array {
    /// An ideal array of `width` PEs from west to east and `height` from north to south, with nothing written.
    #[must_use]
    pub const fn new(width: usize, height: usize) -> Self {
        Self {
            machine: Machine::SCAMP5,
            model: ErrorModel::ideal(),
            seed: 0,
            propagation: Propagation::Complete,
            diffusion: None,
            squarer: None,
            timing: Timing::SCAMP5,
            planes: Planes::new(width, height),
            digital: Digital::new(width, height),
            cells: Cells::new(),
            words: 0,
            most_words: u64::MAX,
        }
    }

    /// An ideal array of the size of SCAMP-5, 256×256 PEs.
    #[must_use]
    pub const fn scamp5() -> Self {
        Self::new(256, 256)
    }

    /// The same array as a model of another machine, with its registers, instructions, range and durations of words.
    ///
    /// ```
    /// use cain_runtime::isa::{HostController, Machine, asm::*};
    /// use cain_runtime::sim::Array;
    ///
    /// let mut array = Array::new(2, 1).machine(Machine::SCAMP5.with_registers(18));
    /// array.load_reg(R, &[1.0, 2.0])?;
    /// array.execute(neg(Q, R))?;
    /// assert_eq!(array.read_reg(Q)?, [-1.0, -2.0]);
    /// assert!(array.execute(neg(S, R)).is_err());
    /// # Ok::<(), cain_runtime::sim::SimError>(())
    /// ```
    #[must_use]
    pub fn machine(mut self, machine: Machine) -> Self {
        self.machine = machine;
        self.timing.words = machine.times;
        self
    }

    /// The same array with another error model; what is already written stays unchanged.
    #[must_use]
    pub fn errors(mut self, model: ErrorModel) -> Self {
        self.model = model;
        self.cells = Cells::new();
        self
    }

    /// The same array with another seed, like another die of the chip.
    ///
    /// All draws follow from the seed, the number of words since the array was made, and the PE. They are the same on
    /// every machine and for any number of threads.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self.digital.set_seed(seed);
        self.cells = Cells::new();
        self
    }

    /// The same array, with cells outside it that always hold `level`, in DN.
    ///
    /// A program whose results depend on this level reads beyond the border.
    #[must_use]
    pub fn outside(mut self, level: f32) -> Self {
        self.planes.set_outside(level);
        self
    }

    /// The same array with another range of one `PROP`.
    #[must_use]
    pub fn propagation(mut self, reach: Propagation) -> Self {
        self.propagation = reach;
        self
    }

    /// The same array with diffusion enabled; otherwise it is an error.
    ///
    /// One `blur` lets the `share` of the difference between neighbours flow over every closed link, first to the
    /// south, where `R1` is 1, and then to the west, where `R2` is 1. Shares up to 1/2 are stable; with 1/4, a row is
    /// weighted by 1/4, 1/2, 1/4. The chip's own share is not published, nor is it known whether these are its links.
    #[must_use]
    pub fn diffusion(mut self, share: f32) -> Self {
        self.diffusion = Some(share);
        self
    }

    /// The same array with the squarer enabled; otherwise it is an error. The square of x DN is `scale`·x² DN.
    ///
    /// The chip's own scale is not published. With 1/128, the square of a value within the range is within the range.
    #[must_use]
    pub fn squarer(mut self, scale: f32) -> Self {
        self.squarer = Some(scale);
        self
    }

    /// The same array with [bit decay](BitErrors); otherwise, bits that are passed on never go wrong.
    #[must_use]
    pub fn bit_errors(mut self, errors: BitErrors) -> Self {
        self.digital.set_errors(errors);
        self
    }

    /// The same array with other durations of words, which affect the drift.
    #[must_use]
    pub fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    /// The same array, on which everything is an error after so many words: for programs whose loops may not end.
    ///
    /// ```
    /// use cain_runtime::isa::{HostController, asm::*};
    /// use cain_runtime::sim::{Array, SimError};
    ///
    /// let mut array = Array::new(1, 1).most_words(2);
    /// array.load_reg(A, &[1.0])?;
    /// while array.execute(neg(B, A)).is_ok() {}
    /// assert_eq!(array.execute(neg(B, A)), Err(SimError::TooManyWords(2)));
    /// # Ok::<(), SimError>(())
    /// ```
    #[must_use]
    pub const fn most_words(mut self, count: u64) -> Self {
        self.most_words = count;
        self
    }

    /// The number of PEs from west to east.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.planes.width
    }

    /// The number of PEs from north to south.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.planes.height
    }

    /// Writes an image into a register: one value in DN per PE, row 0 north, column 0 west.
    pub fn load<'r, R: Register>(
        &mut self,
        register: &'r mut Areg<R>,
        pixels: &[f32],
    ) -> Result<Plane<'r, R>, SimError> {
        self.load_reg(R::REG, pixels)?;
        Ok(register.hold())
    }

    /// The image in a register, in the order of [`load`](Self::load).
    pub fn read<R: Register>(&self, plane: &Plane<'_, R>) -> Result<&[f32], SimError> {
        self.read_reg(plane.reg())
    }

    /// Writes an image into a register without a handle; see [`load`](Self::load).
    pub fn load_reg(&mut self, reg: Reg, pixels: &[f32]) -> Result<(), SimError> {
        self.check_settings()?;
        self.check(pixels)?;
        if !self.machine.registers.contains(reg) {
            return Err(MachineError::Register(reg).into());
        }
        let values = self.planes.write(Store::Reg(reg));
        values.copy_from_slice(pixels);
        saturate(self.model.saturation, values, self.machine.range);
        Ok(())
    }

    /// The image in a register, without a handle; see [`read`](Self::read).
    pub fn read_reg(&self, reg: Reg) -> Result<&[f32], SimError> {
        self.planes.read(Store::Reg(reg))
    }

    /// The image in a register as the converter delivers it, with read-out noise.
    ///
    /// The noise is different in every call.
    pub fn convert(&mut self, reg: Reg) -> Result<Vec<f32>, SimError> {
        let mut values = self.read_reg(reg)?.to_vec();
        let draws = Draws::new(self.seed, Purpose::Readout, self.words);
        for (pe, value) in values.iter_mut().enumerate() {
            *value += self.model.readout_noise * draws.normal(pe);
        }
        saturate(self.model.saturation, &mut values, self.machine.range);
        self.words += 1;
        Ok(values)
    }

    /// Writes bits into a digital register: one per PE, in the order of [`load`](Self::load).
    pub fn load_bit_plane<'r, R: digital::Register>(
        &mut self,
        register: &'r mut Dreg<R>,
        bits: &[bool],
    ) -> Result<BitPlane<'r, R>, SimError> {
        self.load_bits(R::DREG.into(), bits)?;
        Ok(register.hold())
    }

    /// The bits in a digital register, in the order of [`load`](Self::load).
    pub fn read_bit_plane<R: digital::Register>(&self, plane: &BitPlane<'_, R>) -> Result<Vec<bool>, SimError> {
        self.read_bits(plane.bit())
    }

    /// The bits of a digital register, or of FLAG, SELECT or RECT, in the order of [`load`](Self::load).
    pub fn read_bits(&self, bit: Bit) -> Result<Vec<bool>, SimError> {
        Ok(self.digital.read(bit)?.to_vec(self.planes.len()))
    }

    /// Writes a digital register, or FLAG, SELECT or RECT, regardless of `R0`: one bit per PE, in the order of
    /// [`load`](Self::load).
    pub fn load_bits(&mut self, bit: Bit, bits: &[bool]) -> Result<(), SimError> {
        self.check_size(bits.len())?;
        match bit {
            Bit::Reg(dreg) if dreg.number() >= self.machine.bits => return Err(MachineError::Bit(dreg).into()),
            _ => {}
        }
        self.digital.load(bit, Bits::new(self.width(), self.height(), bits));
        Ok(())
    }

    /// Writes the lowest bits of values into the registers of a number: one value per PE, in the order of
    /// [`load`](Self::load).
    pub fn load_number(&mut self, number: &Number, values: &[i32]) -> Result<(), SimError> {
        for (bit, register) in (0..i32::BITS).zip(number.registers) {
            let bits: Vec<bool> = values.iter().map(|value| value >> bit & 1 == 1).collect();
            self.load_bits(Bit::Reg(*register), &bits)?;
        }
        Ok(())
    }

    /// The values of a number, in the order of [`load`](Self::load).
    pub fn read_number(&self, number: &Number) -> Result<Vec<i32>, SimError> {
        let planes = number.registers.iter().map(|&register| self.read_bits(Bit::Reg(register)));
        let planes = planes.collect::<Result<Vec<_>, _>>()?;
        Ok((0..self.planes.len()).map(|pe| number.value(planes.iter().map(|plane| plane[pe]))).collect())
    }

    /// The value of a photo-sensor after a reset, in DN and negated: it is read as −127 DN.
    pub const RESET_LEVEL: f32 = 127.0;

    /// Lets light in: how much each photo-sensor has gathered since its reset, 0 to 127 DN, in the order of
    /// [`load`](Self::load).
    pub fn expose(&mut self, light: &[f32]) -> Result<(), SimError> {
        self.check_settings()?;
        self.check(light)?;
        for (sensor, light) in self.planes.write(Store::Pix).iter_mut().zip(light) {
            *sensor = light - Self::RESET_LEVEL;
        }
        Ok(())
    }

    /// Sets the level of `IN`, in DN.
    pub fn set_in(&mut self, level: f32) -> Result<(), SimError> {
        if !level.is_finite() {
            return Err(SimError::NoLevel);
        }
        self.planes.write(Store::In).fill(level);
        Ok(())
    }

    /// Checks that all settings are finite numbers, and that more words may be carried out.
    pub(super) fn check_settings(&self) -> Result<(), SimError> {
        if self.words >= self.most_words {
            return Err(SimError::TooManyWords(self.most_words));
        }
        let settings = [
            ("Array::outside", Some(self.planes.outside())),
            ("Array::diffusion", self.diffusion),
            ("Array::squarer", self.squarer),
            ("Array::bit_errors", Some(self.digital.errors().rate)),
        ];
        let is_none = |(_, value): &&(_, Option<f32>)| value.is_some_and(|value| !value.is_finite());
        if let Some((setting, _)) = settings.iter().find(is_none) {
            return Err(SimError::NoNumber(setting));
        }
        Ok(self.model.check()?)
    }

    /// Checks that these values are an image for the array.
    fn check(&self, pixels: &[f32]) -> Result<(), SimError> {
        self.check_size(pixels.len())?;
        match pixels.iter().position(|value| !value.is_finite()) {
            Some(pe) => Err(SimError::NotFinite { row: pe / self.width(), column: pe % self.width() }),
            None => Ok(()),
        }
    }

    fn check_size(&self, found: usize) -> Result<(), SimError> {
        let (width, height) = (self.width(), self.height());
        if found == self.planes.len() { Ok(()) } else { Err(SimError::WrongSize { found, width, height }) }
    }
}

impl Default for Array {
    /// An array of the size of SCAMP-5.
    fn default() -> Self {
        Self::scamp5()
    }
}
