//! Names in the input, and suggestions for misspelt ones.

use cain_isa::{Reg, Registers};
use proc_macro2::{Ident, Span};

/// The most characters of the name of a filter. Its plan file has the name with digits and an ending, for which file systems
/// have 255 bytes.
const LONGEST: usize = 100;
/// The keywords that are no names even in their raw form.
const NO_NAMES: [&str; 4] = ["self", "Self", "super", "crate"];

/// A list for a message: `` `A`, `B` or `C` ``.
pub(crate) fn list(names: impl IntoIterator<Item = impl AsRef<str>>, last: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// The known name most similar to a misspelt one, if any is similar enough.
pub(crate) fn near_miss<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // The distance takes time with the product of both lengths.
    if name.len() > LONGEST {
        return None;
    }
    let distance = |known: &str| strsim::osa_distance(&name.to_lowercase(), known);
    let (nearest, distance) = known.iter().map(|&known| (known, distance(known))).min_by_key(|&(_, d)| d)?;
    // Two typos in a long word or one in a short word; beyond that it is another word.
    (distance <= 2 && distance * 3 <= nearest.len()).then_some(nearest)
}

/// The message about an unknown name; `what` is the kind of thing that it should name.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match near_miss(name, known) {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("unknown {what} `{name}`; there is none that it could be"),
        None => format!("unknown {what} `{name}`; expected {}", list(known, "or")),
    }
}

/// The register of that name on a machine with these registers.
pub(crate) fn register(name: &str, machine: &Registers) -> Result<Reg, String> {
    let find = |name: &str| name.parse::<Reg>().ok().filter(|reg| machine.contains(*reg));
    find(name).ok_or_else(|| {
        if let Some(reg) = find(&name.to_uppercase()) {
            return format!("unknown register `{name}`; did you mean `{reg}`?");
        }
        format!("unknown register `{name}`; the analogue registers are {}", all(machine))
    })
}

/// Checks the name of a filter, a network or an automaton, which is `what`: in every front end it has to be one that a function
/// of Rust and a file can have.
pub(crate) fn declared(what: &str, name: &str) -> Result<(), String> {
    let length = name.chars().count();
    if length > LONGEST {
        let start: String = name.chars().take(LONGEST / 4).collect();
        return Err(format!("the name `{start}…` has {length} characters; that of a {what} has at most {LONGEST}"));
    }
    if identifier(name, Span::call_site()).is_some() {
        return Ok(());
    }
    let article = article(what);
    let likely = likely(what, name);
    if NO_NAMES.contains(&name) {
        return Err(format!(
            "{article} {what} cannot be called `{name}`, a keyword of Rust that is no name even as `r#{name}`; add something, as in `{likely}`"
        ));
    }
    Err(format!(
        "{article} {what} cannot be called `{name}`; begin with a letter, and use only letters from a to z, digits and `_`, as \
         in `{likely}`"
    ))
}

/// The indefinite article of a word.
pub(crate) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// A name that is allowed, as similar as possible.
fn likely(what: &str, name: &str) -> String {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let word = parts.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_");
    match word.chars().next() {
        None => what.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("{what}_{word}"),
        Some(_) if is_keyword(&word) => format!("{word}_"),
        Some(_) => word,
    }
}

/// A name as an identifier of Rust, if it can be one of ASCII characters; keywords are in their raw form.
pub(crate) fn identifier(name: &str, at: Span) -> Option<Ident> {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| !c.is_ascii_digit())
        && name != "_"
        && !NO_NAMES.contains(&name);
    is_word.then(|| if is_keyword(name) { Ident::new_raw(name, at) } else { Ident::new(name, at) })
}

/// The name of the type that is named after something: `blobs_to_points` becomes `BlobsToPoints`.
pub(crate) fn of_type(name: &str) -> String {
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('_').map(capitalised).collect()
}

/// The name of a function. One that was not checked with [`declared`] is spelt with `_` where it has to be.
#[cfg(feature = "toml")]
pub(crate) fn function(name: &str, at: Span) -> Ident {
    spelt(name, at, &[])
}

/// Names of layers, all different, as identifiers that are different too: as they are, where that is possible.
#[cfg(feature = "networks")]
pub(crate) fn identifiers_of_layers(names: &[&str], at: Span) -> Vec<Ident> {
    let mut taken: Vec<Ident> = names.iter().filter_map(|name| identifier(name, at)).collect();
    let mut other = |name: &str| {
        let ident = spelt(name, at, &taken);
        taken.push(ident.clone());
        ident
    };
    names.iter().map(|name| identifier(name, at).unwrap_or_else(|| other(name))).collect()
}

/// A name as an identifier that is not taken, with `_` in place of what it cannot have and behind it.
#[cfg(any(feature = "digital", feature = "toml"))]
fn spelt(name: &str, at: Span, taken: &[Ident]) -> Ident {
    let mut word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        word.insert(0, '_');
    }
    loop {
        match identifier(&word, at) {
            Some(ident) if !taken.contains(&ident) => return ident,
            _ => word.push('_'),
        }
    }
}

/// Checks the name of a plane, which generated functions have as a parameter.
pub(crate) fn plane(name: &str) -> Result<(), String> {
    let is_word = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if name == "scamp" {
        return Err("`scamp` is the controller in the generated function; give the plane another name".to_owned());
    }
    if !is_word || is_keyword(name) {
        return Err(format!(
            "a plane cannot be called `{name}`; use lower-case letters, digits and `_`, and no keyword of Rust"
        ));
    }
    Ok(())
}

/// The parameter of a generated function for a number: its name in lower case, with `_` in place of what a parameter cannot have.
#[cfg(feature = "digital")]
pub(crate) fn parameter(number: &str) -> Ident {
    spelt(&number.to_lowercase(), Span::call_site(), &[])
}

/// Checks that numbers of these names have different parameters, beside these others; the error has the place in the list.
#[cfg(feature = "digital")]
pub(crate) fn numbers<'n>(names: impl IntoIterator<Item = &'n str>, others: &[&str]) -> Result<(), (usize, String)> {
    // The same name twice is another mistake, which the declaration has.
    let mut earlier: Vec<(String, Option<&str>)> = others.iter().map(|other| ((*other).to_owned(), None)).collect();
    for (i, name) in names.into_iter().enumerate() {
        let parameter = parameter(name).to_string();
        if earlier.iter().any(|(known, by)| *known == parameter && *by != Some(name)) {
            let message = format!("the generated function has another parameter `{parameter}`; rename the input");
            return Err((i, message));
        }
        earlier.push((parameter, Some(name)));
    }
    Ok(())
}

/// Whether a word is a keyword of Rust.
pub(crate) fn is_keyword(word: &str) -> bool {
    // `gen` is one since the 2024 edition.
    word == "gen" || syn::parse_str::<syn::Ident>(word).is_err()
}

/// The registers of a machine, for a message.
fn all(machine: &Registers) -> String {
    const LISTED: usize = 6;
    let count = machine.len();
    let (first, last) = (machine.iter().next(), machine.iter().next_back());
    match (first, last, Registers::first(u16::try_from(count).unwrap_or(u16::MAX)) == *machine) {
        (Some(first), Some(last), true) if count > LISTED => match last.to_string().strip_prefix('R') {
            Some(number) if !number.is_empty() => format!("`{first}` to `Z` and `R0` to `{last}`"),
            _ => format!("`{first}` to `{last}`"),
        },
        _ => list(machine.iter().map(|reg| reg.to_string()), "and"),
    }
}

#[cfg(test)]
mod tests {
    use super::{declared, identifier, near_miss, register, unknown};
    #[cfg(feature = "digital")]
    use super::{numbers, parameter};
    use cain_isa::{Reg, Registers};
    use proc_macro2::Span;

    #[test]
    fn names_of_filters_are_those_of_functions() {
        for (filter, function) in
            [("blur3", "blur3"), ("_x", "_x"), ("match", "r#match"), ("gen", "r#gen"), ("A", "A"), ("__", "__")]
        {
            assert_eq!(declared("filter", filter), Ok(()));
            assert_eq!(identifier(filter, Span::call_site()).unwrap().to_string(), function);
        }
        for (name, likely) in [
            ("", "filter"),
            ("_", "filter"),
            ("3x3", "filter_3x3"),
            ("My-Filter", "my_filter"),
            ("self", "self_"),
            ("Self", "self_"),
            ("super", "super_"),
            ("crate", "crate_"),
            ("é", "filter"),
            ("a b", "a_b"),
            ("r#a", "r_a"),
        ] {
            let message = declared("filter", name).unwrap_err();
            assert!(message.ends_with(&format!("as in `{likely}`")), "{message}");
            assert_eq!(declared("filter", likely), Ok(()), "{name}");
        }
        assert_eq!(declared("filter", &"a".repeat(100)), Ok(()));
        assert_eq!(
            declared("network", &"é".repeat(101)).unwrap_err(),
            format!("the name `{}…` has 101 characters; that of a network has at most 100", "é".repeat(25))
        );
    }

    #[cfg(feature = "digital")]
    #[test]
    fn numbers_have_parameters_of_their_own() {
        for (name, expected) in
            [("gx", "gx"), ("A", "a"), ("0:A", "_0_a"), ("type", "r#type"), ("self", "self_"), ("ü", "__"), ("", "__")]
        {
            assert_eq!(parameter(name).to_string(), expected, "{name}");
        }
        assert_eq!(numbers(["a", "b", "a"], &["scamp"]), Ok(()));
        let message =
            |parameter| format!("the generated function has another parameter `{parameter}`; rename the input");
        assert_eq!(numbers(["a", "A"], &[]), Err((1, message("a"))));
        assert_eq!(numbers(["a", "0:A", "0_A"], &[]), Err((2, message("_0_a"))));
        assert_eq!(numbers(["Scamp"], &["scamp"]), Err((0, message("scamp"))));
    }

    #[cfg(feature = "networks")]
    #[test]
    fn every_layer_has_an_identifier_of_its_own() {
        use super::identifiers_of_layers;
        let layers = ["edge", "a-b", "a_b", "12", "_12", "-", "self", "Self", "type", ""];
        let idents: Vec<String> =
            identifiers_of_layers(&layers, Span::call_site()).iter().map(ToString::to_string).collect();
        assert_eq!(idents, ["edge", "a_b_", "a_b", "_12_", "_12", "__", "self_", "Self_", "r#type", "___"]);
    }

    #[test]
    fn typos_are_recognised_and_other_words_are_not() {
        let known = ["nodes", "objective", "isa", "max_gain"];
        for (name, near) in [
            ("node", Some("nodes")),
            ("ndoes", Some("nodes")),
            ("Nodes", Some("nodes")),
            ("max_gian", Some("max_gain")),
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
        assert_eq!(register("F", &Registers::SCAMP5), Ok(Reg::F));
        assert_eq!(register("b", &Registers::SCAMP5), Err("unknown register `b`; did you mean `B`?".to_owned()));
        assert_eq!(
            register("G", &Registers::SCAMP5).unwrap_err(),
            "unknown register `G`; the analogue registers are `A`, `B`, `C`, `D`, `E` and `F`"
        );
        assert!(register("R7", &Registers::of(&["R7".parse().unwrap()])).is_ok());
        for (count, all) in
            [(18, "`A` to `R`"), (27, "`A` to `Z` and `R0` to `R0`"), (103, "`A` to `Z` and `R0` to `R76`")]
        {
            let error = register("R200", &Registers::first(count)).unwrap_err();
            assert_eq!(error, format!("unknown register `R200`; the analogue registers are {all}"));
        }
    }
}
