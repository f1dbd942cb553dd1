//! What a run gives to a program: pictures, and numbers for parameters.

use cain_codegen::kernel_file::find;
use cain_codegen::printable::Printable;
use cain_runtime::io::Size;
use cain_runtime::pictures::Image;
use cain_vision::declaration::{Declaration, Kind, Parameter};

use super::super::Run;
use super::super::settings::{Set, Setting};
use super::super::sources::Source;
use crate::chip::Plane;

/// The parts of a region, each of which is a parameter.
const REGION: [&str; 4] = ["top", "left", "height", "width"];

/// The numbers of all parameters.
pub(super) fn parameters(declaration: &Declaration, settings: &[Setting]) -> Result<Vec<i64>, String> {
    let all = &declaration.parameters;
    let mut values: Vec<i64> = all.iter().map(|parameter| parameter.default).collect();
    let mut set: Vec<String> = Vec::new();
    for Setting { name, values: given } in settings {
        if all.is_empty() {
            return Err(format!("--param: program `{}` has no parameters", declaration.name));
        }
        for (name, value) in parts(all, name, given)? {
            if set.contains(&name) {
                return Err(format!("--param: `{}` is set twice", Printable(name)));
            }
            let problem = |problem: String| format!("--param: {}", Printable(problem));
            let parameter = find("parameter", all, &name, |parameter| &parameter.name).map_err(problem)?;
            let (least, most) = parameter.range;
            if parameter.is_bool && !matches!(value, Set::Truth(_) | Set::Number(0 | 1)) {
                return Err(format!("--param: `{name}` is {value}; expected `true` or `false`"));
            }
            if !parameter.is_bool && matches!(value, Set::Truth(_)) || !(least..=most).contains(&value.number()) {
                return Err(format!("--param: `{name}` is {value}; expected a number from {least} to {most}"));
            }
            for (known, to) in all.iter().zip(&mut values).filter(|(known, _)| known.name == name) {
                debug_assert_eq!(known.name, parameter.name);
                *to = value.number();
            }
            set.push(name);
        }
    }
    Ok(values)
}

/// The numbers of one setting, by the names of their parameters: those of a region have their own.
fn parts(all: &[Parameter], name: &str, given: &[Set]) -> Result<Vec<(String, Set)>, String> {
    let part = |field: &str| format!("{name}.{field}");
    let is_region = REGION.iter().all(|field| all.iter().any(|known| known.name == part(field)));
    match given {
        [value] if !is_region => Ok(vec![(name.to_owned(), *value)]),
        [_, _, _, _] if is_region => Ok(REGION.iter().map(|field| part(field)).zip(given.iter().copied()).collect()),
        _ if is_region => Err(format!(
            "--param: `{name}` is a region; set it with `{name}=TOP,LEFT,HEIGHT,WIDTH`, or a part of it as in `{name}.top=8`"
        )),
        [value, ..] if all.iter().all(|known| known.name != name) => Ok(vec![(name.to_owned(), *value)]),
        _ => {
            let name = Printable(name);
            Err(format!("--param: `{name}` is given {} numbers, which only regions have", given.len()))
        }
    }
}

/// The planes that a program is given, or that the photo-sensors see.
pub(super) struct Given {
    sources: Vec<Source>,
    /// The source of each input, and whether it is of bits.
    inputs: Vec<(usize, bool)>,
    size: Size,
}

impl Given {
    /// Opens the pictures for all inputs.
    pub(super) fn open(args: &Run, declaration: &Declaration) -> Result<Self, String> {
        let size = args.size;
        for (place, frames) in args.frames.iter().enumerate() {
            if let Some(name) = &frames.input {
                find("input", &declaration.inputs, name, |input| &input.name)
                    .map_err(|problem| format!("--frames: {}", Printable(problem)))?;
            }
            if args.frames.iter().take(place).any(|earlier| earlier.input == frames.input) {
                return Err(
                    "--frames: two sources for the same input; say which is for which, as in `mask=DIR`".to_owned()
                );
            }
        }
        let sources = args.frames.iter().map(|frames| Source::open(&frames.path, size));
        let mut sources = sources.collect::<Result<Vec<_>, _>>()?;
        let source = |name: &str| {
            let own = args.frames.iter().position(|frames| frames.input.as_deref() == Some(name));
            let common = || args.frames.iter().position(|frames| frames.input.is_none());
            match own.or_else(common) {
                Some(source) => Ok(source),
                None if args.frames.is_empty() => Ok(0),
                None => Err(format!("--frames: there is no source for input `{name}`; add `--frames {name}=DIR`")),
            }
        };
        let inputs = declaration.inputs.iter().map(|input| {
            let is_bits = matches!(declaration.values.get(input.value.0), Some(Kind::Bits));
            Ok((source(&input.name)?, is_bits))
        });
        let inputs = inputs.collect::<Result<_, String>>()?;
        if sources.is_empty() {
            sources.push(Source::Picture(Image::example(size.width, size.height)));
        }
        let mut counts = sources.iter().filter_map(Source::count);
        if let Some(first) = counts.next()
            && let Some(other) = counts.find(|count| *count != first)
        {
            return Err(format!("--frames: one source has {first} pictures and another {other}; give as many of each"));
        }
        Ok(Self { sources, inputs, size })
    }

    /// The number of frames.
    pub(super) fn count(&self) -> usize {
        self.sources.iter().find_map(Source::count).unwrap_or(1)
    }

    /// The planes of all inputs for a frame.
    pub(super) fn frame(&self, number: usize) -> Result<Vec<Plane>, String> {
        let plane = |(source, is_bits): &(usize, bool)| {
            let source = self.sources.get(*source).ok_or("there is no such picture")?;
            let image = source.image(number, self.size)?;
            Ok(if *is_bits {
                Plane::Bits(image.bytes().iter().map(|grey| *grey >= 128).collect())
            } else {
                Plane::Levels(image.bytes().iter().map(|grey| (grey ^ 0x80).cast_signed()).collect())
            })
        };
        self.inputs.iter().map(plane).collect()
    }
}
