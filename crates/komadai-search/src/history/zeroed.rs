//! Boxed arrays of zeroed history numbers, built without a large array on the stack.

use super::gravity::Gravity;

/// Returns a table of zeros.
pub(super) fn zeroed<const MAX: i32, const N: usize>() -> Box<[Gravity<MAX>; N]> {
    filled(Gravity::default)
}

/// Returns a table of rows of zeros.
pub(super) fn zeroed_rows<const MAX: i32, const M: usize, const N: usize>()
-> Box<[[Gravity<MAX>; M]; N]> {
    filled(|| core::array::from_fn(|_| Gravity::default()))
}

fn filled<T, const N: usize>(entry: impl FnMut() -> T) -> Box<[T; N]> {
    let table: Box<[T]> = core::iter::repeat_with(entry).take(N).collect();
    match table.try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the length is N"),
    }
}
