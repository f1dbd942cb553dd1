//! From tokens to expressions.

use cain_isa::Displacement;

use super::tokens::Token;
use super::{DIRECTIONS, Expression, Node};
use crate::names;
use crate::nesting::MOST;
use crate::place::At;

/// What is wrong and where.
type Mistake<S> = At<String, S>;

/// Reads an expression; what ends too early is reported at `end`.
pub(crate) fn parse<S: Copy>(tokens: &[At<Token, S>], end: S) -> Result<Expression<S>, Mistake<S>> {
    let mut parser = Parser { tokens, end, depth: 0 };
    let expression = parser.any()?;
    match parser.tokens {
        [] => Ok(expression),
        [rest, ..] => Err(At {
            value: format!("expected `&`, `^`, `|` or the end of the expression, found `{}`", rest.value),
            at: rest.at,
        }),
    }
}

struct Parser<'t, S> {
    tokens: &'t [At<Token, S>],
    end: S,
    depth: usize,
}

impl<S: Copy> Parser<'_, S> {
    fn here(&self) -> S {
        self.tokens.first().map_or(self.end, |token| token.at)
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Mistake<S>> {
        Err(At { value: message.into(), at: self.here() })
    }

    /// The message that something else was expected.
    fn expected<T>(&self, what: &str) -> Result<T, Mistake<S>> {
        match self.tokens.first() {
            Some(token) => self.wrong(format!("expected {what}, found `{}`", token.value)),
            None => self.wrong(format!("expected {what}")),
        }
    }

    /// Takes a sign, if it is there.
    fn take(&mut self, sign: &str) -> bool {
        match self.tokens {
            [At { value: Token::Sign(found), .. }, rest @ ..] if found == sign => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }

    fn word(&mut self) -> Option<&str> {
        match self.tokens {
            [At { value: Token::Word(word), .. }, rest @ ..] => {
                self.tokens = rest;
                Some(word)
            }
            _ => None,
        }
    }

    fn number(&mut self, what: &str) -> Result<At<u32, S>, Mistake<S>> {
        let [At { value: Token::Number(number), at }, rest @ ..] = self.tokens else { return self.expected(what) };
        let Ok(value) = number.parse() else { return self.expected(what) };
        self.tokens = rest;
        Ok(At { value, at: *at })
    }

    fn any(&mut self) -> Result<Expression<S>, Mistake<S>> {
        self.operation("|", Self::odd, Node::Any)
    }

    fn odd(&mut self) -> Result<Expression<S>, Mistake<S>> {
        self.operation("^", Self::all, Node::Odd)
    }

    fn all(&mut self) -> Result<Expression<S>, Mistake<S>> {
        self.operation("&", Self::prefix, Node::All)
    }

    /// Operands with an operator between each two of them.
    fn operation(
        &mut self,
        sign: &str,
        operand: fn(&mut Self) -> Result<Expression<S>, Mistake<S>>,
        node: fn(Vec<Expression<S>>) -> Node<S>,
    ) -> Result<Expression<S>, Mistake<S>> {
        let at = self.here();
        let first = operand(self)?;
        let mut operands = vec![first];
        while self.take(sign) {
            operands.push(operand(self)?);
        }
        match operands.pop() {
            Some(only) if operands.is_empty() => Ok(only),
            last => {
                operands.extend(last);
                Ok(At { value: node(operands), at })
            }
        }
    }

    fn prefix(&mut self) -> Result<Expression<S>, Mistake<S>> {
        let at = self.here();
        let mut is_inverted = false;
        while self.take("!") {
            is_inverted = !is_inverted;
        }
        let moved = self.moved()?;
        Ok(if is_inverted { At { value: Node::Not(Box::new(moved)), at } } else { moved })
    }

    fn moved(&mut self) -> Result<Expression<S>, Mistake<S>> {
        let at = self.here();
        let bit = self.bit()?;
        let mut by: Option<Displacement> = None;
        while self.take("@") {
            let here = self.here();
            let Some(word) = self.word() else { return self.expected("a direction such as `east`") };
            let Some((_, step)) = DIRECTIONS.iter().find(|(name, _)| *name == word) else {
                let known = DIRECTIONS.map(|(name, _)| name);
                return Err(At { value: names::unknown("direction", word, &known), at: here });
            };
            let Some(sum) = by.unwrap_or(Displacement::ZERO).checked_add(*step) else {
                return Err(At { value: "the expression reaches too far".to_owned(), at: here });
            };
            by = Some(sum);
        }
        Ok(match by {
            Some(by) => At { value: Node::Moved(Box::new(bit), by), at },
            None => bit,
        })
    }

    fn bit(&mut self) -> Result<Expression<S>, Mistake<S>> {
        const EXPECTED: &str = "a name, `0`, `1`, `!`, `(`, `maj(..)`, `mux(..)` or `count(..)`";
        let at = self.here();
        if self.take("(") {
            self.enter()?;
            let inner = self.any()?;
            self.depth -= 1;
            return if self.take(")") { Ok(inner) } else { self.expected("`)`, `&`, `^` or `|`") };
        }
        let is_call = matches!(self.tokens, [_, At { value: Token::Sign(sign), .. }, ..] if sign == "(");
        let value = match self.tokens.first().map(|token| token.value.clone()) {
            Some(Token::Number(number)) if number == "0" || number == "1" => {
                self.tokens = self.tokens.get(1..).unwrap_or_default();
                Node::Constant(number == "1")
            }
            Some(Token::Word(name)) => {
                self.word();
                if is_call { self.call(&name, at)? } else { self.of_number(name)? }
            }
            _ => return self.expected(EXPECTED),
        };
        Ok(At { value, at })
    }

    /// `[INTEGER]`, if that follows.
    fn of_number(&mut self, name: String) -> Result<Node<S>, Mistake<S>> {
        if !self.take("[") {
            return Ok(Node::Bit { name, bit: None });
        }
        let bit = self.number("the number of a bit, from 0, the lowest")?;
        if self.take("]") { Ok(Node::Bit { name, bit: Some(bit) }) } else { self.expected("`]`") }
    }

    fn call(&mut self, name: &str, at: S) -> Result<Node<S>, Mistake<S>> {
        let known = ["maj", "mux", "count"];
        if !known.contains(&name) {
            return Err(At { value: names::unknown("function", name, &known), at });
        }
        let list = self.list()?;
        let wrong = |value: &str| Err(At { value: value.to_owned(), at });
        match name {
            "maj" if list.len() % 2 == 0 => wrong("`maj` takes an odd number of bits, so that there is a majority"),
            "maj" => Ok(Node::Majority(list)),
            "mux" => match list.try_into() {
                Ok(three) => Ok(Node::Choice(Box::new(three))),
                Err(_) => {
                    wrong("`mux` takes three bits: a condition, what holds where it is 1, and what holds elsewhere")
                }
            },
            _ => self.comparison(list),
        }
    }

    fn list(&mut self) -> Result<Vec<Expression<S>>, Mistake<S>> {
        self.take("(");
        self.enter()?;
        let mut list = vec![self.any()?];
        while self.take(",") {
            if matches!(self.tokens, [At { value: Token::Sign(sign), .. }, ..] if sign == ")") {
                break;
            }
            list.push(self.any()?);
        }
        self.depth -= 1;
        if self.take(")") { Ok(list) } else { self.expected("`,` or `)`") }
    }

    /// What follows `count(..)`.
    fn comparison(&mut self, of: Vec<Expression<S>>) -> Result<Node<S>, Mistake<S>> {
        const SIGNS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];
        let Some(sign) = SIGNS.into_iter().find(|sign| self.take(sign)) else {
            return self.expected("a comparison such as `== 3` or `>= 2`");
        };
        let number = self.number("a whole number to compare with")?.value;
        let all = u32::try_from(of.len()).unwrap_or(u32::MAX);
        let (least, most, inverted) = match sign {
            "==" => (number, number, false),
            "!=" => (number, number, true),
            "<=" => (0, number, false),
            ">=" => (number, all, false),
            // What is not less is at least as great.
            "<" => (number, all, true),
            _ => (0, number, true),
        };
        Ok(Node::Count { of, least, most, inverted })
    }

    fn enter(&mut self) -> Result<(), Mistake<S>> {
        self.depth += 1;
        if self.depth > MOST {
            return self.wrong(format!("brackets are nested more than {MOST} deep here"));
        }
        Ok(())
    }
}
