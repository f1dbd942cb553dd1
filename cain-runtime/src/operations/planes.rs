//! Operations whose result is a plane and which are not controlled by a bit.

use super::{carry_out, minus, set_minus_level};
use crate::io::ArrayIo;
use crate::isa::Displacement;
use crate::isa::operations::{Place, Window};
use crate::reg::Register;
use crate::{Areg, HostController, Plane};

/// The window of a pooling operation: `SIZE`×`SIZE` pixels, which are `SPACING` PEs apart.
///
/// The first pooling has a spacing of 1. It leaves results in every PE; those in every s-th row and column form an
/// image that is smaller by a factor of s and whose pixels are s PEs apart, so the next pooling has a spacing of s.
#[derive(Clone, Copy, Debug)]
pub struct Pool<const SIZE: u8, const SPACING: u8>;

/// The number of times a value is halved: `Halvings::<3>` for 1/8.
#[derive(Clone, Copy, Debug)]
pub struct Halvings<const COUNT: u8>;

/// The displacement from which a plane is read, in PEs to the east and to the north: `From::<0, -1>` is the neighbour
/// below.
#[derive(Clone, Copy, Debug)]
pub struct From<const EAST: i16, const NORTH: i16>;

/// Sets y to x, moved. Takes 2 words for every 2 PEs, and 2 for a copy.
pub fn shift_into<'y, H: HostController, X: Register, Y: Register, const EAST: i16, const NORTH: i16>(
    scamp: &mut H,
    _: &Plane<'_, X>,
    _: From<EAST, NORTH>,
    y: &'y mut Areg<Y>,
) -> Result<Plane<'y, Y>, H::Error> {
    carry_out!(scamp, Shift { y: Y::REG, x: X::REG, from: Displacement::new(EAST, NORTH) })?;
    Ok(y.hold())
}

/// Sets x to max(x, 0). Takes 5 words.
pub fn relu<H: HostController, X: Register>(scamp: &mut H, _: &mut Plane<'_, X>) -> Result<(), H::Error> {
    carry_out!(scamp, Relu { y: X::REG, x: X::REG })
}

/// Sets y to max(x, 0). Takes 5 words.
pub fn relu_into<'y, H: HostController, X: Register, Y: Register>(
    scamp: &mut H,
    _: &Plane<'_, X>,
    y: &'y mut Areg<Y>,
) -> Result<Plane<'y, Y>, H::Error> {
    carry_out!(scamp, Relu { y: Y::REG, x: X::REG })?;
    Ok(y.hold())
}

/// Leaves x unchanged where it is positive, and halves it `COUNT` times elsewhere. Takes 3 words, and 2 for every
/// halving.
pub fn leaky_relu<H: HostController, X: Register, S: Register, T: Register, const COUNT: u8>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: Halvings<COUNT>,
    _: (&mut Areg<S>, &mut Areg<T>),
) -> Result<(), H::Error> {
    carry_out!(scamp, LeakyRelu { y: X::REG, x: X::REG, ts: [S::REG, T::REG], halvings: COUNT })
}

/// Sets x to |x|. Takes 6 words.
pub fn abs<H: HostController, X: Register, T: Register>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: &mut Areg<T>,
) -> Result<(), H::Error> {
    carry_out!(scamp, AbsInPlace { x: X::REG, t: T::REG })
}

/// Sets y to |x|. Takes 6 words.
pub fn abs_into<'y, H: HostController, X: Register, Y: Register>(
    scamp: &mut H,
    _: &Plane<'_, X>,
    y: &'y mut Areg<Y>,
) -> Result<Plane<'y, Y>, H::Error> {
    carry_out!(scamp, Abs { y: Y::REG, x: X::REG })?;
    Ok(y.hold())
}

/// Sets x to max(x, z). Takes 5 words.
pub fn max<H: HostController, X: Register, Z: Register, T: Register>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: &Plane<'_, Z>,
    _: &mut Areg<T>,
) -> Result<(), H::Error> {
    carry_out!(scamp, MaxInPlace { x: X::REG, z: Z::REG, at: Place::Here, t: T::REG })
}

/// Sets y to max(x, z). Takes 7 words.
pub fn max_into<'y, H: HostController, X: Register, Z: Register, Y: Register>(
    scamp: &mut H,
    _: &Plane<'_, X>,
    _: &Plane<'_, Z>,
    y: &'y mut Areg<Y>,
) -> Result<Plane<'y, Y>, H::Error> {
    carry_out!(scamp, Max { y: Y::REG, x: X::REG, z: Z::REG })?;
    Ok(y.hold())
}

/// Sets x to min(x, z). Takes 5 words.
pub fn min<H: HostController, X: Register, Z: Register, T: Register>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: &Plane<'_, Z>,
    _: &mut Areg<T>,
) -> Result<(), H::Error> {
    carry_out!(scamp, MinInPlace { x: X::REG, z: Z::REG, at: Place::Here, t: T::REG })
}

/// Sets y to min(x, z). Takes 6 words.
pub fn min_into<'y, H: HostController, X: Register, Z: Register, Y: Register>(
    scamp: &mut H,
    _: &Plane<'_, X>,
    _: &Plane<'_, Z>,
    y: &'y mut Areg<Y>,
) -> Result<Plane<'y, Y>, H::Error> {
    carry_out!(scamp, Min { y: Y::REG, x: X::REG, z: Z::REG })?;
    Ok(y.hold())
}

/// Sets x to max(x, `bound`), in DN. Sets the level of the array. Takes 5 words.
pub fn at_least<A: ArrayIo, X: Register, T: Register>(
    scamp: &mut A,
    _: &mut Plane<'_, X>,
    bound: i8,
    _: &mut Areg<T>,
) -> Result<(), A::Error> {
    scamp.set_level(bound)?;
    carry_out!(scamp, AtLeastLevel { x: X::REG, t: T::REG })
}

/// Sets x to min(x, `bound`), in DN. Sets the level of the array to minus the bound. Takes 4 words.
pub fn at_most<A: ArrayIo, X: Register>(scamp: &mut A, _: &mut Plane<'_, X>, bound: i8) -> Result<(), A::Error> {
    set_minus_level(scamp, bound)?;
    carry_out!(scamp, AtMostMinusLevel { x: X::REG })
}

/// Raises x to at least the first bound, then limits it to at most the second one, in DN. Sets the level of the array
/// twice. Takes 9 words.
pub fn clamp<A: ArrayIo, X: Register, T: Register>(
    scamp: &mut A,
    x: &mut Plane<'_, X>,
    (least, most): (i8, i8),
    t: &mut Areg<T>,
) -> Result<(), A::Error> {
    minus(most)?;
    at_least(scamp, x, least, t)?;
    at_most(scamp, x, most)
}

/// Sets x to the largest pixel of the window whose north-west corner is the PE. Takes 5 words for every doubling of the
/// window along each axis, and 2 for every 2 PEs beyond the second.
pub fn max_pool<H: HostController, X: Register, T: Register, const SIZE: u8, const SPACING: u8>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: Pool<SIZE, SPACING>,
    _: &mut Areg<T>,
) -> Result<(), H::Error> {
    carry_out!(scamp, MaxPool { x: X::REG, t: T::REG, window: Window { size: SIZE, spacing: SPACING } })
}

/// Sets x to the mean of the window whose north-west corner is the PE; the size of the window is a power of two. Takes
/// 3 words for every doubling of the window along each axis, and 2 for every 2 PEs beyond the second.
pub fn mean_pool<H: HostController, X: Register, S: Register, T: Register, const SIZE: u8, const SPACING: u8>(
    scamp: &mut H,
    _: &mut Plane<'_, X>,
    _: Pool<SIZE, SPACING>,
    _: (&mut Areg<S>, &mut Areg<T>),
) -> Result<(), H::Error> {
    carry_out!(scamp, MeanPool { x: X::REG, ts: [S::REG, T::REG], window: Window { size: SIZE, spacing: SPACING } })
}
