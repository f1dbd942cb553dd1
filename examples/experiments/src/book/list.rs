//! The kernels of the opening book.

use std::sync::LazyLock;

use cain_analysis::prove::Polynomial;
use cain_isa::Fraction;
use cain_search::Kernel;

/// One kernel or several on a line, each as the book writes it.
const TEXT: &str = include_str!("kernels.txt");

/// Kernels that are computed together, as they are written and what they are.
pub(crate) struct Kernels {
    pub(crate) text: &'static str,
    pub(crate) polynomials: Vec<Polynomial>,
}

/// All of them.
pub(crate) fn kernels() -> &'static [Kernels] {
    static KERNELS: LazyLock<Vec<Kernels>> = LazyLock::new(|| {
        let lines = TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let parsed = |text| {
            let polynomials = parse(text);
            if polynomials.is_none() {
                eprintln!("not a list of kernels: `{text}`");
            }
            Some(Kernels { text, polynomials: polynomials? })
        };
        lines.filter_map(parsed).collect()
    });
    &KERNELS
}

/// Kernels such as `1/4 [1 2 1]; [1; -1; 0]`.
fn parse(text: &str) -> Option<Vec<Polynomial>> {
    let kernels = text.split_inclusive(']').map(|kernel| {
        let (factor, rows) = kernel.trim_start_matches([';', ' ']).strip_suffix(']')?.split_once('[')?;
        let factor: Fraction = if factor.is_empty() { Fraction::ONE } else { factor.trim().parse().ok()? };
        let row =
            |row: &str| row.split_whitespace().map(|weight| weight.parse().ok()).collect::<Option<Vec<Fraction>>>();
        let rows = rows.split(';').map(row).collect::<Option<Vec<_>>>()?;
        let mut kernel = Polynomial::new();
        Kernel::new(rows).ok()?.add_to(&mut kernel, factor, 0).ok()?;
        Some(kernel)
    });
    kernels.collect()
}

#[cfg(test)]
mod tests {
    use super::{TEXT, kernels};

    #[test]
    fn every_line_is_read() {
        let lines = TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        assert_eq!(kernels().len(), lines);
    }
}
