//! Programs by their meaning.

use cain_codegen::Overrides;
use cain_codegen::kernel_file::parse_any;
use cain_codegen::kinds::Item;
use cain_vision::declaration::Declaration;
use cain_vision::reference::{Answer, Content, Reference};

use super::lowered::{programs, read};
use super::planes::{Bits, HEIGHT, Levels, Plane, WIDTH};

/// A program that runs.
pub(crate) struct Run {
    declaration: &'static Declaration,
    reference: Reference<'static>,
    size: (i64, i64),
}

/// What came out of a frame.
pub(crate) struct Answers {
    names: Vec<String>,
    found: Vec<Answer>,
    size: (i64, i64),
}

impl Run {
    /// The program of that name, or the first one of its file, on an array of the usual size.
    pub(crate) fn of(file: &str, name: &str) -> Self {
        Self::sized(file, name, HEIGHT, WIDTH)
    }

    pub(crate) fn sized(file: &str, name: &str, height: i64, width: i64) -> Self {
        let declared = programs(&format!("{file}.cain")).into_iter().find(|program| program.name == name).unwrap();
        Self::new(declared.declaration, height, width)
    }

    /// The first program of a text.
    #[track_caller]
    pub(crate) fn text(text: &str) -> Self {
        let programs = read(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        Self::new(programs.into_iter().next().unwrap().declaration, HEIGHT, WIDTH)
    }

    /// The first program of a kernel file.
    #[track_caller]
    pub(crate) fn kernel_file(text: &str) -> Self {
        Self::new(in_kernel_file(text), HEIGHT, WIDTH)
    }

    /// A program on an array with so many rows and columns.
    pub(crate) fn declared(side: i64, declaration: Declaration) -> Self {
        Self::new(declaration, side, side)
    }

    fn new(declaration: Declaration, height: i64, width: i64) -> Self {
        let declaration: &'static Declaration = Box::leak(Box::new(declaration));
        let [rows, columns] = [height, width].map(|side| usize::try_from(side).unwrap());
        Self { declaration, reference: Reference::new(declaration, rows, columns), size: (height, width) }
    }

    /// A frame with the captured picture and parameters.
    pub(crate) fn frame(&mut self, picture: &Levels, parameters: &[(&str, i64)]) -> Answers {
        self.given(&[Content::Levels(picture.values.clone())], parameters)
    }

    /// A frame with several planes of levels, and parameters.
    pub(crate) fn planes(&mut self, planes: &[Levels], parameters: &[(&str, i64)]) -> Answers {
        self.given(&planes.iter().map(|plane| Content::Levels(plane.values.clone())).collect::<Vec<_>>(), parameters)
    }

    /// A frame with several planes of bits.
    pub(crate) fn bit_planes(&mut self, planes: &[Bits]) -> Answers {
        self.given(&planes.iter().map(|plane| Content::Bits(plane.values.clone())).collect::<Vec<_>>(), &[])
    }

    /// A frame of a program without a picture.
    pub(crate) fn blind(&mut self, parameters: &[(&str, i64)]) -> Answers {
        self.given(&[], parameters)
    }

    fn given(&mut self, inputs: &[Content], parameters: &[(&str, i64)]) -> Answers {
        let declaration = self.declaration;
        for (name, value) in parameters {
            let place = declaration.parameters.iter().position(|parameter| parameter.name == *name);
            let place = place.unwrap_or_else(|| panic!("no parameter {name}"));
            let (low, high) = declaration.parameters[place].range;
            assert!((low..=high).contains(value), "{name} = {value}");
            self.reference.set(place, *value);
        }
        let found = self.reference.frame(inputs);
        let names = declaration.results.iter().map(|result| result.name.clone()).collect();
        Answers { names, found, size: self.size }
    }
}

/// What the first program of a kernel file declares.
#[track_caller]
pub(crate) fn in_kernel_file(text: &str) -> Declaration {
    let items = parse_any(text, Overrides::default()).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    let programs =
        items.into_iter().filter_map(|item| if let Item::Vision(program) = item { Some(program) } else { None });
    programs.map(|program| program.of.declaration).next().unwrap()
}

/// Parameters of a region.
pub(crate) fn region(name: &str, [top, left, height, width]: [i64; 4]) -> [(String, i64); 4] {
    let part = |field: &str, value| (format!("{name}.{field}"), value);
    [part("top", top), part("left", left), part("height", height), part("width", width)]
}

/// Names of parameters as they are given.
pub(crate) fn borrowed(parameters: &[(String, i64)]) -> Vec<(&str, i64)> {
    parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

impl Answers {
    fn get(&self, name: &str) -> &Answer {
        let place = self.names.iter().position(|known| known == name);
        &self.found[place.unwrap_or_else(|| panic!("no result {name} among {:?}", self.names))]
    }

    fn plane<T>(&self, values: Vec<T>) -> Plane<T> {
        Plane { height: self.size.0, width: self.size.1, values }
    }

    /// Compares levels with those that are defined.
    #[track_caller]
    pub(crate) fn has_levels(&self, name: &str, wanted: &Plane<Option<f64>>) {
        let Answer::One(Content::Levels(found)) = self.get(name) else { panic!("{name}: {:?}", self.get(name)) };
        for (pe, (found, wanted)) in found.iter().zip(&wanted.values).enumerate() {
            if let Some(wanted) = wanted {
                assert!((found - wanted).abs() < 1e-9, "{name}, PE {pe}: {found} instead of {wanted}");
            }
        }
    }

    #[track_caller]
    pub(crate) fn has_all_levels(&self, name: &str, wanted: &Levels) {
        self.has_levels(name, &wanted.map(Some));
    }

    pub(crate) fn bits(&self, name: &str) -> Bits {
        let Answer::One(Content::Bits(bits)) = self.get(name) else { panic!("{name}: {:?}", self.get(name)) };
        self.plane(bits.clone())
    }

    #[track_caller]
    pub(crate) fn has_bits(&self, name: &str, wanted: &Bits) {
        let found = self.bits(name);
        let differ: Vec<_> = found.with(wanted, |found, wanted| found != wanted).ones();
        assert!(differ.is_empty(), "{name} differs at {differ:?}");
    }

    pub(crate) fn number(&self, name: &str) -> i64 {
        let Answer::One(Content::Number(number)) = self.get(name) else { panic!("{name}: {:?}", self.get(name)) };
        *number
    }

    pub(crate) fn numbers(&self, name: &str) -> Vec<i64> {
        let Answer::Several(numbers) = self.get(name) else { panic!("{name}: {:?}", self.get(name)) };
        numbers.clone()
    }

    pub(crate) fn list(&self, name: &str) -> Vec<Vec<i64>> {
        let Answer::List(list) = self.get(name) else { panic!("{name}: {:?}", self.get(name)) };
        list.clone()
    }
}
