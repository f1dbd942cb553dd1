//! Half and full adders in few words.
//!
//! An exhaustive search over `OR` and `NOR` of up to four bits shows that none of them is possible in fewer words: a full adder
//! takes five if two operands are known with their complements, else six, with its results left as [`Wires`].

use super::gates::{Network, Value};
use super::wires::Wires;

/// Two bits of the same weight, in the form that adders need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// 1 where both are 0.
    pub(super) neither: Value,
    /// 1 where both are 1.
    pub(super) both: Value,
    /// 1 where not both are 1, if a register holds that.
    pub(super) not_both: Option<Value>,
}

/// A sum bit and the carry.
pub(super) struct Added {
    pub(super) sum: Wires,
    pub(super) carry: Wires,
}

/// Combines two bits to a pair; computes complements that are not known.
pub(super) fn join(network: &mut Network, first: &Wires, second: &Wires) -> Pair {
    let (mut first, mut second) = (first.clone(), second.clone());
    first.complete(network);
    second.complete(network);
    let neither = network.nor(&[first.yes, second.yes].concat());
    let both = network.nor(&[first.no, second.no].concat());
    Pair { neither, both, not_both: None }
}

/// Adds a third bit to a pair in three words; afterwards, the carry and its complement are known.
pub(super) fn add_to_pair(network: &mut Network, pair: &Pair, third: &Wires) -> Added {
    let (wires, inverted) = third.either();
    let Pair { neither, both, .. } = *pair;
    let one = network.nor(&[wires, &[neither, both]].concat());
    let none_or_two = network.nor(&[wires, &[one]].concat());
    let other_one = network.nor(&[neither, both, one]);
    let odd = vec![none_or_two, other_one];
    // `one` and `other_one` are 1 where one of the pair is 1 and the wires are 0, or 1 respectively.
    let (without, with) = if inverted { (other_one, one) } else { (one, other_one) };
    Added {
        sum: if inverted { Wires::yes(odd) } else { Wires::no(odd) },
        carry: Wires { yes: vec![both, with], no: vec![neither, without] },
    }
}

/// The sum of the pair alone, without a word.
pub(super) fn halve_pair(pair: &Pair) -> Added {
    Added {
        sum: Wires::no([pair.neither, pair.both]),
        carry: Wires { yes: vec![pair.both], no: pair.not_both.into_iter().collect() },
    }
}

/// The sum of the pair alone, plus 1 if `one`, as the final result of its column: in a register.
pub(super) fn finish_pair(network: &mut Network, pair: &Pair, one: bool) -> Added {
    let Pair { neither, both, .. } = *pair;
    if one {
        let sum = network.any(&[neither, both], false);
        return Added { sum: Wires { yes: vec![sum], no: Vec::new() }, carry: Wires::no([neither]) };
    }
    let sum = network.nor(&[neither, both]);
    let no = pair.not_both.map_or_else(|| vec![neither, sum], |not_both| vec![not_both]);
    Added { sum: Wires { yes: vec![sum], no: vec![neither, both] }, carry: Wires { yes: vec![both], no } }
}

/// Adds two bits, plus 1 if `one`, without needing their complements.
pub(super) fn add_two(network: &mut Network, first: &Wires, second: &Wires, one: bool) -> Added {
    let ((a, not_a), (b, not_b)) = (first.either(), second.either());
    let neither = network.nor(&[a, b].concat());
    let only_b = network.nor(&[a, &[neither]].concat());
    let only_a = network.nor(&[b, &[neither]].concat());
    let mut odd = vec![only_a, only_b];
    if not_a == not_b && not_a == one {
        // The carry needs this bit as well.
        odd = vec![network.any(&odd, false)];
    }
    let carry = match (not_a, not_b, one) {
        (false, false, false) => Wires::no([neither, odd[0]]),
        (true, true, true) => Wires::yes([neither, odd[0]]),
        (true, true, false) => Wires::yes([neither]),
        (false, false, true) => Wires::no([neither]),
        (true, false, false) => Wires::yes([only_b]),
        (false, true, false) => Wires::yes([only_a]),
        (true, false, true) => Wires::no([only_a]),
        (false, true, true) => Wires::no([only_b]),
    };
    let sum = if not_a ^ not_b ^ one { Wires::no(odd) } else { Wires::yes(odd) };
    Added { sum, carry }
}

/// Adds three bits without needing their complements, in six words.
pub(super) fn add_three(network: &mut Network, bits: [&Wires; 3]) -> Added {
    let [mut a, b, mut c] = bits.map(Wires::either);
    // The wires do not contain the carry if `a` is the only bit that is complemented, or the only one that is not.
    if b.1 == c.1 && a.1 != b.1 {
        (a, c) = (c, a);
    }
    let neither = network.nor(&[b.0, c.0].concat());
    let only_b = network.nor(&[c.0, &[neither]].concat());
    let only_c = network.nor(&[b.0, &[neither]].concat());
    let even = network.nor(&[a.0, &[only_b, only_c]].concat());
    let odd = network.nor(&[a.0, &[even]].concat());
    let all = network.nor(&[only_b, only_c, even]);
    let carry = if a.1 == b.1 && b.1 == c.1 {
        vec![neither, odd]
    } else if a.1 == b.1 {
        vec![only_c, even]
    } else {
        vec![only_b, even]
    };
    let complements = u8::from(a.1) + u8::from(b.1) + u8::from(c.1);
    let sum = vec![odd, all];
    Added {
        sum: if complements % 2 == 1 { Wires::no(sum) } else { Wires::yes(sum) },
        carry: if complements > 1 { Wires::yes(carry) } else { Wires::no(carry) },
    }
}
