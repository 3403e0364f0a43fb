//! Records as rows of bytes, the shape in which numpy arrays of them come.

use komadai::core::Position;
use komadai::data::records::{Hcpe, PackedSfenValue, TrainingRecord};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::board::one_of;
use crate::errors;

/// A layout of records of fixed length.
#[derive(Clone, Copy, PartialEq)]
pub enum Layout {
    /// YaneuraOu's 40 bytes.
    Psv,
    /// Apery's 38 bytes.
    Hcpe,
}

impl Layout {
    /// The names.
    pub const NAMES: [(&'static str, Self); 2] = [("psv", Self::Psv), ("hcpe", Self::Hcpe)];

    /// Reads a name.
    pub fn read(name: &str) -> PyResult<Self> {
        one_of("layout", name, &Self::NAMES)
    }

    /// The length of a record.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Psv => PackedSfenValue::BYTES,
            Self::Hcpe => Hcpe::BYTES,
        }
    }

    /// The position of a record.
    pub fn position(self, bytes: &[u8]) -> Result<Position, String> {
        match self {
            Self::Psv => PackedSfenValue::from_slice(bytes)
                .and_then(|record| record.unpack())
                .map_err(|fault| fault.to_string()),
            Self::Hcpe => Hcpe::from_slice(bytes)
                .and_then(|record| record.unpack())
                .map_err(|fault| fault.to_string()),
        }
    }
}

/// Records of one layout.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    bytes: &'a [u8],
    layout: Layout,
}

impl<'a> Rows<'a> {
    /// The records of a contiguous array of shape (n, length).
    pub fn of(array: &'a PyReadonlyArray2<'_, u8>, layout: Layout) -> PyResult<Self> {
        let (shape, length) = (array.shape(), layout.bytes());
        if shape[1] != length {
            return Err(errors::data(format!(
                "found an array of shape ({}, {}), expected (n, {length})",
                shape[0], shape[1]
            )));
        }
        let bytes = array
            .as_slice()
            .map_err(|_| errors::data("found an array with gaps, expected a contiguous one"))?;
        Ok(Self { bytes, layout })
    }

    /// The bytes of each record.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.chunks_exact(self.layout.bytes())
    }

    /// The position of a record; an error names the record.
    pub fn position(self, index: usize) -> PyResult<Position> {
        let length = self.layout.bytes();
        let bytes = &self.bytes[index * length..][..length];
        let fault = |fault| errors::data(format!("record {index}: {fault}"));
        self.layout.position(bytes).map_err(fault)
    }

    /// The number of records.
    pub fn len(self) -> usize {
        self.bytes.len() / self.layout.bytes()
    }

    /// Calls `work` with each position, on threads that have neighbouring records each and a `T` for
    /// their results; returns these in the order of the records. 0 threads take all cores.
    pub fn map<T: Default + Send>(
        self,
        threads: usize,
        work: impl Fn(&Position, &mut T) + Sync,
    ) -> PyResult<Vec<T>> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(256),
        };
        let share = self.len().div_ceil(threads).max(1);
        let part = |first: usize| {
            let mut result = T::default();
            for index in first..(first + share).min(self.len()) {
                work(&self.position(index)?, &mut result);
            }
            Ok(result)
        };
        if share >= self.len() {
            return Ok(vec![part(0)?]);
        }
        std::thread::scope(|scope| {
            let part = &part;
            let starts = (0..self.len()).step_by(share);
            let running: Vec<_> = starts.map(|first| scope.spawn(move || part(first))).collect();
            let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|_| Err(errors::data("a thread failed")))
            };
            running.into_iter().map(join).collect()
        })
    }
}

/// Lists of numbers of each position, one after another.
pub struct Lists<T> {
    /// The numbers of all positions.
    pub items: Vec<T>,
    /// The place at which the numbers of each position begin, and the end of all.
    pub offsets: Vec<i64>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), offsets: vec![0] }
    }
}

impl<T> Lists<T> {
    /// Adds the list of the next position.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.offsets.push(self.items.len() as i64);
    }

    /// Adds the lists of the positions after these.
    pub fn append(&mut self, mut other: Self) {
        let before = self.items.len() as i64;
        self.items.append(&mut other.items);
        self.offsets.extend(other.offsets[1..].iter().map(|offset| before + offset));
    }
}
