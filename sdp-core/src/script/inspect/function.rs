//! What a function is, told from its source text. Source comes in, a kind goes out; the text is only read, never run.

/// Whether a source text that begins with `class` and ends with `}` is a class and not a method whose name begins so.
pub(super) fn is_class(source: &str) -> bool {
    let Some(slice) = source.strip_prefix("class").and_then(|rest| rest.strip_suffix('}')) else { return false };
    match slice.split_once('{') {
        None => false,
        Some((head, _)) if !head.contains('(') => true,
        Some(_) => {
            let stripped = without_comments(slice);
            stripped.starts_with(char::is_whitespace)
                && stripped.split_once('{').is_some_and(|(head, _)| !head.contains('('))
        }
    }
}

/// `Function` with `Async` and `Generator` before it, as the head of the source says.
pub(super) fn kind(source: &str) -> &'static str {
    let source = skip_blank(source);
    let (is_async, rest) = match source.strip_prefix("async") {
        // `async` itself may be the name of a method.
        Some(rest) if rest.starts_with(|char: char| char.is_whitespace() || "*/[".contains(char)) => {
            let rest = skip_blank(rest);
            (!rest.starts_with('(') || is_arrow(rest), rest)
        }
        // `async(x) => 1`, unless it is the method `async(x) { }`.
        Some(rest) if rest.starts_with('(') => (is_arrow(rest), rest),
        _ => (false, source),
    };
    let rest = rest.strip_prefix("function").map_or(rest, skip_blank);
    match (is_async, rest.starts_with('*')) {
        (false, false) => "Function",
        (true, false) => "AsyncFunction",
        (false, true) => "GeneratorFunction",
        (true, true) => "AsyncGeneratorFunction",
    }
}

/// Whether `=>` follows the parenthesis that closes the first one.
fn is_arrow(parameters: &str) -> bool {
    let mut depth = 0_usize;
    for (at, char) in parameters.char_indices() {
        match char {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let rest = parameters.get(at + 1..).unwrap_or_default();
                    return skip_blank(rest).starts_with("=>");
                }
            }
            _ => {}
        }
    }
    false
}

fn skip_blank(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if let Some(line) = rest.strip_prefix("//") {
            line.split_once('\n').map_or("", |(_, after)| after)
        } else if let Some(block) = rest.strip_prefix("/*") {
            block.split_once("*/").map_or("", |(_, after)| after)
        } else {
            return rest;
        };
        rest = after.trim_start();
    }
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let after = if let Some(line) = from.strip_prefix("//") {
            line.split_once('\n').map(|(_, after)| after)
        } else if let Some(block) = from.strip_prefix("/*") {
            block.split_once("*/").map(|(_, after)| after)
        } else {
            None
        };
        rest = match after {
            Some(after) => after,
            None => {
                out.push('/');
                from.get(1..).unwrap_or_default()
            }
        };
    }
    out.push_str(rest);
    out
}
