//! The answer to a request.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, HeaderValue,
    IF_NONE_MATCH, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode};
use komadai_report::LivePage;

use crate::access::{Access, Permission};
use crate::document::{SCRIPT, document, to_json};
use crate::page_handle::PageHandle;

/// The policy of the page: its own style sheet and script, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The header of a wish.
const WISH: &str = "x-wish";

const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// Returns the answer to a request. Its body does not matter.
pub(crate) fn respond<B>(
    request: &Request<B>,
    access: &Access,
    page: &PageHandle,
) -> Response<Full<Bytes>> {
    let mut response = route(request, access, page);
    let headers = response.headers_mut();
    let fixed = |text: &'static str| HeaderValue::from_static(text);
    headers.insert(CACHE_CONTROL, fixed("no-store"));
    headers.insert(CONTENT_SECURITY_POLICY, fixed(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers.insert(REFERRER_POLICY, fixed("no-referrer"));
    response
}

fn route<B>(request: &Request<B>, access: &Access, page: &PageHandle) -> Response<Full<Bytes>> {
    let (method, path) = (request.method(), request.uri().path());
    if *method == Method::GET
        && path == "/"
        && let Some(token) = query_token(request)
    {
        return enter(token, access);
    }
    let permission = access.permission(request.headers());
    if permission < Permission::Read {
        let text =
            "not permitted: open the address with its token, as the program has printed it\n";
        return plain(StatusCode::FORBIDDEN, text);
    }
    let may_act = permission == Permission::Act;
    match (method, path) {
        (&Method::GET, "/") => {
            let body = document(page, may_act);
            answer(StatusCode::OK, HTML, body)
        }
        (&Method::GET, "/content") => content(request, page),
        (&Method::GET, "/state.json") => {
            let body = to_json(&page.snapshot(), page.is_paused()).to_string();
            answer(StatusCode::OK, "application/json", body + "\n")
        }
        (&Method::GET, "/style.css") => answer(StatusCode::OK, "text/css", LivePage::style()),
        (&Method::GET, "/script.js") => {
            answer(StatusCode::OK, "text/javascript; charset=utf-8", SCRIPT.to_owned())
        }
        (&Method::POST, "/pause" | "/resume") if may_act && is_of_own_origin(request) => {
            page.set_paused(path == "/pause");
            plain(StatusCode::OK, "done\n")
        }
        (&Method::POST, "/wish") if may_act && is_of_own_origin(request) => {
            let wish = request.headers().get(WISH).map_or(Ok(""), HeaderValue::to_str);
            if wish.is_ok_and(|wish| page.wish(wish)) {
                plain(StatusCode::OK, "noted\n")
            } else {
                plain(StatusCode::BAD_REQUEST, "expected a line, and a program that takes wishes\n")
            }
        }
        (&Method::POST, "/pause" | "/resume" | "/wish") => {
            plain(StatusCode::FORBIDDEN, "this needs the token\n")
        }
        (&Method::GET | &Method::POST, _) => {
            plain(StatusCode::NOT_FOUND, "there is no such page\n")
        }
        _ => plain(StatusCode::METHOD_NOT_ALLOWED, "expected GET or POST\n"),
    }
}

/// Returns the value of `token` in the query.
fn query_token<B>(request: &Request<B>) -> Option<&str> {
    let pairs = request.uri().query()?.split('&');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .find_map(|(name, value)| (name == "token").then_some(value))
}

/// Gives the browser the token as a cookie, and takes it out of the address.
fn enter(token: &str, access: &Access) -> Response<Full<Bytes>> {
    if !access.is_token(token) {
        return plain(StatusCode::FORBIDDEN, "the token is wrong\n");
    }
    let mut response = plain(StatusCode::SEE_OTHER, "");
    let cookie = format!("{}={token}; HttpOnly; SameSite=Strict; Path=/", access.cookie);
    if let Ok(cookie) = cookie.parse() {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    response
}

/// The content of the page, unless the reader has it.
fn content<B>(request: &Request<B>, page: &PageHandle) -> Response<Full<Bytes>> {
    let tag = format!("\"{}\"", page.version());
    let known = request.headers().get(IF_NONE_MATCH);
    let mut response = if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        plain(StatusCode::NOT_MODIFIED, "")
    } else {
        answer(StatusCode::OK, HTML, page.snapshot().to_string())
    };
    if let Ok(tag) = tag.parse() {
        response.headers_mut().insert(ETAG, tag);
    }
    let paused = HeaderValue::from_static(if page.is_paused() { "1" } else { "0" });
    response.headers_mut().insert(HeaderName::from_static("x-paused"), paused);
    response
}

/// Returns whether a request comes from the page itself, or from a program that is no browser.
fn is_of_own_origin<B>(request: &Request<B>) -> bool {
    let Some(origin) = request.headers().get(ORIGIN) else { return true };
    let host = request.headers().get(hyper::header::HOST);
    let (origin, host) = (origin.to_str().ok(), host.and_then(|host| host.to_str().ok()));
    let host_of_origin = origin.and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    host.is_some() && host_of_origin == host
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    answer(status, TEXT, text.to_owned())
}

fn answer(status: StatusCode, kind: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
