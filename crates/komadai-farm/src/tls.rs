//! Encrypted connections with checked certificates.

use std::path::Path;
use std::sync::Arc;

use komadai_base::file::read_bounded;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The greatest length of a file with certificates: that of all public authorities has 250 kB.
const MAX_FILE: u64 = 4 * 1_024 * 1_024;

/// A connector that accepts servers whose certificate names them and leads to one in the file.
pub(crate) fn connector(root_certificates: &Path) -> Result<MakeRustlsConnect, String> {
    let in_file =
        |reason: String| format!("the certificates in {}: {reason}", root_certificates.display());
    let bytes =
        read_bounded(root_certificates, MAX_FILE).map_err(|error| in_file(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|error| in_file(error.to_string()))?;
        roots.add(certificate).map_err(|error| in_file(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(in_file("found none, expected PEM".to_owned()));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
