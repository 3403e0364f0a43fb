//! Encrypted connections to a server with a certificate.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use komadai_farm::{FarmQueue, FarmUrl, Schema};

use crate::cluster::{Cluster, Options};

/// Makes a certificate for a name that nobody has signed, with its key.
fn make_certificate(folder: &Path, file: &str, name: &str) -> PathBuf {
    let path = |ending: &str| folder.join(format!("{file}.{ending}"));
    let output = Command::new("openssl")
        .args(["req", "-new", "-x509", "-days", "2", "-nodes", "-newkey", "ec"])
        .args(["-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", &format!("/CN={name}")])
        .args(["-addext", &format!("subjectAltName=DNS:{name}")])
        .args(["-addext", "basicConstraints=critical,CA:false"])
        .arg("-keyout")
        .arg(path("key"))
        .arg("-out")
        .arg(path("crt"))
        .output()
        .expect("openssl starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    path("crt")
}

/// A server with a certificate for a name, the certificate, and the port at which it listens.
fn server(name: &str) -> Option<(Cluster, PathBuf, u16)> {
    if Command::new("openssl").arg("version").output().is_err() {
        println!("skipped: no openssl");
        return None;
    }
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = free.expect("a free port").port();
    let mut path = PathBuf::new();
    let cluster = Cluster::start_with(Options::Shared, |folder| {
        let certificate = make_certificate(folder, "server", name);
        path.clone_from(&certificate);
        vec![
            "listen_addresses=127.0.0.1".to_owned(),
            format!("port={port}"),
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", certificate.display()),
            format!("ssl_key_file={}", certificate.with_extension("key").display()),
        ]
    })?;
    Some((cluster, path, port))
}

fn url(text: &str) -> FarmUrl {
    text.parse().expect("an address")
}

#[test]
fn connections_are_encrypted_and_certificates_checked() {
    let Some((cluster, authority, port)) = server("localhost") else { return };
    let network = format!("postgres://root@localhost:{port}/postgres");
    let encrypted = url(&format!("{network}?sslrootcert={}", authority.display()));
    Schema::of(&encrypted).init().expect("a schema");
    let queue = FarmQueue::open(&encrypted, "test-host").expect("the certificate is good");
    queue.status().expect("a state");
    let sql = "select count(*) from pg_stat_ssl join pg_stat_activity using (pid)
               where ssl and application_name like 'komadai-farm %'";
    let count: i64 = cluster.admin().query_one(sql, &[]).expect("a view").get(0);
    assert_eq!(count, 1);
    drop(queue);
    // A connection to this machine may go without.
    FarmQueue::open(&url(&network), "test-host").expect("it is allowed").status().expect("a state");

    // A certificate of somebody else, a file without one, no file.
    let folder = tempfile::tempdir().expect("a folder");
    let other = make_certificate(folder.path(), "other", "localhost");
    let empty = folder.path().join("empty.crt");
    std::fs::write(&empty, "").expect("a file");
    for (file, reason) in [
        (other, "invalid peer certificate"),
        (empty, "found none"),
        ("none.crt".into(), "none.crt"),
    ] {
        let text = format!("{network}?sslrootcert={}", file.display());
        let error = FarmQueue::open(&url(&text), "test-host").expect_err(reason);
        assert!(!error.is_temporary() && error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn a_certificate_for_another_name_is_refused() {
    let Some((_cluster, authority, port)) = server("db.example") else { return };
    let text =
        format!("postgres://root@localhost:{port}/postgres?sslrootcert={}", authority.display());
    let error = Schema::of(&url(&text)).init().expect_err("another name");
    assert!(!error.is_temporary() && error.to_string().contains("not valid for name"), "{error}");
}
