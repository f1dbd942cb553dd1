//! Changes words and lines.

use crate::Dice;

/// Numbers at which behaviour may change.
const NUMBERS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "15",
    "16",
    "255",
    "256",
    "32768",
    "65536",
    "1073741823",
    "536870912",
    "-131072",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "0.5",
    "1e-05",
    "0.1000000000000000055511151231257827",
    "1_000",
    "0x10",
];

/// Characters that texts should not have, or that look like others.
const ODD: [&str; 14] =
    ["\u{feff}", "\u{202e}", "\0", "\u{1b}[31m", "\r", "\n", "é", "\u{2028}", "\"", "\\", "'", "/*", "//", "#"];

/// The text with one change.
pub(super) fn change(dice: &mut Dice, text: &str, words: &[&str], others: &[Vec<u8>]) -> String {
    if dice.once_in(4) {
        let lines = text.split_inclusive('\n').collect();
        return rearranged(dice, lines);
    }
    if dice.once_in(10) && !others.is_empty() {
        let other = String::from_utf8_lossy(dice.one_of::<Vec<u8>>(others));
        return spliced(dice, text, &other);
    }
    let mut parts = parts(text);
    if parts.is_empty() || dice.once_in(3) {
        let at = dice.below(parts.len() + 1);
        parts.insert(at, new(dice, words));
        return parts.concat();
    }
    if dice.once_in(3) {
        return rearranged(dice, parts);
    }
    let numbers: Vec<usize> = (0..parts.len()).filter(|&at| is_number(parts[at])).collect();
    if dice.once_in(2) && !numbers.is_empty() {
        parts[dice.pick(&numbers)] = dice.pick(&NUMBERS);
    } else {
        let at = dice.below(parts.len());
        parts[at] = new(dice, words);
    }
    parts.concat()
}

/// One of the words, a number, or something odd.
fn new<'w>(dice: &mut Dice, words: &[&'w str]) -> &'w str {
    match dice.below(4) {
        0 => dice.pick(&NUMBERS),
        1 => dice.pick(&ODD),
        _ => dice.pick(words),
    }
}

/// The parts with one removed, repeated, moved, or copied many times.
fn rearranged(dice: &mut Dice, mut parts: Vec<&str>) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let (at, to) = (dice.below(parts.len()), dice.below(parts.len()));
    match dice.below(4) {
        0 => drop(parts.remove(at)),
        1 => parts.insert(to, parts[at]),
        2 => parts.swap(at, to),
        _ => {
            let times = 1 << dice.below(8);
            let copies = vec![parts[at]; times];
            parts.splice(at..at, copies);
        }
    }
    parts.concat()
}

/// The beginning of one text and the end of another.
fn spliced(dice: &mut Dice, text: &str, other: &str) -> String {
    let (head, tail) = (parts(text), parts(other));
    let (until, from) = (dice.below(head.len() + 1), dice.below(tail.len() + 1));
    head[..until].concat() + &tail[from..].concat()
}

/// The parts of a text: words, numbers, runs of spaces, and other characters one by one.
fn parts(text: &str) -> Vec<&str> {
    let kind = |character: char| match character {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut parts = Vec::new();
    let (mut start, mut last) = (0, None);
    for (at, character) in text.char_indices() {
        let now = kind(character);
        if last.is_some_and(|last| last != now || now == 2) {
            parts.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_number(part: &str) -> bool {
    part.starts_with(|character: char| character.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn parts_of_a_text() {
        assert_eq!(parts("a_1 = [[é, 12]];"), ["a_1", " ", "=", " ", "[", "[", "é", ",", " ", "12", "]", "]", ";"]);
        assert!(parts("").is_empty());
    }
}
