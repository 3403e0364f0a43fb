//! Pointers from C: all that is unsafe in this crate.

use std::ffi::{CStr, CString, c_char};
use std::slice;

use crate::status::{Fault, Status};

fn null(what: &str) -> Fault {
    Fault::new(Status::Null, format!("{what} is null"))
}

/// The value behind a pointer.
///
/// # Safety
///
/// It is null or valid for reading during the call, and no one writes there meanwhile.
pub unsafe fn shared<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Fault> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(what))
}

/// The value behind a pointer, to be changed.
///
/// # Safety
///
/// It is null or valid for reading and writing during the call, and no one else uses it meanwhile.
pub unsafe fn exclusive<'a, T>(pointer: *mut T, what: &str) -> Result<&'a mut T, Fault> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(what))
}

/// Writes a result.
///
/// # Safety
///
/// The pointer is null or valid for writing.
pub unsafe fn give<T>(out: *mut T, value: T) -> Result<(), Fault> {
    if out.is_null() {
        return Err(null("the place of the result"));
    }
    // SAFETY: the caller's promise. The place may be uninitialised, so that nothing is dropped.
    unsafe { out.write(value) };
    Ok(())
}

/// Writes a result that `komadai_…_free` frees.
///
/// # Safety
///
/// The pointer is null or valid for writing.
pub unsafe fn give_box<T>(out: *mut *mut T, value: T) -> Result<(), Fault> {
    if out.is_null() {
        return Err(null("the place of the result"));
    }
    // SAFETY: the caller's promise.
    unsafe { give(out, Box::into_raw(Box::new(value))) }
}

/// Frees what `give_box` has given.
///
/// # Safety
///
/// The pointer is null or from `give_box`, and no one uses it any more.
pub unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(pointer) });
    }
}

/// Writes a text that `komadai_string_free` frees.
///
/// # Safety
///
/// The pointer is null or valid for writing.
pub unsafe fn give_text(out: *mut *mut c_char, text: String) -> Result<(), Fault> {
    if out.is_null() {
        return Err(null("the place of the text"));
    }
    let text = CString::new(text).map_err(Fault::of(Status::Failed))?;
    // SAFETY: the caller's promise.
    unsafe { give(out, text.into_raw()) }
}

/// A text of the caller.
///
/// # Safety
///
/// The pointer is null or that of a text that ends with NUL and does not change during the call.
pub unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, Fault> {
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|error| Fault::new(Status::BadText, format!("{what}: {error}")))
}

/// An array of the caller.
///
/// # Safety
///
/// The pointer is null or valid for `count` values, which do not change during the call.
pub unsafe fn array<'a, T>(pointer: *const T, count: usize, what: &str) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// Writes the first values into an array of the caller, as many as it can hold.
///
/// # Safety
///
/// The pointer is valid for writing `capacity` values, or null.
pub unsafe fn fill<T: Copy>(pointer: *mut T, capacity: usize, values: impl IntoIterator<Item = T>) {
    if pointer.is_null() {
        return;
    }
    for (index, value) in values.into_iter().take(capacity).enumerate() {
        // SAFETY: the caller's promise; the index is below the capacity.
        unsafe { pointer.add(index).write(value) };
    }
}

/// Frees a text that a function of this interface has given. Null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller's promise; `give_text` made it.
        drop(unsafe { CString::from_raw(text) });
    }
}
