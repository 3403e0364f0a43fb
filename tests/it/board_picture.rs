//! The picture of the README.

use komadai_testdata::programs::example;

#[test]
fn it_is_the_output_of_its_example() {
    let output = example("board_svg").output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let drawn = String::from_utf8(output.stdout).expect("a picture is UTF-8");
    let is_current = drawn == include_str!("../../docs/board.svg");
    assert!(is_current, "draw it again: cargo run --example board_svg > docs/board.svg");
}
