//! Kernels that names stand for.

use crate::lower::constants::Uses;
use crate::tree::{At, Number, PRODUCT_TOO_LARGE, Place, Term};

/// How a sum uses a kernel.
pub(crate) struct Use<'u, S> {
    pub(crate) negative: bool,
    pub(crate) scale: Option<&'u Number<S>>,
    /// In place of that of the kernel.
    pub(crate) origin: Option<&'u At<(usize, usize), S>>,
    pub(crate) input: Option<&'u At<String, S>>,
    pub(crate) at: S,
}

/// The terms of a constant where it is used, or why that is not possible.
pub(crate) fn named<S: Place>(terms: &[Term<S>], used: &Use<'_, S>, uses: &Uses) -> Result<Vec<Term<S>>, String> {
    uses.count(terms)?;
    let term = |term: &Term<S>| {
        let scaled = term.scaled(used.scale, used.at).ok_or_else(|| PRODUCT_TOO_LARGE.to_owned())?;
        Ok(Term {
            negative: used.negative != term.negative,
            origin: used.origin.or(term.origin.as_ref()).cloned(),
            input: used.input.cloned(),
            ..scaled
        })
    };
    terms.iter().map(term).collect()
}
