//! The shapes of layers' results, and checks that layers match each other.

use std::collections::BTreeSet;

use super::declaration::{Layer, Network, Operation, Source};
use super::error::{NetworkError, Problem};
use super::limits::{MOST_PIXELS, MOST_VALUES, shares_of_largest_sums};
use super::shape::Shape;
use cain_digital::Format;

/// The numbers that a 0 and a 1 stand for, of each channel.
pub type BitLevels = Vec<(f64, f64)>;

impl Network {
    /// The shape of the picture.
    #[must_use]
    pub fn image_shape(&self) -> Shape {
        Shape::Maps { channels: 1, height: self.input.height, width: self.input.width, bits: false }
    }

    /// The shapes of all layers, or the error of the first one that does not match its inputs. Maps that no layer reads
    /// are no error here: they can be [evaluated](Self::evaluate), but not compiled.
    pub fn shapes(&self) -> Result<Vec<Shape>, NetworkError> {
        let mut mistakes = Vec::new();
        let made = self.make(&mut mistakes);
        match mistakes.into_iter().next() {
            Some(mistake) => Err(mistake),
            None => Ok(made.into_iter().flatten().map(|made| made.shape).collect()),
        }
    }

    /// The shapes of the layers that have one, and all errors. Consequences of earlier errors are not reported.
    #[must_use]
    pub fn check(&self) -> (Vec<Option<Shape>>, Vec<NetworkError>) {
        let mut mistakes = Vec::new();
        let made = self.make(&mut mistakes);
        let shapes: Vec<Option<Shape>> = made.into_iter().map(|made| Some(made?.shape)).collect();
        let unread = self.heads().into_iter().filter_map(|layer| match shapes[layer] {
            Some(maps @ Shape::Maps { .. }) => {
                let name = self.layers[layer].name.clone();
                Some(NetworkError { layer: Some(layer), name, problem: Problem::Unread(maps) })
            }
            _ => None,
        });
        mistakes.extend(unread);
        (shapes, mistakes)
    }

    /// For each layer whose maps can be held in bits, the numbers that a 0 and a 1 stand for in each channel.
    ///
    /// Thresholds make bits. Pooling by maximum and concatenation preserve them, and so do the maximum and minimum of
    /// bits with the same numbers.
    pub fn bits(&self) -> Result<Vec<Option<BitLevels>>, NetworkError> {
        let mut mistakes = Vec::new();
        let made = self.make(&mut mistakes);
        match mistakes.into_iter().next() {
            Some(mistake) => Err(mistake),
            None => Ok(made.into_iter().map(|made| made?.bits).collect()),
        }
    }

    /// For each layer whose maps are exact integers in bits, the format of each channel.
    ///
    /// Thresholds make such numbers of one bit if a 0 stands for 0 and a 1 for 1; layers in digital registers make
    /// others of them.
    #[must_use]
    pub fn exact(&self) -> Vec<Option<Vec<Format>>> {
        self.make(&mut Vec::new()).into_iter().map(|made| made?.exact).collect()
    }

    /// The results of the layers, as far as they are valid.
    fn make(&self, mistakes: &mut Vec<NetworkError>) -> Vec<Option<Made>> {
        let of_network = |problem| NetworkError { layer: None, name: self.name.clone(), problem };
        let image = self.check_image().map_err(|problem| mistakes.push(of_network(problem)));
        let image = image.ok().map(|()| Made { shape: self.image_shape(), bits: None, exact: None });
        if self.layers.is_empty() {
            mistakes.push(of_network(Problem::NoLayer));
        }
        let mut made: Vec<Option<Made>> = Vec::new();
        let mut names = BTreeSet::new();
        let mut values = 0;
        for (i, layer) in self.layers.iter().enumerate() {
            let mut wrong = |problem| mistakes.push(NetworkError { layer: Some(i), name: layer.name.clone(), problem });
            if !names.insert(&layer.name) {
                wrong(Problem::NameTwice);
            }
            let makes = sources(layer, image.as_ref(), &made).and_then(|sources| match sources {
                Some(sources) => Made::by(&layer.operation, &sources).map(Some),
                None => Ok(None),
            });
            let makes = makes.and_then(|makes| {
                values += makes.as_ref().map_or(0, |made| made.shape.values());
                if values > MOST_VALUES { Err(Problem::TooManyValues) } else { Ok(makes) }
            });
            made.push(makes.map_err(&mut wrong).ok().flatten());
        }
        made
    }

    fn check_image(&self) -> Result<(), Problem> {
        let image = &self.input;
        let possible = 1..=MOST_PIXELS;
        if !possible.contains(&image.height) || !possible.contains(&image.width) {
            return Err(Problem::ImageSize { height: image.height, width: image.width });
        }
        for (what, levels) in [("levels", image.levels), ("range", image.range)] {
            let (black, white) = levels;
            let spread = white - black;
            if !spread.is_finite() || spread == 0.0 {
                return Err(Problem::Levels { what, levels });
            }
        }
        if !shares_of_largest_sums().contains(&self.largest_sums) {
            return Err(Problem::LargestSums(self.largest_sums));
        }
        let expected = image.height * image.width;
        if let Some(picture) = self.pictures.iter().find(|picture| picture.len() != expected) {
            return Err(Problem::Pixels { found: picture.len(), expected });
        }
        Ok(())
    }
}

/// The result of a layer, and its representation in bits.
struct Made {
    shape: Shape,
    /// The numbers that a 0 and a 1 stand for, of each channel.
    bits: Option<BitLevels>,
    /// The formats of numbers in bits, for each channel.
    exact: Option<Vec<Format>>,
}

/// The inputs of a layer; `None` if one of them has an error.
fn sources<'m>(
    layer: &Layer,
    image: Option<&'m Made>,
    made: &'m [Option<Made>],
) -> Result<Option<Vec<&'m Made>>, Problem> {
    let found = layer.from.len();
    let several = layer.operation.reads_several();
    if found == 0 || (found > 1 && !several) {
        return Err(Problem::Sources { found, several });
    }
    let mut sources = Some(Vec::new());
    for source in &layer.from {
        let source = match *source {
            Source::Image => image,
            Source::Layer(earlier) => made.get(earlier).ok_or(Problem::NotEarlier)?.as_ref(),
        };
        sources = sources.zip(source).map(|(mut sources, source)| {
            sources.push(source);
            sources
        });
    }
    Ok(sources)
}

impl Made {
    fn by(operation: &Operation, sources: &[&Self]) -> Result<Self, Problem> {
        let shapes: Vec<Shape> = sources.iter().map(|source| source.shape).collect();
        let mut shape = operation.shape(&shapes)?;
        let all = || Some(sources.iter().map(|source| source.exact.as_deref()).collect::<Option<Vec<_>>>()?.concat());
        let mut exact = match operation {
            Operation::Concatenate => all(),
            operation if operation.is_exact() => {
                let inexact = sources.iter().find(|source| source.exact.is_none());
                let read = all().ok_or_else(|| Problem::NotExact(inexact.map_or(shape, |source| source.shape)))?;
                Some(operation.formats(&read)?)
            }
            _ => None,
        };
        let bits = match (operation, &mut shape) {
            (Operation::Threshold { below, above, .. }, Shape::Maps { channels, .. }) => {
                Some(vec![(*below, *above); *channels])
            }
            (Operation::MaxPool { .. } | Operation::Maximum | Operation::Minimum, _) => {
                let first = sources.first().and_then(|source| source.bits.clone());
                first.filter(|first| sources.iter().all(|source| source.bits.as_ref() == Some(first)))
            }
            (Operation::Concatenate, _) => {
                let all: Option<Vec<_>> = sources.iter().map(|source| source.bits.as_deref()).collect();
                all.map(|all| all.concat())
            }
            _ => {
                let are_bits = |formats: &&Vec<Format>| formats.iter().all(|format| *format == Format::BIT);
                exact.as_ref().filter(are_bits).map(|formats| vec![(0.0, 1.0); formats.len()])
            }
        };
        if exact.is_none() {
            let are_whole = |levels: &&BitLevels| levels.iter().all(|levels| *levels == (0.0, 1.0));
            exact = bits.as_ref().filter(are_whole).map(|levels| vec![Format::BIT; levels.len()]);
        }
        if let Shape::Maps { bits: are_bits, .. } = &mut shape {
            *are_bits = bits.is_some();
        }
        Ok(Self { shape, bits, exact })
    }
}
