//! The server as browsers and others meet it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use komadai_live::{LiveError, LiveServer, ServerOptions};
use komadai_report::LiveTable;

const TOKEN: &str = "token-for.tests_1";

fn server(address: &str) -> LiveServer {
    let address = address.parse().expect("an address");
    let options = ServerOptions { address, token: Some(TOKEN.to_owned()) };
    let server = LiveServer::start(&options).expect("a free port");
    server.page().update(|page| {
        page.title = "A <b> vs B".to_owned();
        page.status = "running".to_owned();
        let title = "Last games".to_owned();
        page.tables.push(LiveTable { title, ..LiveTable::default() });
    });
    server
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
    stream
}

/// Sends bytes and returns all that the server answers until it closes the connection.
fn exchange(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = connect(address);
    // The server may close before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Sends a request with these further header lines.
fn request(server: &LiveServer, line: &str, headers: &[&str]) -> String {
    let mut text =
        format!("{line} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", server.address());
    headers.iter().for_each(|header| text += &format!("{header}\r\n"));
    exchange(server.address(), (text + "\r\n").as_bytes())
}

fn is_paused(server: &LiveServer) -> bool {
    server.page().snapshot().status == "paused"
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or("none")
}

#[test]
fn the_page_is_complete_without_scripts_and_follows_changes() {
    let server = server("127.0.0.1:0");
    let page = request(&server, "GET /", &[]);
    assert_eq!(status(&page), "200");
    for part in ["A &lt;b&gt; vs B", "running", "Last games", "http-equiv=\"refresh\""] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("<b> vs") && !page.contains("Pause"));
    // Nothing comes from elsewhere.
    assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
    assert!(page.contains("default-src 'none'"));
    let content = request(&server, "GET /content", &[]);
    let tag = content.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
    let known = format!("If-None-Match: {tag}");
    assert!(["304", "200"].contains(&status(&request(&server, "GET /content", &[&known]))));
    server.page().update(|page| page.status = "nearly done".to_owned());
    let next = request(&server, "GET /content", &[&known]);
    assert!(status(&next) == "200" && next.contains("nearly done"));
    let json = request(&server, "GET /state.json", &[]);
    assert!(json.contains("\"title\":\"A <b> vs B\"") && json.contains("\"is_paused\":false"));
    for path in ["/style.css", "/script.js"] {
        assert_eq!(status(&request(&server, &format!("GET {path}"), &[])), "200");
    }
    assert_eq!(status(&request(&server, "GET /../etc/passwd", &[])), "404");
    assert_eq!(status(&request(&server, "DELETE /", &[])), "405");
}

#[test]
fn pausing_needs_the_token_and_the_page_itself() {
    let server = server("127.0.0.1:0");
    let bearer = format!("Authorization: Bearer {TOKEN}");
    let own = format!("Origin: http://{}", server.address());
    for (headers, expected) in [
        (vec![], "403"),
        (vec!["Authorization: Bearer token-for.tests_2"], "403"),
        (vec![bearer.as_str(), "Origin: http://evil.example"], "403"),
        (vec![bearer.as_str(), "Origin: null"], "403"),
        (vec![bearer.as_str(), own.as_str()], "200"),
        (vec![bearer.as_str()], "200"),
    ] {
        assert_eq!(status(&request(&server, "POST /pause", &headers)), expected, "{headers:?}");
        assert_eq!(is_paused(&server), expected == "200");
    }
    assert_eq!(status(&request(&server, "GET /resume", &[&bearer])), "404");
    assert!(is_paused(&server));
    // A program that waits goes on after the request, or when it is to stop.
    let (page, stop) = (server.page(), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&stop);
    let waits = thread::spawn(move || page.wait_while_paused(&flag));
    assert!(!waits.is_finished());
    assert_eq!(status(&request(&server, "POST /resume", &[&bearer])), "200");
    waits.join().expect("it has gone on");
    assert_eq!(status(&request(&server, "POST /pause", &[&bearer])), "200");
    stop.store(true, Ordering::Relaxed);
    server.page().wait_while_paused(&stop);
}

#[test]
fn a_browser_gets_the_token_as_a_cookie() {
    let server = server("127.0.0.1:0");
    let url = server.url();
    let query = url.split_once('/').and_then(|(_, rest)| rest.rsplit_once('/')).expect("a path").1;
    let answer = request(&server, &format!("GET /{query}"), &[]);
    assert!(status(&answer) == "303" && answer.contains("location: /\r\n"), "{answer}");
    let cookie =
        answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let cookie = format!("Cookie: {}", cookie.split(';').next().unwrap_or_default());
    let page = request(&server, "GET /", &[&cookie]);
    assert!(page.contains("data-action=\"pause\""));
    assert_eq!(status(&request(&server, "POST /pause", &[&cookie])), "200");
    assert!(request(&server, "GET /", &[&cookie]).contains("data-action=\"resume\""));
    assert_eq!(status(&request(&server, "GET /?token=wrong", &[])), "403");
}

#[test]
fn elsewhere_nothing_is_read_without_the_token() {
    let server = server("0.0.0.0:0");
    let address = SocketAddr::from(([127, 0, 0, 1], server.address().port()));
    let get = |path: &str, header: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: machine.example\r\nConnection: close\r\n");
        exchange(address, format!("{head}{header}\r\n").as_bytes())
    };
    for path in ["/", "/content", "/state.json", "/style.css", "/nothing", "/?token=wrong"] {
        let answer = get(path, "");
        assert!(status(&answer) == "403" && !answer.contains("vs B"), "{path}: {answer}");
    }
    let bearer = format!("Authorization: Bearer {TOKEN}\r\n");
    assert!(get("/", &bearer).contains("vs B"));
}

#[test]
fn requests_that_are_none_harm_nobody() {
    let server = server("127.0.0.1:0");
    let long = "x".repeat(100_000);
    for bytes in [
        b"\r\n\r\n".to_vec(),
        vec![0; 5_000],
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        format!("GET /{long} HTTP/1.1\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nHost: {long}\r\n\r\n").into_bytes(),
        b"POST /pause HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n"
            .to_vec(),
        b"POST /pause HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
            .to_vec(),
    ] {
        let mut stream = connect(server.address());
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    // Sixty connections that say nothing leave some for others.
    let idle: Vec<TcpStream> = (0..60).map(|_| connect(server.address())).collect();
    assert_eq!(status(&request(&server, "GET /", &[])), "200");
    drop(idle);
    assert!(!is_paused(&server));
}

#[test]
fn a_server_ends_when_it_is_dropped_and_names_what_it_cannot_do() {
    let server = server("127.0.0.1:0");
    let address = server.address();
    let taken = LiveServer::start(&ServerOptions::new(address));
    assert!(matches!(taken, Err(LiveError::Listen { address: at, .. }) if at == address));
    for token in ["short", "with blank in it", "with;semicolon", "ｔｏｋｅｎ-wide"] {
        let token = Some(token.to_owned());
        let refused = LiveServer::start(&ServerOptions { token, ..ServerOptions::new(address) });
        assert!(matches!(refused, Err(LiveError::Token)), "{refused:?}");
    }
    let open = connect(address);
    let page = server.page();
    drop(server);
    drop(open);
    page.update(|page| page.status = "over".to_owned());
    let again = LiveServer::start(&ServerOptions::new(address)).expect("the port is free again");
    assert!(again.url().len() > address.to_string().len() + 32, "a random token");
}

/// Runs Chromium on a page for some seconds, and returns its document.
fn browse(url: &str) -> String {
    let names = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    for name in std::env::var("CHROMIUM").into_iter().chain(names) {
        let output = Command::new(&name)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=6000"])
            .args(["--dump-dom", url])
            .output();
        if let Ok(output) = output {
            return String::from_utf8_lossy(&output.stdout).into_owned();
        }
    }
    panic!("no Chromium was found: install it, or set CHROMIUM to its path");
}

#[test]
#[ignore = "needs Chromium"]
fn a_browser_follows_the_page_with_its_own_script_only() {
    let server = server("127.0.0.1:0");
    let (page, stop) = (server.page(), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&stop);
    let counts = thread::spawn(move || {
        let mut count = 0;
        while !flag.load(Ordering::Relaxed) {
            count += 1;
            // A script in a text is a text.
            page.update(|page| {
                page.title = format!("count {count}");
                page.notes = vec!["<script>document.title = 'no'</script>".to_owned()];
            });
            thread::sleep(Duration::from_millis(20));
        }
    });
    let document = browse(&server.url());
    stop.store(true, Ordering::Relaxed);
    counts.join().expect("it only counts");
    let number = |from: &str| -> u64 {
        let rest = document.split_once(from).map_or("", |(_, rest)| rest);
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or_else(|_| panic!("{from} in {document}"))
    };
    // The title is that of the moment at which the page was loaded.
    assert!(number("<h1>count ") > number("<title>count "), "{document}");
    assert!(document.contains("&lt;script&gt;document.title") && document.contains(">Pause<"));
    assert!(document.contains("Last games") && !document.contains("no connection"));
}

#[test]
fn wishes_need_the_token_and_a_program_that_takes_them() {
    let server = server("127.0.0.1:0");
    let token = format!("Authorization: Bearer {TOKEN}");
    let wish = |headers: &[&str]| status(&request(&server, "POST /wish", headers)).to_owned();
    let line = "X-Wish: startpos moves 7g7f";
    assert_eq!(wish(&[&token, line]), "400");
    assert!(!request(&server, "GET /", &[&token]).contains("id=\"wish\""));
    server.page().accept_wishes();
    assert!(request(&server, "GET /", &[&token]).contains("id=\"wish\""));
    assert!(!request(&server, "GET /", &[]).contains("id=\"wish\""));
    assert_eq!(wish(&[line]), "403");
    assert_eq!(wish(&[&token, line, "Origin: http://elsewhere.example"]), "403");
    assert_eq!(wish(&[&token, "X-Wish: \u{ff17}"]), "400");
    assert_eq!(wish(&[&token, &format!("X-Wish: {}", "a".repeat(5_000))]), "400");
    assert_eq!((wish(&[&token, line]), wish(&[&token])), ("200".to_owned(), "200".to_owned()));
    assert_eq!(server.page().take_wishes(), ["startpos moves 7g7f", ""]);
    for _ in 0..16 {
        assert_eq!(wish(&[&token, line]), "200");
    }
    assert_eq!(wish(&[&token, line]), "400");
    assert_eq!(server.page().take_wishes().len(), 16);
}
