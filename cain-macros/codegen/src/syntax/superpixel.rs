//! `#[superpixel(order = [[1, 2], [4, 3]], carry = steps, banks = (image = 1), bias = (gx = -20), relu = [gx], adc = (..))]`.

use cain_digital::superpixel::{Carry, Layout};
use cain_isa::Reg;
use proc_macro2::{Ident, Span};
use syn::parse::ParseStream;
use syn::{Attribute, LitInt, Token, bracketed, parenthesized, token};

use super::attributes::{names_in_brackets, options, set, unknown, whole, word};
use crate::errors::Errors;
use crate::lower;
use crate::tree::{At, Converted, SuperPixel};

/// A converter before the order of bits is known.
struct Given {
    number: Ident,
    register: Reg,
    bits: Option<usize>,
    unit: usize,
}

/// Reads the attribute; none after a mistake.
pub(super) fn super_pixel(attribute: &Attribute, at: Span, errors: &mut Errors<Span>) -> Option<SuperPixel<Span>> {
    let before = errors.len();
    let (mut order, mut carry, mut banks, mut biases) = (None, None, None, None);
    let (mut relu, mut compare, mut adc, mut dac) = (None, None, None, None);
    let outputs = "the names of outputs in brackets, such as `[gx]`";
    options(attribute, errors, &[], |key, input| match key.to_string().as_str() {
        "order" => set(&mut order, key, self::order(input)?),
        "carry" => set(&mut carry, key, self::carry(input)?),
        "banks" => set(&mut banks, key, by_number(input, |input| Ok(size(whole(input)?.value)))?),
        "bias" => set(&mut biases, key, by_number(input, signed)?),
        "relu" => set(&mut relu, key, names_in_brackets(input, outputs)?),
        "compare" => set(&mut compare, key, names_in_brackets(input, outputs)?),
        "adc" => set(&mut adc, key, converters(input)?),
        "dac" => set(&mut dac, key, converters(input)?),
        other => Err(unknown(key, other, &["order", "carry", "banks", "bias", "relu", "compare", "adc", "dac"])),
    });
    let Some(layout) = order else {
        if errors.len() == before {
            errors.add(at, "the order of the bits is missing; add `order = [[1, 2], [4, 3]]`");
        }
        return None;
    };
    let mut converted = |given: Option<Vec<Given>>| -> Vec<Converted<Span>> {
        let converter = |Given { number, register, bits, unit }| {
            let converter = lower::superpixel::converter(register, bits, unit, &layout);
            let converter = converter.map_err(|message| errors.add(number.span(), message)).ok()?;
            Some(Converted { number: number.to_string(), converter, at: number.span() })
        };
        given.unwrap_or_default().into_iter().filter_map(converter).collect()
    };
    let (adc, dac) = (converted(adc), converted(dac));
    let placed = |(name, value): (Ident, _)| (name.to_string(), value, name.span());
    let banks = banks.unwrap_or_default().into_iter().map(placed).collect();
    let placed = |(name, value): (Ident, _)| (name.to_string(), value, name.span());
    let biases = biases.unwrap_or_default().into_iter().map(placed).collect();
    let (rectified, compared) = (relu.unwrap_or_default(), compare.unwrap_or_default());
    let carry = carry.unwrap_or_default();
    let super_pixel = SuperPixel { at, layout, carry, banks, biases, rectified, compared, adc, dac };
    (errors.len() == before).then_some(super_pixel)
}

/// One matrix of bits, or one for each bank.
fn order(input: ParseStream<'_>) -> syn::Result<Layout> {
    const EXPECTED: &str = "expected rows of bits from the north such as `[[1, 2], [4, 3]]`, or a list of such matrices, one for each bank";
    let at = input.span();
    let outer = Nested::parse(input, EXPECTED)?;
    let orders: Option<Vec<Vec<Vec<usize>>>> = match outer.depth() {
        2 => outer.matrix().map(|matrix| vec![matrix]),
        _ => outer.list().and_then(|matrices| matrices.iter().map(Nested::matrix).collect()),
    };
    let orders = orders.ok_or_else(|| syn::Error::new(at, EXPECTED))?;
    Layout::new(&orders).map_err(|error| syn::Error::new(at, error))
}

/// Numbers in brackets in brackets.
enum Nested {
    Number(usize),
    List(Vec<Nested>),
}

impl Nested {
    fn parse(input: ParseStream<'_>, expected: &str) -> syn::Result<Self> {
        if input.peek(LitInt) {
            return Ok(Self::Number(size(whole(input)?.value)));
        }
        if !input.peek(token::Bracket) {
            return Err(input.error(expected));
        }
        let list;
        bracketed!(list in input);
        Ok(Self::List(separated(&list, |input| Self::parse(input, expected))?))
    }

    fn depth(&self) -> usize {
        match self {
            Self::Number(_) => 0,
            Self::List(parts) => 1 + parts.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    fn list(&self) -> Option<&[Self]> {
        match self {
            Self::Number(_) => None,
            Self::List(parts) => Some(parts),
        }
    }

    fn matrix(&self) -> Option<Vec<Vec<usize>>> {
        let number = |part: &Self| if let Self::Number(number) = part { Some(*number) } else { None };
        let row = |row: &Self| row.list()?.iter().map(number).collect();
        self.list()?.iter().map(row).collect()
    }
}

fn carry(input: ParseStream<'_>) -> syn::Result<Carry> {
    let name = word(input)?;
    lower::superpixel::carry(&name.value).map_err(|message| syn::Error::new(name.at, message))
}

/// `(name = value, ..)`.
fn by_number<T>(
    input: ParseStream<'_>,
    value: impl Fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<(Ident, T)>> {
    if !input.peek(token::Paren) {
        return Err(input.error("expected values by number in parentheses, such as `(gx = 1)`"));
    }
    let list;
    parenthesized!(list in input);
    let given = separated(&list, |input| {
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok((name, value(input)?))
    })?;
    let is_again = |i: usize, name: &Ident| given.iter().take(i).any(|(earlier, _)| earlier == name);
    if let Some((_, (name, _))) = given.iter().enumerate().find(|(i, (name, _))| is_again(*i, name)) {
        return Err(syn::Error::new(name.span(), format_args!("`{name}` is given twice")));
    }
    Ok(given)
}

/// `(image = (register = A, bits = 8, unit = 1))`.
fn converters(input: ParseStream<'_>) -> syn::Result<Vec<Given>> {
    let given = by_number(input, |input| {
        let at = input.span();
        let (mut register, mut bits, mut unit) = (None, None, None);
        let fields;
        parenthesized!(fields in input);
        separated(&fields, |input| {
            let key: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            match key.to_string().as_str() {
                "register" => set(&mut register, &key, analogue(input)?),
                "bits" => set(&mut bits, &key, size(whole(input)?.value)),
                "unit" => set(&mut unit, &key, size(whole(input)?.value)),
                other => Err(unknown(&key, other, &["register", "bits", "unit"])),
            }
        })?;
        let missing =
            "the analogue register is missing; expected a converter such as `(register = A, bits = 8, unit = 1)`";
        let register = register.ok_or_else(|| syn::Error::new(at, missing))?;
        Ok((register, bits, unit.unwrap_or(1)))
    })?;
    Ok(given.into_iter().map(|(number, (register, bits, unit))| Given { number, register, bits, unit }).collect())
}

fn analogue(input: ParseStream<'_>) -> syn::Result<Reg> {
    let At { value, at } = word(input)?;
    lower::superpixel::analogue(&value).map_err(|message| syn::Error::new(at, message))
}

/// A whole number that may be negative.
fn signed(input: ParseStream<'_>) -> syn::Result<i64> {
    let sign = input.parse::<Option<Token![-]>>()?.map_or("", |_| "-");
    let number = whole(input)?;
    let value = format!("{sign}{}", number.value).parse();
    value.map_err(|_| syn::Error::new(number.at, "expected a whole number of at most 64 bits"))
}

/// A number of PEs or bits; those that are too large are no numbers of either.
fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// What is separated by commas.
fn separated<T>(
    input: ParseStream<'_>,
    mut part: impl FnMut(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    let mut parts = Vec::new();
    while !input.is_empty() {
        parts.push(part(input)?);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(parts)
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
            ("[4, 3]", "[3, 4]", "are not in neighbouring PEs"),
            ("[[1, 2], [4, 3]]", "[1, 2]", "expected rows of bits from the north such as"),
            ("carry = steps", "carry = step", "unknown carry `step`; did you mean `steps`?"),
            ("banks = (a = 0)", "banks = (a = 1)", "bank"),
            ("banks = (a = 0)", "banks = (x = 0)", "unknown number `x`"),
            ("bias = (c = -1, ", "bias = (c = -1, c = 2, ", "`c` is given twice"),
            ("relu = [c]", "relu = [x]", "unknown output `x`"),
            ("register = A", "register = Q", "unknown analogue register `Q`"),
            ("unit = 1", "unit = 0", "begin with `unit = 1`"),
            ("(register = B)", "(bits = 2)", "the analogue register is missing"),
            ("carry", "carri", "unknown option `carri`; did you mean `carry`?"),
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
