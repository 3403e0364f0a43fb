//! The exceptions. Each has the text of the library's error.

use std::fmt::Display;

use komadai::usi::{ClientError, ClientFault};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(komadai, KomadaiError, PyException, "Base of all exceptions of this package.");
create_exception!(komadai, SfenError, KomadaiError, "A text is no position, move or square.");
create_exception!(
    komadai,
    IllegalMoveError,
    KomadaiError,
    "A move breaks a rule; the text names it."
);
create_exception!(
    komadai,
    KifuError,
    KomadaiError,
    "A record cannot be read, replayed or written."
);
create_exception!(komadai, BookError, KomadaiError, "A book cannot be read or changed.");
create_exception!(komadai, EngineError, KomadaiError, "An engine cannot be made, set or asked.");
create_exception!(
    komadai,
    EngineTerminatedError,
    EngineError,
    "An engine process cannot be started or has ended."
);
create_exception!(
    komadai,
    EngineTimeoutError,
    EngineError,
    "An engine process did not answer in time; it has been killed."
);
create_exception!(
    komadai,
    EngineProtocolError,
    EngineError,
    "An engine process answered something that USI or the rules do not allow."
);
create_exception!(komadai, MatchError, KomadaiError, "A match cannot be played.");
create_exception!(komadai, MateError, KomadaiError, "A position cannot be searched for a mate.");
create_exception!(komadai, NetworkError, KomadaiError, "A network cannot be read.");
create_exception!(
    komadai,
    DataError,
    KomadaiError,
    "Training data are damaged or of another shape."
);
create_exception!(
    komadai,
    TrainingError,
    KomadaiError,
    "A training cannot be begun, continued or exported."
);

/// Adds the exceptions to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for (name, class) in [
        ("KomadaiError", py.get_type::<KomadaiError>()),
        ("SfenError", py.get_type::<SfenError>()),
        ("IllegalMoveError", py.get_type::<IllegalMoveError>()),
        ("KifuError", py.get_type::<KifuError>()),
        ("BookError", py.get_type::<BookError>()),
        ("EngineError", py.get_type::<EngineError>()),
        ("EngineTerminatedError", py.get_type::<EngineTerminatedError>()),
        ("EngineTimeoutError", py.get_type::<EngineTimeoutError>()),
        ("EngineProtocolError", py.get_type::<EngineProtocolError>()),
        ("MatchError", py.get_type::<MatchError>()),
        ("MateError", py.get_type::<MateError>()),
        ("NetworkError", py.get_type::<NetworkError>()),
        ("DataError", py.get_type::<DataError>()),
        ("TrainingError", py.get_type::<TrainingError>()),
    ] {
        module.add(name, class)?;
    }
    Ok(())
}

/// The exception of a fault of an engine process.
pub fn client(error: &ClientError) -> PyErr {
    let text = error.to_string();
    match error.fault() {
        ClientFault::Launch { .. } | ClientFault::Died { .. } => {
            EngineTerminatedError::new_err(text)
        }
        ClientFault::Silent { .. } | ClientFault::Deaf => EngineTimeoutError::new_err(text),
        ClientFault::Option(_) | ClientFault::Position(_) => EngineError::new_err(text),
        _ => EngineProtocolError::new_err(text),
    }
}

macro_rules! makers {
    ($($name:ident: $class:ident;)*) => {$(
        /// The exception with the text of this error.
        pub fn $name(error: impl Display) -> PyErr {
            $class::new_err(error.to_string())
        }
    )*};
}

makers! {
    sfen: SfenError;
    illegal: IllegalMoveError;
    kifu: KifuError;
    book: BookError;
    engine: EngineError;
    matches: MatchError;
    mate: MateError;
    network: NetworkError;
    data: DataError;
    training: TrainingError;
    value: PyValueError;
}
