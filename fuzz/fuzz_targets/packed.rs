//! An unpacked position is packed and unpacked as the same position, in both formats.

#![no_main]

use komadai_core::{Hcp, PackedError, PackedSfen, PieceKind, Position, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: [u8; 32]| {
    let packed = PackedSfen::from_bytes(bytes);
    if let Ok(setup) = packed.to_setup() {
        check(&setup);
        assert_eq!(packed.position().ok(), Position::from_setup(&setup).ok());
    }
    let packed = Hcp::from_bytes(bytes);
    if let Ok(setup) = packed.to_setup() {
        check(&setup);
        assert_eq!(packed.position().ok(), Position::from_setup(&setup).ok());
    }
});

fn check(setup: &Setup) {
    for kind in PieceKind::HAND {
        assert!(setup.count(kind) <= PieceKind::TOTALS[kind.index()], "{kind:?}");
    }
    match PackedSfen::from_setup(setup) {
        Ok(packed) => assert_eq!(packed.to_setup().as_ref(), Ok(setup)),
        Err(error) => assert_eq!(error, PackedError::LastBitLost),
    }
    match Hcp::from_setup(setup) {
        Ok(packed) => assert_eq!(packed.to_setup().as_ref(), Ok(setup)),
        Err(error) => assert_eq!(error, PackedError::LastBitLost),
    }
    if let Ok(position) = Position::from_setup(setup) {
        assert_eq!(position.to_setup(), *setup);
        let turned = setup.flipped();
        assert_eq!(PackedSfen::of(&position), PackedSfen::from_setup(setup));
        assert_eq!(PackedSfen::of_flipped(&position), PackedSfen::from_setup(&turned));
        assert_eq!(Hcp::of(&position), Hcp::from_setup(setup));
        assert_eq!(Hcp::of_flipped(&position), Hcp::from_setup(&turned));
    }
}
