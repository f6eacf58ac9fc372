//! The lines of stdin and stdout: JSON-RPC messages come in, one a line, and go out. What cannot be read is answered where it
//! has an id; the end of stdin waits until everything that was asked is answered.

use std::collections::HashSet;
use std::future::pending;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use sdp_core::threads::STACK;
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot};

/// The longest message, in bytes.
const MAX_LINE: usize = 4 << 20;

/// How many lines may wait to be read.
const WAITING: usize = 16;

/// The longest member of a message that may hold its id, in bytes.
const MAX_ID: usize = 512;

/// Stdin and stdout as a transport. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    inbox: Arc<AsyncMutex<Inbox>>,
    outbox: Sender<Outgoing>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Inbox {
    lines: mpsc::Receiver<Incoming>,
    has_ended: bool,
}

/// What both directions know.
#[derive(Debug, Default)]
struct Shared {
    /// The requests that wait for an answer.
    asked: Mutex<HashSet<RequestId>>,
    /// Whether stdout takes nothing more.
    is_broken: AtomicBool,
}

/// A line of stdin.
#[derive(Debug)]
enum Incoming {
    /// As it is, without its end.
    Line(Vec<u8>),
    /// One that is too long, with its id where that was found.
    TooLong(Option<RequestId>),
}

/// A line for stdout, or nothing at all, and who waits until it is written.
struct Outgoing {
    line: Vec<u8>,
    written: Option<oneshot::Sender<io::Result<()>>>,
}

impl Lines {
    /// The process's own streams, each with a thread.
    pub(super) fn of_process() -> io::Result<Self> {
        Self::new(io::stdin(), io::stdout())
    }

    fn new(input: impl Read + Send + 'static, mut output: impl Write + Send + 'static) -> io::Result<Self> {
        let (lines, inbox) = mpsc::channel(WAITING);
        let (outbox, outgoing) = channel::<Outgoing>();
        let shared = Arc::new(Shared::default());
        let broken = Arc::clone(&shared);
        thread::Builder::new().name("sdp-stdout".to_owned()).stack_size(STACK).spawn(move || {
            for Outgoing { mut line, written } in outgoing {
                if !line.is_empty() {
                    line.push(b'\n');
                }
                let done = output.write_all(&line).and_then(|()| output.flush());
                if done.is_err() {
                    broken.is_broken.store(true, Ordering::Relaxed);
                }
                if let Some(written) = written {
                    let _unheard = written.send(done);
                }
            }
        })?;
        let read = move || read_lines(BufReader::new(input), |line| lines.blocking_send(line).is_ok());
        thread::Builder::new().name("sdp-stdin".to_owned()).stack_size(STACK).spawn(read)?;
        let inbox = Arc::new(AsyncMutex::new(Inbox { lines: inbox, has_ended: false }));
        Ok(Lines { inbox, outbox, shared })
    }

    fn asked(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers what never reaches the server.
    fn refuse(&self, error: ErrorData, id: Option<RequestId>) {
        if let Ok(line) = serde_json::to_vec(&ServerJsonRpcMessage::error(error, id)) {
            let _unheard = self.outbox.send(Outgoing { line, written: None });
        }
    }

    /// Waits until everything that was queued is written.
    async fn written(&self) {
        let (written, done) = oneshot::channel();
        if self.outbox.send(Outgoing { line: Vec::new(), written: Some(written) }).is_ok() {
            let _unheard = done.await;
        }
    }

    /// Keeps in mind what waits for an answer. False for a request whose id another one still has: the service would answer
    /// only one of them.
    fn note(&self, message: &ClientJsonRpcMessage) -> bool {
        match message {
            JsonRpcMessage::Request(request) => return self.asked().insert(request.id.clone()),
            JsonRpcMessage::Notification(notification) => {
                // A cancelled request gets none.
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.asked().remove(id);
                }
            }
            _ => {}
        }
        true
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &item {
            JsonRpcMessage::Response(response) => {
                self.asked().remove(&response.id);
            }
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.asked().remove(id);
                }
            }
            _ => {}
        }
        let (written, done) = oneshot::channel();
        let queued = serde_json::to_vec(&item).map_err(io::Error::from).and_then(|line| {
            let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
            self.outbox.send(Outgoing { line, written: Some(written) }).map_err(gone)
        });
        async move {
            queued?;
            done.await.unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let mut inbox = self.inbox.lock().await;
        loop {
            if self.shared.is_broken.load(Ordering::Relaxed) {
                return None;
            }
            if inbox.has_ended {
                if self.asked().is_empty() {
                    // What was refused may still wait for stdout.
                    self.written().await;
                    return None;
                }
                // Each answer wakes the service, which then asks again.
                return pending().await;
            }
            match inbox.lines.recv().await {
                None => inbox.has_ended = true,
                Some(Incoming::TooLong(id)) => {
                    let text = format!("the message is longer than {} MiB", MAX_LINE >> 20);
                    self.refuse(ErrorData::invalid_request(text, None), id);
                }
                Some(Incoming::Line(line)) => match read(&line) {
                    Ok(Some(message)) if self.note(&message) => return Some(message),
                    Ok(Some(JsonRpcMessage::Request(request))) => {
                        let text = "Invalid request: another request with this id is not answered yet";
                        self.refuse(ErrorData::invalid_request(text, None), Some(request.id));
                    }
                    Ok(Some(_)) => {}
                    Ok(None) => {}
                    Err(unread) => {
                        let (error, id) = *unread;
                        self.refuse(error, id);
                    }
                },
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why a line is no message, and its id where that was found.
type Unread = (ErrorData, Option<RequestId>);

/// A message; none for an empty line and for a notification of an unknown shape, which nobody may answer.
fn read(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Box<Unread>> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Ok(Some(message)),
        Err(error) => error,
    };
    let mut members = Members::default();
    members.feed(line);
    if error.is_data() {
        let is_request = members.is_request();
        let text = match members.id {
            None if members.has_method && !is_request => return Ok(None),
            None if is_request => "Invalid request: an id is a string or an integer of 64 bits",
            _ => "Invalid request",
        };
        return Err(Box::new((ErrorData::invalid_request(text, None), members.id)));
    }
    Err(Box::new((ErrorData::parse_error(format!("Parse error: {error}"), None), members.id)))
}

/// Reads lines until the end, or until nobody takes them. A last line without an end is a line.
fn read_lines(mut input: impl BufRead, mut take: impl FnMut(Incoming) -> bool) {
    let mut line = Vec::new();
    // What is known of a line that is too long.
    let mut skipped: Option<Members> = None;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let is_end = available.is_empty();
        let newline = memchr(available);
        let (part, _) = available.split_at(newline.unwrap_or(available.len()));
        match &mut skipped {
            Some(members) => members.feed(part),
            None if line.len() + part.len() > MAX_LINE => {
                let mut members = Members::default();
                members.feed(&line);
                members.feed(part);
                line = Vec::new();
                skipped = Some(members);
            }
            None => line.extend_from_slice(part),
        }
        let used = part.len() + usize::from(newline.is_some());
        input.consume(used);
        if newline.is_some() || is_end {
            let whole = match skipped.take() {
                Some(members) => Incoming::TooLong(members.id),
                None => Incoming::Line(std::mem::take(&mut line)),
            };
            if !take(whole) || is_end {
                return;
            }
        }
    }
}

fn memchr(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == b'\n')
}

/// Looks for the id of a message that is no JSON, or too much of it: the members of its outermost object are told apart, and
/// the short ones read.
#[derive(Debug, Default)]
struct Members {
    depth: u32,
    in_string: bool,
    is_escaped: bool,
    /// The member so far; none when it is too long to be the id.
    member: Option<Vec<u8>>,
    id: Option<RequestId>,
    has_id: bool,
    has_method: bool,
    /// Whether the method is that of a notification, which nobody answers.
    is_told: bool,
}

impl Members {
    /// Whether somebody waits for an answer, though the id may be none.
    fn is_request(&self) -> bool {
        self.has_id && !self.is_told
    }

    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return self.keep(byte);
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => {
                self.depth = self.depth.saturating_add(1);
                if self.depth == 1 {
                    self.member = (byte == b'{').then(Vec::new);
                    return;
                }
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return self.end_member();
                }
            }
            b',' if self.depth == 1 => {
                self.end_member();
                self.member = Some(Vec::new());
                return;
            }
            _ => {}
        }
        self.keep(byte);
    }

    fn keep(&mut self, byte: u8) {
        match &mut self.member {
            Some(member) if member.len() < MAX_ID => member.push(byte),
            _ => self.member = None,
        }
    }

    fn end_member(&mut self) {
        let Some(member) = self.member.take() else { return };
        let object = [b"{", member.as_slice(), b"}"].concat();
        let Ok(mut object) = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&object) else {
            return;
        };
        if let Some(method) = object.get("method") {
            self.has_method = true;
            self.is_told = method.as_str().is_some_and(|method| method.starts_with("notifications/"));
        }
        if let Some(id) = object.remove("id") {
            self.has_id = true;
            self.id = serde_json::from_value(id).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(text: &str) -> Option<String> {
        let mut members = Members::default();
        members.feed(text.as_bytes());
        members.id.map(|id| id.to_string())
    }

    #[test]
    fn the_id_of_a_message_that_is_no_json_is_found_at_its_outermost_level_alone() {
        for (text, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"params":[[[["#, Some("7")),
            (r#"{"method":"x","params":{"id":1,"a":"}\"{,"},"id":"two"}"#, Some("two")),
            (r#"{"params":{"id":1},"#, None),
            (r#"[{"id":1}]"#, None),
            (r#"{"id":{"a":1}}"#, None),
            (r#"{"id" : 3 , "#, Some("3")),
            ("", None),
        ] {
            assert_eq!(id_of(text).as_deref(), id, "{text}");
        }
    }

    #[test]
    fn lines_are_told_apart_and_a_last_one_needs_no_end() {
        let mut lines = Vec::new();
        let long = format!(r#"{{"id":5,"x":"{}"}}"#, "x".repeat(MAX_LINE));
        read_lines(format!("a\n\n{long}\nb").as_bytes(), |line| {
            lines.push(match line {
                Incoming::Line(line) => String::from_utf8(line).unwrap(),
                Incoming::TooLong(id) => format!("too long: {}", id.unwrap()),
            });
            true
        });
        assert_eq!(lines, ["a", "", "too long: 5", "b"]);
    }

    #[test]
    fn a_notification_of_an_unknown_shape_gets_no_answer_and_a_request_of_one_does() {
        assert!(matches!(read(br#"{"jsonrpc":"2.0","method":7}"#), Ok(None)));
        let (error, id) = *read(br#"{"jsonrpc":"2.0","id":4,"method":7}"#).unwrap_err();
        assert_eq!((error.code.0, id.unwrap().to_string().as_str()), (-32600, "4"));
        for id in ["null", "true", "1e308", "1.5", "[]", "{}", "9223372036854775808"] {
            for line in [r#"{"jsonrpc":"2.0","method":"ping","id":ID}"#, r#"{"jsonrpc":"2.0","method":7,"id":ID}"#] {
                let (error, id) = *read(line.replace("ID", id).as_bytes()).unwrap_err();
                assert_eq!((error.code.0, id), (-32600, None), "{line}");
            }
        }
        let lenient = r#"{"jsonrpc":"2.0","method":"notifications/initialized","id":null}"#;
        assert!(matches!(read(lenient.as_bytes()), Ok(None)));
        let deep = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}"#, "[".repeat(100_000));
        let (error, id) = *read(deep.as_bytes()).unwrap_err();
        assert_eq!((error.code.0, id.unwrap().to_string().as_str()), (-32700, "9"));
    }
}
