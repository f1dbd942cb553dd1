//! Maps and sets as sorted vectors.
//!
//! They are for few entries: registers, or the pixels of a kernel. An entry that is not the last one moves those behind it,
//! but looking one up is fast, and a vector compiles to a small part of the code that a tree takes for each type of entry.

use alloc::vec::{self, Vec};
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::{fmt, iter, mem, slice};

/// A map with keys in ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<K, V> {
    entries: Vec<(K, V)>,
}

/// The entries of a [`Map`], in the order of their keys.
pub type Entries<'a, K, V> = iter::Map<slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

impl<K, V> Map<K, V> {
    /// An empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// The number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The entries, in the order of their keys.
    pub fn iter(&self) -> Entries<'_, K, V> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The keys, in their order.
    #[must_use]
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.entries.iter().map(|entry| &entry.0)
    }

    /// The values, in the order of their keys.
    #[must_use]
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.entries.iter().map(|entry| &entry.1)
    }

    /// The values, in the order of their keys.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.entries.iter_mut().map(|entry| &mut entry.1)
    }

    /// Removes the entries for which the predicate is false.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| is_kept(key, value));
    }
}

impl<K: Ord, V> Map<K, V> {
    /// The place of a key, or the place where it would be.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        let (mut low, mut high) = (0, self.entries.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.entries[middle].0.borrow().cmp(key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// The value of a key.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(place) => Some(&self.entries[place].1),
            Err(_) => None,
        }
    }

    /// The value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(place) => Some(&mut self.entries[place].1),
            Err(_) => None,
        }
    }

    /// A key as it is in the map, and its value.
    #[must_use]
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(place) => {
                let (key, value) = &self.entries[place];
                Some((key, value))
            }
            Err(_) => None,
        }
    }

    /// Whether a key has a value.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Gives a key a value, and returns the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(place) => Some(mem::replace(&mut self.entries[place].1, value)),
            Err(place) => {
                self.entries.insert(place, (key, value));
                None
            }
        }
    }

    /// The value of a key, which is made if there is none.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = match self.find(&key) {
            Ok(place) => place,
            Err(place) => {
                self.entries.insert(place, (key, make()));
                place
            }
        };
        &mut self.entries[place].1
    }

    /// The value of a key, which is the default if there was none.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.get_or_insert_with(key, V::default)
    }

    /// Removes a key, and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(place) => Some(self.entries.remove(place).1),
            Err(_) => None,
        }
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Entries<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A set with members in ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<T> {
    members: Vec<T>,
}

impl<T> Set<T> {
    /// An empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self { members: Vec::new() }
    }

    /// The number of members.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no members.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The members, in their order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.members.iter()
    }

    /// The smallest member.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.members.first()
    }

    /// The largest member.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.members.last()
    }

    /// Removes the members for which the predicate is false.
    pub fn retain(&mut self, is_kept: impl FnMut(&T) -> bool) {
        self.members.retain(is_kept);
    }
}

impl<T: Ord> Set<T> {
    /// The place of a member, or the place where it would be.
    fn find<Q: Ord + ?Sized>(&self, member: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        let (mut low, mut high) = (0, self.members.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.members[middle].borrow().cmp(member) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// Whether this is a member.
    #[must_use]
    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.find(member).is_ok()
    }

    /// Adds a member; false if it was one before.
    pub fn insert(&mut self, member: T) -> bool {
        match self.find(&member) {
            Ok(_) => false,
            Err(place) => {
                self.members.insert(place, member);
                true
            }
        }
    }

    /// Removes a member; false if it was none.
    pub fn remove<Q: Ord + ?Sized>(&mut self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        match self.find(member) {
            Ok(place) => {
                self.members.remove(place);
                true
            }
            Err(_) => false,
        }
    }

    /// Whether all members are members of the other set.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|member| other.contains(member))
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<T: Ord> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        for member in members {
            self.insert(member);
        }
    }
}

impl<'a, T: Ord + Copy> Extend<&'a T> for Set<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, members: I) {
        self.extend(members.into_iter().copied());
    }
}

impl<T: Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Self::new();
        set.extend(members);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for Set<T> {
    fn from(members: [T; N]) -> Self {
        members.into_iter().collect()
    }
}

impl<T> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::{BTreeMap, BTreeSet};
    use alloc::format;
    use alloc::vec::Vec;

    use super::{Map, Set};
    use cain_isa::random::SplitMix64;

    /// Random operations have the same effect as on a tree.
    #[test]
    fn they_are_like_trees() {
        let mut random = SplitMix64::new(1);
        let mut below = |most: u64| u32::try_from(random.next_number() % most).unwrap();
        let (mut map, mut tree) = (Map::new(), BTreeMap::new());
        let (mut set, mut members) = (Set::new(), BTreeSet::new());
        for value in 0..2000_u32 {
            let key = below(40);
            match below(4) {
                0 => assert_eq!((map.remove(&key), set.remove(&key)), (tree.remove(&key), members.remove(&key))),
                1 => assert_eq!(map.get_or_insert_with(key, || value), tree.entry(key).or_insert(value)),
                _ => assert_eq!(
                    (map.insert(key, value), set.insert(key)),
                    (tree.insert(key, value), members.insert(key))
                ),
            }
            assert_eq!((map.get(&key), set.contains(&key)), (tree.get(&key), members.contains(&key)));
            assert!(map.iter().eq(&tree) && map.keys().eq(tree.keys()) && map.values().eq(tree.values()));
            assert!(set.iter().eq(&members) && set.last() == members.last());
            assert_eq!((map.len(), set.len()), (tree.len(), members.len()));
        }
        assert_eq!(format!("{map:?} {set:?}"), format!("{tree:?} {members:?}"));
        map.retain(|key, _| key % 3 == 0);
        tree.retain(|key, _| key % 3 == 0);
        assert_eq!(map.into_iter().collect::<Vec<_>>(), tree.into_iter().collect::<Vec<_>>());
    }
}
