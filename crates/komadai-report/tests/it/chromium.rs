//! Chromium, which runs the scripts of pages.

use std::path::Path;
use std::process::Command;

/// Collects errors and messages of the console before the script of the page runs.
const CATCH: &str = "<script>window.faults = [];\n\
    window.addEventListener('error', (event) => faults.push(`error: ${event.message}`));\n\
    window.alert = (text) => faults.push(`alert: ${text}`);\n\
    console.error = console.warn = (...words) => faults.push(`console: ${words.join(' ')}`);\n\
    </script>";

/// Runs Chromium on a page, at an address within it (`#…`) or none, and returns the document after its scripts have run, and what was
/// logged.
pub(crate) fn run(page: &Path, address: &str) -> (String, String) {
    let names = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    for name in std::env::var("CHROMIUM").into_iter().chain(names) {
        let output = Command::new(&name)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"])
            .args(["--window-size=1200,1000", "--virtual-time-budget=20000", "--dump-dom"])
            // The check changes the address faster than people do, which the browser would slow down.
            .arg("--disable-ipc-flooding-protection")
            .arg(format!("file://{}{address}", page.display()))
            .output();
        if let Ok(output) = output {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            return (text(&output.stdout), text(&output.stderr));
        }
    }
    panic!("no Chromium was found: install it, or set CHROMIUM to its path");
}

/// The page with other scripts, and with errors collected before its own one runs. Its policy
/// forbids all scripts but that.
pub(crate) fn checked(page: &str, expected: &str, check: &str) -> String {
    let page = page.replacen("http-equiv=\"Content-Security-Policy\"", "name=\"policy\"", 1);
    let page = page.replacen("<title>", &format!("{CATCH}<title>"), 1);
    page.replace("</body>", &format!("{expected}<script>{check}</script></body>"))
}

/// The text that a check has written into the document.
pub(crate) fn outcome(document: &str) -> &str {
    let check = document.split("<pre id=\"check\">").nth(1).unwrap_or_default();
    check.split("</pre>").next().unwrap_or_default()
}
