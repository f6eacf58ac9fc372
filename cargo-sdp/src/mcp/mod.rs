//! The server of `cargo sdp mcp`: requests of the Model Context Protocol come in on stdin, answers go out on stdout. Each call
//! reads the files anew, on a thread of its own; what a call cannot do is its answer, and no request ends the server.

mod answer;
mod call;
mod cap;
mod lines;
mod tools;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    Implementation, ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use sdp_core::suggest::first_nearest;
use tokio::sync::{Notify, Semaphore, oneshot};

use self::lines::Lines;
use crate::agents;
use crate::errors::Refusal;
use crate::evaluate::LimitArgs;
use crate::root::CommonArgs;

/// How many calls run at once; further ones wait for their turn.
const AT_ONCE: usize = 4;

/// The stack of the thread of a call: what the main thread of a program has.
const CALL_STACK: usize = 8 << 20;

/// What a client is told before it asks anything.
const INSTRUCTIONS: &str = "\
This server answers from the Specs of a repository: one graph of Specs, Packs, examples, code and tests, read anew from the \
files for each call. Before a change: find_concept for words, spec_context for one Spec, blast_radius for files. The tool \
recipes lists questions that somebody already wrote down; q runs a question of your own. After a change: check. The resource \
sdp://skill explains the graph on one page.";

/// What every call starts from.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Where to look.
    pub(crate) common: CommonArgs,
    /// What a body may use.
    pub(crate) limits: LimitArgs,
}

/// Serves until the client closes stdin, or until a signal asks for the end.
pub(crate) fn serve(settings: Settings) -> Result<(), Refusal> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(Refusal::NotServed)?;
    let stop = Arc::new(Notify::new());
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || asked.notify_one())
        .map_err(|error| Refusal::NotServed(std::io::Error::other(error.to_string())))?;
    let lines = Lines::of_process().map_err(Refusal::NotServed)?;
    let server = Server { settings: Arc::new(settings), turns: Arc::new(Semaphore::new(AT_ONCE)) };
    runtime.block_on(async {
        tokio::select! {
            () = session(server, lines) => {}
            () = stop.notified() => {}
        }
    });
    // A thread that still runs a body, or waits for stdin, ends with the process.
    runtime.shutdown_background();
    Ok(())
}

/// Serves one client. What comes before its first request is no reason to end.
async fn session(server: Server, lines: Lines) {
    loop {
        match server.clone().serve(lines.clone()).await {
            Ok(running) => {
                // How it ended is of no interest: nobody is there any more.
                let _ended = running.waiting().await;
                return;
            }
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. }) => return,
            Err(_) => {}
        }
    }
}

/// What answers the requests.
#[derive(Clone, Debug)]
struct Server {
    settings: Arc<Settings>,
    turns: Arc<Semaphore>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let name = Implementation::new("cargo-sdp", env!("CARGO_PKG_VERSION")).with_title("cargo sdp");
        ServerConfig::new(capabilities).with_server_info(name).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let shown = |tool: &tools::Tool| {
            let hints = ToolAnnotations::with_title(tool.title)
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false);
            Tool::new(tool.name, tool.description, tool.schema()).with_title(tool.title).with_annotations(hints)
        };
        Ok(ListToolsResult::with_all_items(tools::TOOLS.iter().map(shown).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::find(&request.name) else {
            return Err(unknown("tool", &request.name, tools::TOOLS.iter().map(|tool| tool.name)));
        };
        let turn = tokio::select! {
            turn = Arc::clone(&self.turns).acquire_owned() => turn,
            () = context.ct.cancelled() => return Ok(failed(CANCELLED).into()),
        };
        let (sender, answer) = oneshot::channel();
        let settings = Arc::clone(&self.settings);
        let arguments = request.arguments.unwrap_or_default();
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let work = move || {
            let _unheard = sender.send(call::call(tool, arguments, &settings, flag));
            drop(turn);
        };
        if let Err(error) = thread::Builder::new().name("sdp-call".to_owned()).stack_size(CALL_STACK).spawn(work) {
            return Ok(failed(&format!("sdp mcp: no thread could be started ({error}).")).into());
        }
        let result = tokio::select! {
            result = answer => result,
            () = context.ct.cancelled() => {
                // A body that runs ends soon; what else the thread finds is dropped.
                cancelled.store(true, Ordering::Relaxed);
                return Ok(failed(CANCELLED).into());
            }
        };
        let result = result.unwrap_or_else(|_| {
            // The thread said on stderr what went wrong.
            failed("sdp mcp: the call ended without an answer — this is a fault of cargo-sdp.")
        });
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let skill = Resource::new(SKILL_URI, "skill")
            .with_description("The graph of Specs on one page: what it holds, how it is asked, how findings are mended")
            .with_mime_type(MARKDOWN);
        Ok(ListResourcesResult::with_all_items(vec![skill]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != SKILL_URI {
            return Err(unknown("resource", &request.uri, [SKILL_URI]));
        }
        let text = ResourceContents::text(agents::SKILL, SKILL_URI).with_mime_type(MARKDOWN);
        Ok(ReadResourceResult::new(vec![text]).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A known method with parameters of another shape arrives here too.
        Err(match request.method.as_str() {
            "tools/call" => ErrorData::invalid_params("tools/call takes a name, and an object of arguments", None),
            "resources/read" => ErrorData::invalid_params("resources/read takes a uri", None),
            _ => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None),
        })
    }
}

/// What nobody hears: the client waits no more.
const CANCELLED: &str = "sdp mcp: the call was cancelled.";

/// Where the skill is read.
const SKILL_URI: &str = "sdp://skill";

const MARKDOWN: &str = "text/markdown";

/// The refusal of a name that the server does not have, with the one that it may have meant.
fn unknown(what: &str, name: &str, known: impl IntoIterator<Item = &'static str>) -> ErrorData {
    let nearest = first_nearest(name, known, 3).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
    let name = sdp_core::harmless::cut(name, 100);
    ErrorData::invalid_params(format!("Unknown {what}: {name}{nearest}"), None)
}

/// A tool's own error, in one text.
fn failed(text: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
