//! Disjoint sets (union-find).

/// Disjoint sets of numbers from 0, merged by [`union`](Self::union).
///
/// Finding a set halves the path to its root (R. E. Tarjan and J. van Leeuwen, *Worst-case analysis of set
/// union algorithms*, J. ACM 31, 1984). The smaller number becomes the root, which keeps the result
/// independent of the order of calls.
#[derive(Debug)]
pub(crate) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// Creates one set for each number below `len`.
    pub(crate) fn new(len: usize) -> Self {
        Self { parent: (0..len as u32).collect() }
    }

    /// The root of the set of a number.
    pub(crate) fn find(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let grandparent = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = grandparent;
            member = grandparent;
        }
        member
    }

    /// Merges the sets of two numbers.
    pub(crate) fn union(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }
}
