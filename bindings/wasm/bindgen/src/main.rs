//! Makes the JavaScript side of a compiled module: `komadai-wasm-bindgen MODULE FOLDER`.
//!
//! It does what the command `wasm-bindgen --target web` does. As a program of this workspace its
//! version is that of the crate, which must be the same, and nothing has to be installed.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = &arguments[..] else {
        eprintln!("usage: komadai-wasm-bindgen MODULE FOLDER");
        return ExitCode::from(2);
    };
    let made = Bindgen::new()
        .input_path(module)
        .out_name("native")
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
