//! Where the bits of super-pixels are, and what is done with their numbers.

use cain_digital::superpixel::{Carry, Layout};

use crate::errors::Errors;
use crate::kinds::digital::tree::{Converted, SuperPixel};
use crate::kinds::options::registers;
use crate::lower;
use crate::tree::Place;
use crate::value::{Entry, What, whole};

/// Reads `superpixel`.
pub(crate) fn super_pixel<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<SuperPixel<S>> {
    const KEYS: [&str; 9] = ["order", "carry", "bits", "banks", "bias", "relu", "compare", "adc", "dac"];
    let fields = entry.table(&S::NOTATION.expected_options("order = [[1, 2], [4, 3]]"), &KEYS, errors)?;
    let Some(order) = fields.get("order") else {
        entry.wrong("the order of the bits is missing; add `order = [[1, 2], [4, 3]]`", errors);
        return None;
    };
    let layout = layout(&order, errors)?;
    if let Some(bits) = fields.get("bits") {
        let (declared, most) = (whole(&bits, errors)?, layout.places(0).len());
        if usize::try_from(declared.value) != Ok(most) {
            bits.wrong(format_args!("`order` has {most} bits, found {}", declared.value), errors);
            return None;
        }
    }
    let carry = match fields.get("carry") {
        None => Carry::default(),
        Some(entry) => carry(&entry, errors)?,
    };
    let banks = match fields.get("banks") {
        None => Vec::new(),
        Some(entry) => banks(&entry, errors)?,
    };
    let mut names = |key| fields.get(key).map(|entry| registers(&entry, errors)).unwrap_or_default();
    let (rectified, compared) = (names("relu"), names("compare"));
    let biases = fields.get("bias").map(|entry| biases(&entry, errors)).unwrap_or_default();
    let [adc, dac] = ["adc", "dac"].map(|key| match fields.get(key) {
        None => Some(Vec::new()),
        Some(entry) => converters(&entry, &layout, errors),
    });
    Some(SuperPixel { at: entry.at, layout, carry, banks, biases, rectified, compared, adc: adc?, dac: dac? })
}

fn carry<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Carry> {
    let name = entry.name(errors)?.value;
    lower::superpixel::carry(&name).map_err(|message| entry.wrong(message, errors)).ok()
}

/// What is expected where values are given by name.
fn expected<S: Place>(what: &str, example: &str) -> String {
    format!("{what}, such as `{}`", S::NOTATION.options(example))
}

/// The bank of each number that is not in the first.
fn banks<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Vec<(String, usize, S)>> {
    let mut banks = Vec::new();
    let numbers = entry.any_table(&expected::<S>("banks by number", "A = 1"), errors)?;
    for (name, bank) in numbers.in_order() {
        let value = whole(&bank, errors)?.value;
        banks.push((name.value.to_owned(), usize::try_from(value).unwrap_or(usize::MAX), bank.at));
    }
    Some(banks)
}

/// What is added to each output.
fn biases<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Vec<(String, i64, S)> {
    let expected = expected::<S>("whole numbers by output", "B = -5");
    let mut biases = Vec::new();
    for (name, bias) in entry.any_table(&expected, errors).into_iter().flat_map(|table| table.in_order()) {
        let What::Integer(number) = bias.what else {
            bias.expected("a whole number", errors);
            continue;
        };
        match number.parse() {
            Ok(value) => biases.push((name.value.to_owned(), value, bias.at)),
            Err(_) => bias.expected("a whole number of at most 64 bits", errors),
        }
    }
    biases
}

/// The converter of each number; as many bits as there are, if the file does not say how many.
fn converters<S: Place>(entry: &Entry<'_, S>, layout: &Layout, errors: &mut Errors<S>) -> Option<Vec<Converted<S>>> {
    let example = format!("image = {}", S::NOTATION.options("register = \"A\""));
    let expected = expected::<S>("converters by number", &example);
    let one = format!("a converter such as `{}`", S::NOTATION.options("register = \"A\", bits = 8, unit = 1"));
    let mut converters = Vec::new();
    for (name, entry) in entry.any_table(&expected, errors)?.in_order() {
        let fields = entry.table(&one, &["register", "bits", "unit"], errors)?;
        let Some(register) = fields.get("register") else {
            entry.wrong(format_args!("the analogue register is missing; expected {one}"), errors);
            return None;
        };
        let text = register.name(errors)?.value;
        let known = lower::superpixel::analogue(&text).map_err(|message| register.wrong(message, errors)).ok()?;
        let mut number = |key| {
            let entry = fields.get(key)?;
            Some(whole(&entry, errors).map(|number| usize::try_from(number.value).unwrap_or(usize::MAX)))
        };
        let bits = match number("bits") {
            None => None,
            Some(bits) => Some(bits?),
        };
        let unit = number("unit").unwrap_or(Some(1))?;
        let converter = lower::superpixel::converter(known, bits, unit, layout);
        let converter = converter.map_err(|message| entry.wrong(message, errors)).ok()?;
        converters.push(Converted { number: name.value.to_owned(), converter, at: entry.at });
    }
    Some(converters)
}

/// Reads one matrix of bits, or one for each bank.
fn layout<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Layout> {
    const EXPECTED: &str =
        "rows of bits from the north such as `[[1, 2], [4, 3]]`, or a list of such matrices, one for each bank";
    let outer = entry.array(EXPECTED, errors)?;
    if outer.len() > Layout::MAX_SIDE * Layout::MAX_SIDE {
        entry.wrong(format_args!("{} rows or banks are more than any block has", outer.len()), errors);
        return None;
    }
    let is_row = |row: &Entry<'_, S>| {
        let elements = row.what.as_list();
        elements.is_some_and(|elements| elements.iter().all(|element| matches!(element.what, What::Integer(_))))
    };
    let orders = if outer.iter().all(is_row) {
        vec![matrix(&outer, errors)?]
    } else {
        let matrix = |bank: &Entry<'_, S>| matrix(&bank.array(EXPECTED, errors)?, errors);
        outer.iter().map(matrix).collect::<Option<Vec<_>>>()?
    };
    Layout::new(&orders).map_err(|error| entry.wrong(error, errors)).ok()
}

fn matrix<S: Place>(rows: &[Entry<'_, S>], errors: &mut Errors<S>) -> Option<Vec<Vec<usize>>> {
    let mut matrix = Vec::new();
    for row in rows {
        let mut bits = Vec::new();
        for bit in row.array("a row of bits such as `[1, 2]`", errors)? {
            bits.push(usize::try_from(whole(&bit, errors)?.value).unwrap_or(usize::MAX));
        }
        matrix.push(bits);
    }
    Some(matrix)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use crate::plans::Plans;

    /// Everything that can be said is taken, and what is wrong is told.
    #[test]
    fn mistakes_are_told() {
        let expand = |attribute: &str| {
            let attribute: proc_macro2::TokenStream = attribute.parse().unwrap();
            let filter = quote!([rt] #attribute fn f(a, &b) -> (c, d) { c = [[1]] * a + [[1]] * b; d = [[2]] * a; });
            crate::expand_with(filter, |_| None, &Plans::none()).to_string()
        };
        let good = "#[search(isa = superpixel)] #[superpixel(order = [[1, 2], [4, 3]], carry = steps, banks = (a = 0), \
                    bias = (c = -1, d = 3), relu = [c], compare = [d], adc = (a = (register = A, bits = 4, unit = 1)), \
                    dac = (c = (register = B)))]";
        let expansion = expand(good);
        assert!(!expansion.contains("compile_error") && expansion.contains("pub (super) fn prepare"), "{expansion}");
        for (right, wrong, message) in [
            ("order = [[1, 2], [4, 3]], ", "", "the order of the bits is missing; add `order = [[1, 2], [4, 3]]`"),
            ("bias = (c = -1, ", "bias = (c = -1, c = 2, ", "`c` is given twice"),
            ("isa = superpixel", "isa = superpixel, bits = 2", "the bits of super-pixels are in `superpixel.order`"),
            ("isa = superpixel", "isa = digital, bits = 2", "add `#[search(isa = superpixel)]`"),
            (
                "#[superpixel(order = [[1, 2], [4, 3]]",
                "#[superpixl(order = [[1, 2], [4, 3]]",
                "did you mean `superpixel`?",
            ),
        ] {
            assert!(good.contains(right), "{right}");
            let expansion = expand(&good.replace(right, wrong));
            assert!(expansion.contains("compile_error") && expansion.contains(message), "{message}: {expansion}");
        }
    }
}
