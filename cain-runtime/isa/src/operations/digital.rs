//! The words of operations on bits.

use super::words::Draft;
use crate::{Bit, Dreg};

pub(super) const fn and(draft: &mut Draft, y: Dreg, x: Bit, z: Bit, [t, u]: [Dreg; 2]) -> &mut Draft {
    draft.keeps_bit(z, t).keeps_bit(Bit::Reg(t), u).nor(t, &[x]).nor(u, &[z]).nor(y, &[Bit::Reg(t), Bit::Reg(u)])
}

pub(super) const fn and_not(draft: &mut Draft, y: Dreg, x: Bit, z: Bit, t: Dreg) -> &mut Draft {
    draft.keeps_bit(z, t).nor(t, &[x]).nor(y, &[Bit::Reg(t), z])
}

/// Until the end, the result holds a 1 where both bits are 0.
pub(super) const fn xor(draft: &mut Draft, y: Dreg, x: Bit, z: Bit, [t, u]: [Dreg; 2]) -> &mut Draft {
    let neither = Bit::Reg(y);
    draft
        .keeps_bit(x, y)
        .keeps_bit(z, y)
        .keeps_bit(z, t)
        .keeps_bit(neither, t)
        .keeps_bit(Bit::Reg(t), u)
        .nor(y, &[x, z])
        .nor(t, &[x, neither])
        .nor(u, &[z, neither])
        .or(y, &[Bit::Reg(t), Bit::Reg(u)])
}

pub(super) const fn majority(draft: &mut Draft, y: Dreg, [a, b, c]: [Bit; 3], [t, u, v]: [Dreg; 3]) -> &mut Draft {
    draft
        .keeps_bit(a, t)
        .keeps_bit(b, t)
        .keeps_bit(c, t)
        .keeps_bit(b, u)
        .keeps_bit(c, u)
        .keeps_bit(Bit::Reg(t), u)
        .keeps_bit(Bit::Reg(t), v)
        .keeps_bit(Bit::Reg(u), v)
        .nor(t, &[a, b])
        .nor(u, &[a, c])
        .nor(v, &[b, c])
        .nor(y, &[Bit::Reg(t), Bit::Reg(u), Bit::Reg(v)])
}

pub(super) const fn choose(draft: &mut Draft, y: Dreg, s: Bit, x: Bit, z: Bit, [t, u, v]: [Dreg; 3]) -> &mut Draft {
    draft
        .keeps_bit(s, t)
        .keeps_bit(x, t)
        .keeps_bit(z, t)
        .keeps_bit(s, u)
        .keeps_bit(z, u)
        .keeps_bit(Bit::Reg(u), v)
        .nor(t, &[s])
        .nor(u, &[x, Bit::Reg(t)])
        .nor(v, &[z, s])
        .nor(y, &[Bit::Reg(u), Bit::Reg(v)])
}
