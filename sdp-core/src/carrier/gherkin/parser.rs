//! The parser: a text comes in, its syntax tree or its first error goes out, as `@cucumber/gherkin` 42.0.1 answers for
//! English. One pass over the lines with one state; it looks ahead over tags only and never recurses.

use super::lexer::{Kind, Line, Token, is_language, lines, number, trim};
use super::syntax::{
    Background, DocString, Examples, Feature, GherkinDocument, ParseError, Position, Row, Rule, Scenario, Step, Tag,
    TextLine,
};

/// Parses a text.
///
/// # Errors
/// [`ParseError::Syntax`] with the first error, [`ParseError::Language`] for another language than English.
pub fn parse(text: &str) -> Result<GherkinDocument<'_>, ParseError> {
    let lines = lines(text);
    let mut parser = Parser::default();
    let mut state = State::Start;
    for (index, line) in lines.iter().enumerate() {
        let following = lines.get(index + 1..).unwrap_or_default();
        state = parser.take(state, line, following)?;
    }
    if !state.takes(Kind::Eof) {
        let message = format!("unexpected end of file, {}", expected(state));
        return Err(ParseError::Syntax { line: number(lines.len() + 1), column: 0, message });
    }
    parser.leave(state)?;
    Ok(parser.document)
}

/// What the parser is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before everything.
    Start,
    /// Behind the line that names the language, or a Feature's tags.
    FeatureTags,
    ScenarioTags,
    ExamplesTags,
    RuleTags,
    /// Behind a title: in its description.
    Head(Block),
    /// Behind a step of a block, and what it already has as arguments.
    Steps(Block, Arguments),
    ExamplesTable,
    /// Inside a doc string.
    DocString(Block, OpenDocString),
}

/// What a title opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Feature,
    Rule,
    Background,
    Scenario,
    Examples,
}

/// The arguments of a step so far: it takes one table and one doc string, in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arguments {
    None,
    Table,
    DocString,
    TableThenDocString,
    DocStringThenTable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenDocString {
    marks: &'static str,
    indent: usize,
    is_behind_table: bool,
    is_first_line: bool,
}

impl State {
    /// Whether a kind of line may come here.
    fn takes(self, kind: Kind) -> bool {
        use Kind::*;
        match self {
            State::Start => matches!(kind, Eof | Language | TagLine | FeatureLine | Comment | Empty),
            State::FeatureTags => matches!(kind, TagLine | FeatureLine | Comment | Empty),
            State::ScenarioTags => matches!(kind, TagLine | ScenarioLine | Comment | Empty),
            State::ExamplesTags => matches!(kind, TagLine | ExamplesLine | Comment | Empty),
            State::RuleTags => matches!(kind, TagLine | RuleLine | Comment | Empty),
            State::DocString(..) => matches!(kind, DocStringSeparator | Other),
            State::Head(_) | State::Steps(..) | State::ExamplesTable => match kind {
                Eof | Comment | Empty | TagLine | ScenarioLine | RuleLine => true,
                ExamplesLine => self.takes_examples(),
                BackgroundLine => matches!(self, State::Head(Block::Feature | Block::Rule)),
                StepLine => matches!(self, State::Head(Block::Background | Block::Scenario) | State::Steps(..)),
                TableRow => match self {
                    State::Steps(_, arguments) => arguments != Arguments::TableThenDocString,
                    state => matches!(state, State::ExamplesTable | State::Head(Block::Examples)),
                },
                DocStringSeparator => matches!(self, State::Steps(_, Arguments::None | Arguments::Table)),
                Other => matches!(self, State::Head(_)),
                FeatureLine | Language => false,
            },
        }
    }

    /// Whether a Scenario is open, so that Examples may come.
    fn takes_examples(self) -> bool {
        matches!(
            self,
            State::Head(Block::Scenario | Block::Examples) | State::Steps(Block::Scenario, _) | State::ExamplesTable
        )
    }
}

/// What may come in a state, as the official parser says it.
fn expected(state: State) -> String {
    let names: Vec<&str> = Kind::ALL.into_iter().filter(|kind| state.takes(*kind)).map(Kind::name).collect();
    format!("expected: {}", names.join(", "))
}

fn error(at: Position, message: String) -> ParseError {
    ParseError::Syntax { line: at.line, column: at.column, message }
}

/// The tree so far, and the tags that wait for their title.
#[derive(Debug, Default)]
struct Parser<'a> {
    document: GherkinDocument<'a>,
    tags: Vec<Tag<'a>>,
}

impl<'a> Parser<'a> {
    /// Takes one line; `following` are those behind it. Gives the next state.
    fn take(&mut self, state: State, line: &Line<'a>, following: &[Line<'a>]) -> Result<State, ParseError> {
        if let State::DocString(block, open) = state {
            return Ok(self.doc_string_line(block, open, line));
        }
        let token = line.token();
        if state == State::Start
            && let Some(name) = line.language()
        {
            return language(name, line);
        }
        let tags = if token.kind == Kind::TagLine { line.tags()? } else { Vec::new() };
        let kind = match token.kind {
            kind if state.takes(kind) => kind,
            _ if state.takes(Kind::Other) => Kind::Other,
            _ => return Err(error(line.at(), format!("{}, got '{}'", expected(state), trim(line.text)))),
        };
        match kind {
            Kind::Comment => self.document.comments.push(TextLine { at: line.at(), text: line.raw }),
            Kind::Empty | Kind::Other => self.describe(state, line),
            Kind::TagLine => {
                let next = match state {
                    State::Start => State::FeatureTags,
                    State::FeatureTags | State::ScenarioTags | State::ExamplesTags | State::RuleTags => state,
                    _ => {
                        let next = tagged(state, following)?;
                        self.leave(state)?;
                        next
                    }
                };
                self.tags.extend(tags);
                return Ok(next);
            }
            Kind::TableRow => return self.table_row(state, line),
            Kind::StepLine => {
                self.leave(state)?;
                return Ok(self.step(state, line.at(), token));
            }
            Kind::DocStringSeparator => {
                self.leave(state)?;
                return Ok(self.open_doc_string(state, line, token));
            }
            Kind::FeatureLine | Kind::BackgroundLine | Kind::RuleLine | Kind::ScenarioLine | Kind::ExamplesLine => {
                self.leave(state)?;
                return Ok(State::Head(self.title(kind, line.at(), token)));
            }
            // The end is no line, and a line that names a language is a comment here.
            Kind::Eof | Kind::Language => {}
        }
        Ok(state)
    }

    /// Opens the block of a title.
    fn title(&mut self, kind: Kind, at: Position, token: Token<'a>) -> Block {
        let Token { keyword, rest: name, .. } = token;
        let tags = std::mem::take(&mut self.tags);
        let description = Vec::new();
        match kind {
            Kind::BackgroundLine => {
                let background = Some(Background { at, name, description, steps: Vec::new() });
                if let Some(feature) = &mut self.document.feature {
                    match feature.rules.last_mut() {
                        Some(rule) => rule.background = background,
                        None => feature.background = background,
                    }
                }
                Block::Background
            }
            Kind::RuleLine => {
                let rule = Rule { at, name, tags, description, background: None, scenarios: Vec::new() };
                if let Some(feature) = &mut self.document.feature {
                    feature.rules.push(rule);
                }
                Block::Rule
            }
            Kind::ScenarioLine => {
                let (steps, examples) = (Vec::new(), Vec::new());
                if let Some(scenarios) = self.scenarios() {
                    scenarios.push(Scenario { at, keyword, name, tags, description, steps, examples });
                }
                Block::Scenario
            }
            Kind::ExamplesLine => {
                if let Some(scenario) = self.scenario() {
                    scenario.examples.push(Examples { at, keyword, name, tags, description, rows: Vec::new() });
                }
                Block::Examples
            }
            _ => {
                let (scenarios, rules) = (Vec::new(), Vec::new());
                self.document.feature =
                    Some(Feature { at, keyword, name, tags, description, background: None, scenarios, rules });
                Block::Feature
            }
        }
    }

    fn step(&mut self, state: State, at: Position, token: Token<'a>) -> State {
        let block = match state {
            State::Head(block) | State::Steps(block, _) => block,
            _ => Block::Scenario,
        };
        if let Some(steps) = self.steps(block) {
            let Token { keyword, rest: text, .. } = token;
            steps.push(Step { at, keyword, text, table: Vec::new(), doc_string: None });
        }
        State::Steps(block, Arguments::None)
    }

    fn table_row(&mut self, state: State, line: &Line<'a>) -> Result<State, ParseError> {
        let row = Row { at: line.at(), cells: line.cells() };
        if let State::Steps(block, arguments) = state {
            if let Some(step) = self.steps(block).and_then(|steps| steps.last_mut()) {
                step.table.push(row);
            }
            return Ok(State::Steps(
                block,
                match arguments {
                    Arguments::DocString | Arguments::DocStringThenTable => Arguments::DocStringThenTable,
                    _ => Arguments::Table,
                },
            ));
        }
        if state != State::ExamplesTable {
            self.leave(state)?;
        }
        if let Some(examples) = self.examples() {
            examples.rows.push(row);
        }
        Ok(State::ExamplesTable)
    }

    fn open_doc_string(&mut self, state: State, line: &Line<'a>, token: Token<'a>) -> State {
        let State::Steps(block, arguments) = state else { return state };
        if let Some(step) = self.steps(block).and_then(|steps| steps.last_mut()) {
            step.doc_string = Some(DocString { at: line.at(), media_type: token.rest, content: String::new() });
        }
        let is_behind_table = arguments == Arguments::Table;
        State::DocString(
            block,
            OpenDocString { marks: token.keyword, indent: line.indent(), is_behind_table, is_first_line: true },
        )
    }

    fn doc_string_line(&mut self, block: Block, open: OpenDocString, line: &Line<'a>) -> State {
        if line.text.starts_with(open.marks) {
            let arguments = if open.is_behind_table { Arguments::TableThenDocString } else { Arguments::DocString };
            return State::Steps(block, arguments);
        }
        let step = self.steps(block).and_then(|steps| steps.last_mut());
        if let Some(content) = step.and_then(|step| step.doc_string.as_mut()).map(|doc_string| &mut doc_string.content)
        {
            if !open.is_first_line {
                content.push('\n');
            }
            let text = line.without_indent(open.indent);
            let escaped = if open.marks == "```" { "\\`\\`\\`" } else { "\\\"\\\"\\\"" };
            match text.split_once(escaped) {
                Some((before, behind)) => content.extend([before, open.marks, behind]),
                None => content.push_str(text),
            }
        }
        State::DocString(block, OpenDocString { is_first_line: false, ..open })
    }

    /// Takes a line of a description; empty ones count behind its first line with text.
    fn describe(&mut self, state: State, line: &Line<'a>) {
        let State::Head(block) = state else { return };
        if let Some(description) = self.description(block)
            && (!line.text.is_empty() || !description.is_empty())
        {
            description.push(TextLine { at: line.at(), text: line.raw });
        }
    }

    /// Ends a description or a table. Refuses a table whose rows differ in length.
    fn leave(&mut self, state: State) -> Result<(), ParseError> {
        match state {
            State::Head(block) => {
                if let Some(description) = self.description(block) {
                    let blank = description.iter().rev().take_while(|line| trim(line.text).is_empty()).count();
                    description.truncate(description.len() - blank);
                }
                Ok(())
            }
            State::Steps(block, Arguments::Table | Arguments::DocStringThenTable) => {
                even(self.steps(block).and_then(|steps| steps.last_mut()).map(|step| step.table.as_slice()))
            }
            State::ExamplesTable => even(self.examples().map(|examples| examples.rows.as_slice())),
            _ => Ok(()),
        }
    }

    fn description(&mut self, block: Block) -> Option<&mut Vec<TextLine<'a>>> {
        Some(match block {
            Block::Feature => &mut self.document.feature.as_mut()?.description,
            Block::Rule => &mut self.document.feature.as_mut()?.rules.last_mut()?.description,
            Block::Background => &mut self.background()?.description,
            Block::Scenario => &mut self.scenario()?.description,
            Block::Examples => &mut self.examples()?.description,
        })
    }

    fn steps(&mut self, block: Block) -> Option<&mut Vec<Step<'a>>> {
        Some(match block {
            Block::Background => &mut self.background()?.steps,
            _ => &mut self.scenario()?.steps,
        })
    }

    fn background(&mut self) -> Option<&mut Background<'a>> {
        let feature = self.document.feature.as_mut()?;
        match feature.rules.last_mut() {
            Some(rule) => rule.background.as_mut(),
            None => feature.background.as_mut(),
        }
    }

    /// The Scenarios of the open Rule, else of the Feature.
    fn scenarios(&mut self) -> Option<&mut Vec<Scenario<'a>>> {
        let feature = self.document.feature.as_mut()?;
        Some(match feature.rules.last_mut() {
            Some(rule) => &mut rule.scenarios,
            None => &mut feature.scenarios,
        })
    }

    fn scenario(&mut self) -> Option<&mut Scenario<'a>> {
        self.scenarios()?.last_mut()
    }

    fn examples(&mut self) -> Option<&mut Examples<'a>> {
        self.scenario()?.examples.last_mut()
    }
}

/// The state behind a `# language:` line.
fn language(name: &str, line: &Line<'_>) -> Result<State, ParseError> {
    match name {
        "en" => Ok(State::FeatureTags),
        name if is_language(name) => Err(ParseError::Language { line: line.number, name: name.to_owned() }),
        name => Err(error(line.at(), format!("Language not supported: {name}"))),
    }
}

/// Whose tags a tag line inside a Feature opens: those of the next title behind tags, comments and empty lines, where it
/// fits; else of a Rule. Refuses a bad tag on the way, as the official parser does.
fn tagged(state: State, following: &[Line<'_>]) -> Result<State, ParseError> {
    for line in following {
        match line.token().kind {
            Kind::Empty | Kind::Comment => {}
            Kind::TagLine => drop(line.tags()?),
            Kind::ExamplesLine if state.takes_examples() => return Ok(State::ExamplesTags),
            Kind::ScenarioLine => return Ok(State::ScenarioTags),
            _ => break,
        }
    }
    Ok(State::RuleTags)
}

/// Refuses rows that have not as many cells as the first one.
fn even(rows: Option<&[Row]>) -> Result<(), ParseError> {
    let rows = rows.unwrap_or_default();
    let cells = rows.first().map_or(0, |row| row.cells.len());
    match rows.iter().find(|row| row.cells.len() != cells) {
        Some(row) => Err(error(row.at, "inconsistent cell count within the table".to_owned())),
        None => Ok(()),
    }
}
