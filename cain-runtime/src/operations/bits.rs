//! Operations that make bits, operations that bits control, and operations on bits alone.

use super::{Pool, carry_out, set_minus_level};
use crate::io::ArrayIo;
use crate::isa::operations::Window;
use crate::isa::{Bit, Direction, Directions};
use crate::reg::Register;
use crate::reg::digital::{self, Register as Bits};
use crate::{Areg, BitPlane, Dreg, HostController, Plane};

/// Computes whether x is larger than `level`, in DN. Sets the level of the array to minus this one. Takes 3 words.
pub fn threshold<'b, A: ArrayIo, X: Register, B: Bits>(
    scamp: &mut A,
    _: &Plane<'_, X>,
    level: i8,
    b: &'b mut Dreg<B>,
) -> Result<BitPlane<'b, B>, A::Error> {
    set_minus_level(scamp, level)?;
    carry_out!(scamp, AboveMinusLevel { b: B::DREG, x: X::REG, inverted: false })?;
    Ok(b.hold())
}

/// Computes whether x is larger than 0. Takes 3 words.
pub fn positive<'b, H: HostController, X: Register, B: Bits>(
    scamp: &mut H,
    _: &Plane<'_, X>,
    b: &'b mut Dreg<B>,
) -> Result<BitPlane<'b, B>, H::Error> {
    carry_out!(scamp, Positive { b: B::DREG, x: X::REG, inverted: false })?;
    Ok(b.hold())
}

/// Computes whether x is larger than z. Takes 5 words.
pub fn above<'b, H: HostController, X: Register, Z: Register, T: Register, B: Bits>(
    scamp: &mut H,
    _: &Plane<'_, X>,
    _: &Plane<'_, Z>,
    b: &'b mut Dreg<B>,
    _: &mut Areg<T>,
) -> Result<BitPlane<'b, B>, H::Error> {
    carry_out!(scamp, Above { b: B::DREG, x: X::REG, z: Z::REG, t: T::REG, inverted: false })?;
    Ok(b.hold())
}

/// Sets y to x where the bit is 1, and to z elsewhere. Takes 5 words.
pub fn select_into<'y, H: HostController, B: Bits, X: Register, Z: Register, Y: Register>(
    scamp: &mut H,
    _: &BitPlane<'_, B>,
    _: &Plane<'_, X>,
    _: &Plane<'_, Z>,
    y: &'y mut Areg<Y>,
) -> Result<Plane<'y, Y>, H::Error> {
    carry_out!(scamp, Select { y: Y::REG, b: bit::<B>(), x: X::REG, z: Z::REG })?;
    Ok(y.hold())
}

/// Sets x to z where the bit is 1. Takes 4 words.
pub fn replace<H: HostController, B: Bits, X: Register, Z: Register>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: &BitPlane<'_, B>,
    _: &Plane<'_, Z>,
) -> Result<(), H::Error> {
    carry_out!(scamp, Replace { x: X::REG, b: bit::<B>(), z: Z::REG })
}

/// Sets x to 0 where the bit is 0. Takes 5 words.
pub fn mask<H: HostController, B: Bits, X: Register>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: &BitPlane<'_, B>,
) -> Result<(), H::Error> {
    carry_out!(scamp, Mask { y: X::REG, b: bit::<B>(), x: X::REG })
}

/// Sets y to `level`, in DN, where the bit is 1, and to 0 elsewhere. Sets the level of the array. Takes 5 words.
pub fn level_into<'y, A: ArrayIo, B: Bits, Y: Register>(
    scamp: &mut A,
    _: &BitPlane<'_, B>,
    level: i8,
    y: &'y mut Areg<Y>,
) -> Result<Plane<'y, Y>, A::Error> {
    scamp.set_level(level)?;
    carry_out!(scamp, Level { y: Y::REG, b: bit::<B>() })?;
    Ok(y.hold())
}

/// Sets y to not x. Takes 1 word.
pub fn not_into<'y, H: HostController, X: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    y: &'y mut Dreg<Y>,
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(scamp, Not { y: Y::DREG, x: bit::<X>() })?;
    Ok(y.hold())
}

/// Sets y to x or z. Takes 1 word.
pub fn or_into<'y, H: HostController, X: Bits, Z: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    _: &BitPlane<'_, Z>,
    y: &'y mut Dreg<Y>,
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(scamp, Or { y: Y::DREG, x: bit::<X>(), z: bit::<Z>() })?;
    Ok(y.hold())
}

/// Sets y to x and z. Takes 3 words.
pub fn and_into<'y, H: HostController, X: Bits, Z: Bits, S: Bits, T: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    _: &BitPlane<'_, Z>,
    y: &'y mut Dreg<Y>,
    _: (&mut Dreg<S>, &mut Dreg<T>),
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(scamp, And { y: Y::DREG, x: bit::<X>(), z: bit::<Z>(), ts: [S::DREG, T::DREG] })?;
    Ok(y.hold())
}

/// Sets y to x and not z. Takes 2 words.
pub fn and_not_into<'y, H: HostController, X: Bits, Z: Bits, T: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    _: &BitPlane<'_, Z>,
    y: &'y mut Dreg<Y>,
    _: &mut Dreg<T>,
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(scamp, AndNot { y: Y::DREG, x: bit::<X>(), z: bit::<Z>(), t: T::DREG })?;
    Ok(y.hold())
}

/// Sets y to x xor z. Takes 4 words.
pub fn xor_into<'y, H: HostController, X: Bits, Z: Bits, S: Bits, T: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    _: &BitPlane<'_, Z>,
    y: &'y mut Dreg<Y>,
    _: (&mut Dreg<S>, &mut Dreg<T>),
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(scamp, Xor { y: Y::DREG, x: bit::<X>(), z: bit::<Z>(), ts: [S::DREG, T::DREG] })?;
    Ok(y.hold())
}

/// Sets y to 1 where at least two of the three bits are 1. Takes 4 words.
pub fn majority_into<'y, H: HostController, U: Bits, V: Bits, W: Bits, R: Bits, S: Bits, T: Bits, Y: Bits>(
    scamp: &mut H,
    _: (&BitPlane<'_, U>, &BitPlane<'_, V>, &BitPlane<'_, W>),
    y: &'y mut Dreg<Y>,
    _: (&mut Dreg<R>, &mut Dreg<S>, &mut Dreg<T>),
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(
        scamp,
        Majority { y: Y::DREG, xs: [bit::<U>(), bit::<V>(), bit::<W>()], ts: [R::DREG, S::DREG, T::DREG] }
    )?;
    Ok(y.hold())
}

/// Sets y to x where s is 1, and to z elsewhere. Takes 4 words.
pub fn choose_into<'y, H: HostController, U: Bits, X: Bits, Z: Bits, R: Bits, S: Bits, T: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, U>,
    _: (&BitPlane<'_, X>, &BitPlane<'_, Z>),
    y: &'y mut Dreg<Y>,
    _: (&mut Dreg<R>, &mut Dreg<S>, &mut Dreg<T>),
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(
        scamp,
        Choose { y: Y::DREG, s: bit::<U>(), x: bit::<X>(), z: bit::<Z>(), ts: [R::DREG, S::DREG, T::DREG] }
    )?;
    Ok(y.hold())
}

/// The registers that control where bits come in from: `R1` to `R4`.
pub type Switches<'s> =
    (&'s mut Dreg<digital::R1>, &'s mut Dreg<digital::R2>, &'s mut Dreg<digital::R3>, &'s mut Dreg<digital::R4>);

/// Sets y to x of the neighbour in this direction, which is 0 outside the array. Takes 3 words.
pub fn neighbour_into<'y, H: HostController, X: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    direction: Direction,
    y: &'y mut Dreg<Y>,
    _: Switches<'_>,
) -> Result<BitPlane<'y, Y>, H::Error> {
    macro_rules! from {
        ($side:ident) => {
            carry_out!(
                scamp,
                Neighbours { y: Y::DREG, x: bit::<X>(), from: Directions::new(&[Direction::$side]), outside: false }
            )
        };
    }
    match direction {
        Direction::North => from!(North),
        Direction::East => from!(East),
        Direction::South => from!(South),
        Direction::West => from!(West),
    }?;
    Ok(y.hold())
}

/// Sets y to 1 where x is 1 anywhere in the window whose north-west corner is the PE; outside the array x is 0. Takes 2
/// words for each axis, and for every doubling of the window its distance in PEs and 1.
///
/// A threshold before this pooling has the same effect as one after [`max_pool`](super::max_pool), in fewer words.
pub fn any_pool_into<'y, H: HostController, X: Bits, S: Bits, T: Bits, Y: Bits, const SIZE: u8, const SPACING: u8>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    _: Pool<SIZE, SPACING>,
    y: &'y mut Dreg<Y>,
    _: (&mut Dreg<S>, &mut Dreg<T>),
    _: Switches<'_>,
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(
        scamp,
        AnyPool { y: Y::DREG, x: bit::<X>(), ts: [S::DREG, T::DREG], window: Window { size: SIZE, spacing: SPACING } }
    )?;
    Ok(y.hold())
}

/// The bit of a digital register.
const fn bit<R: Bits>() -> Bit {
    Bit::Reg(R::DREG)
}
