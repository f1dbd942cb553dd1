//! Names that users write, and what they may have meant.

use cain_isa::Reg;

/// A list for a message: `` `A`, `B` or `C` ``.
pub(crate) fn list(names: impl IntoIterator<Item = impl AsRef<str>>, last: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// The name that is most like a misspelt one, if it is like any.
pub(crate) fn near_miss<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = |known: &str| strsim::osa_distance(&name.to_lowercase(), known);
    let (nearest, distance) = known.iter().map(|&known| (known, distance(known))).min_by_key(|&(_, d)| d)?;
    // Two slips in a long word, one in a short one; more is another word.
    (distance <= 2 && distance * 3 <= nearest.len()).then_some(nearest)
}

/// The message for a name that is none of the known ones; `what` it should name.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match near_miss(name, known) {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{name}`; expected {}", list(known, "or")),
    }
}

/// The register of that name on a machine with these registers.
pub(crate) fn register(name: &str, machine: &[Reg]) -> Result<Reg, String> {
    let find = |name: &str| name.parse::<Reg>().ok().filter(|reg| machine.contains(reg));
    find(name).ok_or_else(|| {
        if let Some(reg) = find(&name.to_uppercase()) {
            return format!("unknown register `{name}`; did you mean `{reg}`?");
        }
        let known = machine.iter().map(Reg::to_string);
        format!("unknown register `{name}`; the analogue registers are {}", list(known, "and"))
    })
}

#[cfg(test)]
mod tests {
    use super::{near_miss, register, unknown};
    use cain_isa::Reg;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["nodes", "objective", "isa", "headroom"];
        for (name, near) in [
            ("node", Some("nodes")),
            ("ndoes", Some("nodes")),
            ("Nodes", Some("nodes")),
            ("headrom", Some("headroom")),
            ("is", Some("isa")),
            ("time", None),
            ("seed", None),
            ("", None),
        ] {
            assert_eq!(near_miss(name, &known), near, "{name}");
        }
        assert_eq!(
            unknown("option", "time", &["depth", "error"]),
            "unknown option `time`; expected `depth` or `error`"
        );
    }

    #[test]
    fn registers_are_those_of_the_machine() {
        assert_eq!(register("F", &Reg::SCAMP5), Ok(Reg::F));
        assert_eq!(register("b", &Reg::SCAMP5), Err("unknown register `b`; did you mean `B`?".to_owned()));
        assert_eq!(
            register("G", &Reg::SCAMP5).unwrap_err(),
            "unknown register `G`; the analogue registers are `A`, `B`, `C`, `D`, `E` and `F`"
        );
        assert!(register("R7", &["R7".parse().unwrap()]).is_ok());
    }
}
