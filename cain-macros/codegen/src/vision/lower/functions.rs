//! The names and parameters of the functions of the language that cannot be written in it.

/// Parameters, and whether they have to be given; none for functions of any number of arguments.
type Parameters = Option<&'static [(&'static str, bool)]>;

const FUNCTIONS: [(&str, Parameters); 27] = [
    ("abs", Some(&[("x", true)])),
    ("all", None),
    ("any", Some(&[("bits", true)])),
    ("at_least", Some(&[("k", true), ("bits", true)])),
    ("bounds", Some(&[("bits", true)])),
    ("count", Some(&[("bits", true)])),
    ("digits", Some(&[("x", true), ("n", true)])),
    ("either", None),
    ("events", Some(&[("bits", true), ("most", true)])),
    ("first", Some(&[("bits", true)])),
    ("inside", Some(&[("region", true)])),
    ("is_stable", Some(&[("steps", true)])),
    ("levels", Some(&[("x", true)])),
    ("max", None),
    ("middle", Some(&[("list", true)])),
    ("middle_of", Some(&[("x", true), ("shape", true)])),
    ("min", None),
    ("neighbours", Some(&[("x", true), ("shape", true)])),
    ("odd", None),
    ("pattern", Some(&[("rows", false), ("columns", false)])),
    ("point", Some(&[("place", true)])),
    ("reached_from", Some(&[("x", true), ("shape", true)])),
    ("reflected", Some(&[("x", true), ("shape", true)])),
    ("region", Some(&[("top", true), ("left", true), ("height", true), ("width", true)])),
    ("run", Some(&[("k", true), ("ring", true)])),
    ("shift", Some(&[("x", true), ("dx", true), ("dy", false)])),
    ("sum", Some(&[("x", true), ("region", false)])),
];

/// The parameters of a function of the language, if there is one.
pub(super) fn parameters(name: &str) -> Option<Parameters> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, parameters)| *parameters)
}

pub(super) fn is_known(name: &str) -> bool {
    parameters(name).is_some()
}

pub(super) fn names<'n>() -> impl Iterator<Item = &'n str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}
