//! A connection: lines over TCP, kept alive by a thread.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::config::CsaConfig;
use crate::error::CsaError;

/// Longest line of a server, in bytes.
const MAX_LINE: usize = 4_096;

/// Largest number of lines that wait while the player thinks. More of them stay with the system.
const MAX_WAITING: usize = 1_024;

/// The interval at which the thread that reads looks at its clocks.
pub(crate) const TICK: Duration = Duration::from_millis(250);

/// A connection to a server. Dropping it closes it.
#[derive(Debug)]
pub(crate) struct Connection {
    lines: Receiver<io::Result<String>>,
    writer: Arc<Mutex<Writer>>,
    stream: TcpStream,
    /// Set when the game in play ends or the connection is lost.
    pub(crate) stop: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Writer {
    stream: TcpStream,
    last: Instant,
}

impl Writer {
    fn send(&mut self, line: &str) -> io::Result<()> {
        self.last = Instant::now();
        self.stream.write_all(format!("{line}\n").as_bytes())
    }
}

/// The error after the thread that reads has ended without one.
fn closed() -> CsaError {
    CsaError::Lost(io::ErrorKind::UnexpectedEof.into())
}

impl Connection {
    /// Connects. The connection ends soon after `interrupt` is set.
    pub(crate) fn open(config: &CsaConfig, interrupt: &Arc<AtomicBool>) -> Result<Self, CsaError> {
        let stream = connect(config)
            .map_err(|error| CsaError::Connect { address: config.address(), error })?;
        Self::over(stream, config, Arc::clone(interrupt)).map_err(CsaError::Lost)
    }

    fn over(stream: TcpStream, config: &CsaConfig, interrupt: Arc<AtomicBool>) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TICK))?;
        stream.set_write_timeout(Some(config.patience.max(TICK)))?;
        let writer = Writer { stream: stream.try_clone()?, last: Instant::now() };
        let writer = Arc::new(Mutex::new(writer));
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, lines) = sync_channel(MAX_WAITING);
        let reader = Reader {
            stream: stream.try_clone()?,
            writer: Arc::clone(&writer),
            stop: Arc::clone(&stop),
            interrupt,
            sender,
            keep_alive: config.keep_alive,
            silence: config.silence,
        };
        thread::Builder::new().name("csa-reader".to_owned()).spawn(move || reader.run())?;
        Ok(Self { lines, writer, stream, stop })
    }

    /// Sends a line.
    pub(crate) fn send(&self, line: &str) -> Result<(), CsaError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.send(line).map_err(CsaError::Lost)
    }

    /// Waits for the next line; `None` if the time is up.
    pub(crate) fn receive(&self, limit: Option<Duration>) -> Result<Option<String>, CsaError> {
        let line = match limit {
            None => self.lines.recv().map_err(|_| closed())?,
            Some(limit) => match self.lines.recv_timeout(limit) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(closed()),
            },
        };
        line.map(Some).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => CsaError::Stopped,
            _ => CsaError::Lost(error),
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The thread that reads ends at the end of the stream. It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn connect(config: &CsaConfig) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in (config.host.as_str(), config.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, config.patience.max(TICK)) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The thread that reads lines, and sends empty ones.
struct Reader {
    stream: TcpStream,
    writer: Arc<Mutex<Writer>>,
    stop: Arc<AtomicBool>,
    interrupt: Arc<AtomicBool>,
    sender: SyncSender<io::Result<String>>,
    keep_alive: Duration,
    silence: Duration,
}

impl Reader {
    fn run(mut self) {
        if let Err(error) = self.read() {
            self.stop.store(true, Ordering::Relaxed);
            // Without a receiver no one waits for the error.
            let _ = self.sender.send(Err(error));
        }
    }

    fn read(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        let mut buffer = [0; 4_096];
        let mut heard = Instant::now();
        loop {
            match self.stream.read(&mut buffer) {
                // The end of the stream: the server has closed the connection.
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    heard = Instant::now();
                    for &byte in &buffer[..read] {
                        match byte {
                            b'\n' => {
                                let text = String::from_utf8_lossy(&line)
                                    .trim_end_matches('\r')
                                    .to_owned();
                                line.clear();
                                if !self.pass(text) {
                                    return Ok(());
                                }
                            }
                            _ if line.len() == MAX_LINE => {
                                let text = format!("a line of more than {MAX_LINE} bytes");
                                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
                            }
                            _ => line.push(byte),
                        }
                    }
                }
                Err(error) if is_tick(&error) => {}
                Err(error) => return Err(error),
            }
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            self.keep_alive()?;
            if heard.elapsed() >= self.silence {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }

    /// Passes a line on; false if no one receives lines any more.
    fn pass(&self, line: String) -> bool {
        if line.starts_with('#') && !line.starts_with("##") {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.sender.send(Ok(line)).is_ok()
    }

    fn keep_alive(&self) -> io::Result<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.last.elapsed() >= self.keep_alive { writer.send("") } else { Ok(()) }
    }
}

/// True if only the time for reading is up.
fn is_tick(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}
