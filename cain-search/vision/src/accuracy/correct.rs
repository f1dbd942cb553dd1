//! Goes through the pieces of a plan, and corrects read-outs and levels of the controller.

use std::collections::VecDeque;

use cain_analysis::owned::{ReadOut, Step};
use cain_isa::Reg;
use cain_isa::program::{Grid, Held};
use cain_network::expected::Pairs;

use super::follow::{Follower, held, sets_level};
use super::levels::{NONE, apart};
use crate::plan::Piece;

/// From which difference on a sum is corrected, in steps of the converter.
const WORTH: f64 = 0.5;

impl<'d> Follower<'d> {
    /// The pieces, with read-outs and levels that are corrected; what cannot be followed stays as it is.
    pub(super) fn corrected(&mut self, pieces: Vec<Piece<'d>>) -> Vec<Piece<'d>> {
        let mut done: Vec<Piece<'d>> = Vec::new();
        let mut rest = VecDeque::from(pieces);
        while let Some(mut piece) = rest.pop_front() {
            let first = self.tape.count();
            let mut correction = None;
            match &mut piece {
                Piece::Do(Step::Read(read)) => self.read(read),
                Piece::Do(Step::Sum { from, first }) => correction = self.summed(*from, *first),
                Piece::Holds(held, value) => self.holds(*held, *value),
                Piece::List { .. } => {}
                Piece::Do(step) => {
                    let fresh = matches!(done.last(), Some(Piece::Do(last)) if sets_level(last));
                    if let Some(level) = self.better_level(step, &rest, fresh) {
                        if fresh {
                            done.pop();
                        }
                        self.set_level(&level);
                        done.push(Piece::Do(level));
                    }
                    if self.step(step).is_err() {
                        self.lose(std::slice::from_ref(&piece));
                    }
                }
                Piece::First { .. } | Piece::Loop { .. } | Piece::Decide { .. } => {
                    // Loops begin with what their last pass left.
                    if matches!(piece, Piece::Loop { .. }) {
                        self.lose(std::slice::from_ref(&piece));
                    }
                    for body in piece.bodies_mut() {
                        *body = self.one_way(std::mem::take(body));
                    }
                    self.lose(std::slice::from_ref(&piece));
                }
            }
            self.alive.extend(first..self.tape.count());
            self.forget();
            done.push(piece);
            let is_corrected = matches!(rest.front(), Some(Piece::Do(Step::Correct { .. })));
            done.extend(correction.filter(|_| !is_corrected).map(Piece::Do));
        }
        done
    }

    /// What may be carried out or not.
    fn one_way(&mut self, body: Vec<Piece<'d>>) -> Vec<Piece<'d>> {
        let (before, needed) = (self.moment(), self.later.len());
        self.later.extend(held(&self.array));
        let body = self.corrected(body);
        self.later.truncate(needed);
        before.again(self);
        body
    }

    /// What corrects the sum of a register over the whole array by the line through its levels without errors and with them.
    fn summed(&self, from: Reg, number: usize) -> Option<Step> {
        let seen = self.tiles.seen(|_, _| true);
        let pairs: Pairs = self.pairs_in(self.content(Held::Reg(from))?, &seen).into_iter().collect();
        let (factor, summand) = pairs.line(self.model.conversion_variance())?;
        let summand = summand * self.sum_of_ones;
        (apart((factor, summand), NONE) >= WORTH).then_some(Step::Correct { number, factor, summand })
    }

    /// Corrects a read-out of levels by the line through what is read without errors and with them.
    fn read(&self, read: &mut ReadOut) {
        let (Held::Reg(_), Some(content)) = (read.from, self.content(read.from)) else { return };
        let Some(places) = self.tiles.places(&read.grid).filter(|_| read.corrected.is_none()) else { return };
        let Grid { height, width, .. } = read.grid;
        let mut is_read = vec![read.windows.is_none(); height * width];
        for area in read.windows.iter().flatten() {
            for row in area.top..area.top + area.height {
                is_read[row * width + area.left..][..area.width].fill(true);
            }
        }
        let read_places = places.iter().zip(is_read.iter().cycle()).filter(|(_, is_read)| **is_read);
        let places: Vec<usize> = read_places.map(|(place, _)| *place).collect();
        let pairs: Pairs = self.pairs_in(content, &places).into_iter().collect();
        read.correct(pairs.line(self.model.conversion_variance()));
    }
}
