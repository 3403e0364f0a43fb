//! Permission to read and to act.

use std::net::IpAddr;

use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, COOKIE, HOST};

/// The rules by which a server answers.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    /// The secret that permits everything.
    pub(crate) token: String,
    /// True if only this machine can reach the server.
    pub(crate) is_loopback: bool,
    /// The name of the cookie with the token. It contains the port, because cookies do not
    /// distinguish ports.
    pub(crate) cookie: String,
}

/// The permission of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Permission {
    /// Nothing.
    Nothing,
    /// See the page.
    Read,
    /// Change what is done as well.
    Act,
}

impl Access {
    /// Returns what a request with these headers may do.
    pub(crate) fn permission(&self, headers: &HeaderMap) -> Permission {
        if self.is_loopback && !names_this_machine(headers) {
            return Permission::Nothing;
        }
        let bearer =
            text(headers, AUTHORIZATION.as_str()).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = text(headers, COOKIE.as_str()).unwrap_or_default().split(';');
        let cookie = cookies
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find_map(|(name, value)| (name == self.cookie).then_some(value));
        if [bearer, cookie].into_iter().flatten().any(|token| self.is_token(token)) {
            Permission::Act
        } else if self.is_loopback {
            Permission::Read
        } else {
            Permission::Nothing
        }
    }

    /// Compares in a time that does not depend on the place of the first difference.
    pub(crate) fn is_token(&self, given: &str) -> bool {
        let (own, given) = (self.token.as_bytes(), given.as_bytes());
        let differences = own.iter().zip(given).fold(0, |sum, (a, b)| sum | (a ^ b));
        own.len() == given.len() && differences == 0
    }
}

/// Returns whether the host of a request is a name of the machine itself. A page of another site
/// can make a browser ask this server under that site's name (DNS rebinding).
fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = text(headers, HOST.as_str()) else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for &(name, value) in pairs {
            headers.append(name, value.parse().expect("a header"));
        }
        headers
    }

    fn access(is_loopback: bool) -> Access {
        Access { token: "secret".to_owned(), is_loopback, cookie: "komadai_80".to_owned() }
    }

    #[test]
    fn the_token_permits_everything() {
        for is_loopback in [false, true] {
            let permission = |pairs: &[_]| access(is_loopback).permission(&headers(pairs));
            let local = ("host", "127.0.0.1:80");
            assert_eq!(permission(&[local, ("authorization", "Bearer secret")]), Permission::Act);
            assert_eq!(permission(&[local, ("cookie", "a=b; komadai_80=secret")]), Permission::Act);
            let without = if is_loopback { Permission::Read } else { Permission::Nothing };
            for wrong in [
                ("authorization", "Bearer secre"),
                ("authorization", "Bearer secrets"),
                ("authorization", "secret"),
                ("cookie", "komadai_81=secret"),
                ("cookie", "komadai_80=Secret; x"),
                ("cookie", ";;=;"),
            ] {
                assert_eq!(permission(&[local, wrong]), without, "{wrong:?}");
            }
            assert_eq!(permission(&[local]), without);
        }
    }

    #[test]
    fn a_loopback_server_answers_under_its_own_names_only() {
        let permission = |host| access(true).permission(&headers(&[("host", host)]));
        for own in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.3.2.1", "[::1]:80", "[::1]"]
        {
            assert_eq!(permission(own), Permission::Read, "{own}");
        }
        for other in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1", ""] {
            assert_eq!(permission(other), Permission::Nothing, "{other}");
        }
        let with_token = headers(&[("host", "evil.example"), ("authorization", "Bearer secret")]);
        assert_eq!(access(true).permission(&with_token), Permission::Nothing);
        assert_eq!(access(true).permission(&headers(&[])), Permission::Nothing);
    }
}
