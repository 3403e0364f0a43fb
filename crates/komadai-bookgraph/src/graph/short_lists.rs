//! Many short lists in one allocation.

/// A short list for each number from 0, all in one vector.
///
/// A vector of vectors would cost 24 bytes and an allocation a list; this costs 8 bytes. A list
/// that outgrows its room moves to the end. When half of the room is abandoned, all lists are
/// packed together. So a push takes constant time on average.
#[derive(Debug, Clone)]
pub(crate) struct ShortLists<T> {
    places: Vec<Place>,
    items: Vec<T>,
    /// The room of moved lists that is no longer used, in items.
    abandoned: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    start: u32,
    len: u16,
    room: u16,
}

const _: () = assert!(size_of::<Place>() == 8);

impl<T> Default for ShortLists<T> {
    fn default() -> Self {
        Self { places: Vec::new(), items: Vec::new(), abandoned: 0 }
    }
}

impl<T: Copy> ShortLists<T> {
    /// Creates empty lists, each with room for the given number of items.
    pub(crate) fn with_room(rooms: impl Iterator<Item = usize>, filler: T) -> Self {
        let mut start = 0;
        let place = |room: usize| {
            let place = Place { start, len: 0, room: room as u16 };
            start += room as u32;
            place
        };
        let places: Vec<Place> = rooms.map(place).collect();
        Self { places, items: vec![filler; start as usize], abandoned: 0 }
    }

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The number of items in all lists.
    pub(crate) fn items(&self) -> usize {
        self.places.iter().map(|place| usize::from(place.len)).sum()
    }

    /// A list.
    #[inline]
    pub(crate) fn get(&self, list: u32) -> &[T] {
        let Place { start, len, .. } = self.places[list as usize];
        &self.items[start as usize..start as usize + usize::from(len)]
    }

    /// A list with mutable items.
    #[inline]
    pub(crate) fn get_mut(&mut self, list: u32) -> &mut [T] {
        let Place { start, len, .. } = self.places[list as usize];
        &mut self.items[start as usize..start as usize + usize::from(len)]
    }

    /// Adds a list with these items behind the others.
    pub(crate) fn push_list(&mut self, items: impl ExactSizeIterator<Item = T>) {
        let len = items.len() as u16;
        self.places.push(Place { start: self.items.len() as u32, len, room: len });
        self.items.extend(items);
    }

    /// Adds an item to a list.
    pub(crate) fn push(&mut self, list: u32, item: T) {
        let Place { start, len, room } = self.places[list as usize];
        if len == room {
            self.move_to_end(list, item);
            return;
        }
        self.items[start as usize + usize::from(len)] = item;
        self.places[list as usize].len += 1;
    }

    /// Removes the items of a list that `is_wanted` rejects. Returns whether there were any.
    pub(crate) fn retain(&mut self, list: u32, mut is_wanted: impl FnMut(&T) -> bool) -> bool {
        let items = self.get_mut(list);
        let before = items.len();
        let mut kept = 0;
        for at in 0..before {
            if is_wanted(&items[at]) {
                items[kept] = items[at];
                kept += 1;
            }
        }
        self.places[list as usize].len = kept as u16;
        kept < before
    }

    /// Gives a full list twice the room, behind all others, and adds `item`.
    fn move_to_end(&mut self, list: u32, item: T) {
        let Place { start, len, room } = self.places[list as usize];
        let start = start as usize;
        // Doubling the room makes the cost of all moves of a list proportional to its length.
        let longer = (usize::from(room) * 2).clamp(2, usize::from(u16::MAX));
        assert!(usize::from(len) < longer, "no list has more than 65,535 items");
        let moved = self.items.len();
        self.items.extend_from_within(start..start + usize::from(len));
        // The spare room must be initialised; the value does not matter.
        self.items.resize(moved + longer, item);
        self.places[list as usize] =
            Place { start: moved as u32, len: len + 1, room: longer as u16 };
        self.abandoned += usize::from(room);
        if self.abandoned * 2 > self.items.len() {
            self.pack();
        }
    }

    /// Moves all lists together.
    fn pack(&mut self) {
        let mut items = Vec::with_capacity(self.items.len() - self.abandoned);
        for place in &mut self.places {
            let start = place.start as usize;
            place.start = items.len() as u32;
            items.extend_from_slice(&self.items[start..start + usize::from(place.room)]);
        }
        self.items = items;
        self.abandoned = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_are_vectors(steps in prop::collection::vec((0usize..6, 0u32..100, 0u8..8), 0..400)) {
            let mut lists = ShortLists::with_room([0, 2, 1].into_iter(), 0);
            let mut plain: Vec<Vec<u32>> = vec![Vec::new(); 3];
            for (list, item, what) in steps {
                let list = list % plain.len();
                match what {
                    0 if plain.len() < 6 => {
                        lists.push_list([item, item].into_iter());
                        plain.push(vec![item, item]);
                    }
                    1 => {
                        let removed = lists.retain(list as u32, |known| known % 3 != item % 3);
                        let before = plain[list].len();
                        plain[list].retain(|known| known % 3 != item % 3);
                        prop_assert_eq!(removed, plain[list].len() < before);
                    }
                    _ => {
                        lists.push(list as u32, item);
                        plain[list].push(item);
                    }
                }
                prop_assert_eq!(lists.len(), plain.len());
                prop_assert_eq!(lists.items(), plain.iter().map(Vec::len).sum::<usize>());
                for (number, items) in plain.iter().enumerate() {
                    prop_assert_eq!(lists.get(number as u32), items.as_slice());
                }
            }
        }
    }
}
