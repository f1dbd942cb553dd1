//! Operations that make bits, that bits decide, and that are on bits alone.

use super::{carry_out, set_minus_level};
use crate::io::ArrayIo;
use crate::isa::{Bit, Direction, Directions};
use crate::reg::Register;
use crate::reg::digital::{self, Register as Bits};
use crate::{Areg, BitPlane, Dreg, HostController, Plane};

/// Whether x is larger than `level`, in DN. Sets the level of the array, to minus this one. 3 words.
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

/// Whether x is larger than 0. 3 words.
pub fn positive<'b, H: HostController, X: Register, B: Bits>(
    scamp: &mut H,
    _: &Plane<'_, X>,
    b: &'b mut Dreg<B>,
) -> Result<BitPlane<'b, B>, H::Error> {
    carry_out!(scamp, Positive { b: B::DREG, x: X::REG, inverted: false })?;
    Ok(b.hold())
}

/// Whether x is larger than z. 5 words.
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

/// y = x where the bit is 1, else z. 5 words.
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

/// x = z where the bit is 1. 4 words.
pub fn replace<H: HostController, B: Bits, X: Register, Z: Register>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: &BitPlane<'_, B>,
    _: &Plane<'_, Z>,
) -> Result<(), H::Error> {
    carry_out!(scamp, Replace { x: X::REG, b: bit::<B>(), z: Z::REG })
}

/// x = 0 where the bit is 0. 5 words.
pub fn mask<H: HostController, B: Bits, X: Register>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: &BitPlane<'_, B>,
) -> Result<(), H::Error> {
    carry_out!(scamp, Mask { y: X::REG, b: bit::<B>(), x: X::REG })
}

/// y = `level` where the bit is 1, else 0, in DN. Sets the level. 5 words.
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

/// y = not x. 1 word.
pub fn not_into<'y, H: HostController, X: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    y: &'y mut Dreg<Y>,
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(scamp, Not { y: Y::DREG, x: bit::<X>() })?;
    Ok(y.hold())
}

/// y = x or z. 1 word.
pub fn or_into<'y, H: HostController, X: Bits, Z: Bits, Y: Bits>(
    scamp: &mut H,
    _: &BitPlane<'_, X>,
    _: &BitPlane<'_, Z>,
    y: &'y mut Dreg<Y>,
) -> Result<BitPlane<'y, Y>, H::Error> {
    carry_out!(scamp, Or { y: Y::DREG, x: bit::<X>(), z: bit::<Z>() })?;
    Ok(y.hold())
}

/// y = x and z. 3 words.
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

/// y = x and not z. 2 words.
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

/// y = x xor z. 4 words.
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

/// y = at least two of the three bits. 4 words.
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

/// y = x where s is 1, else z. 4 words.
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

/// The registers that decide from where bits come in: `R1` to `R4`.
pub type Switches<'s> =
    (&'s mut Dreg<digital::R1>, &'s mut Dreg<digital::R2>, &'s mut Dreg<digital::R3>, &'s mut Dreg<digital::R4>);

/// y = x of the neighbour in that direction, 0 outside of the array. 3 words.
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

/// The bit of a digital register.
const fn bit<R: Bits>() -> Bit {
    Bit::Reg(R::DREG)
}
