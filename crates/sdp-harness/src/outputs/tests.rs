//! Which stream or file each form gets, and what is refused.

use super::*;

fn settings(cwd: &Path, people: People) -> Settings {
    let (cwd, default) = (cwd.to_owned(), Format::Human);
    Settings { cwd, default, people, colour: false, quiet: false, step_summary: None }
}

fn opened(words: &[&str], people: People) -> Result<Outputs, String> {
    let folder = tempfile::tempdir().unwrap();
    let requests: Vec<Request> = words.iter().map(|word| word.parse().unwrap()).collect();
    Outputs::open(&requests, &settings(folder.path(), people)).map_err(|error| error.to_string())
}

#[test]
fn each_stream_has_one_form() {
    let refused = |words: &[&str], people| opened(words, people).err().unwrap_or_default();
    assert_eq!(
        refused(&["json", "sarif"], People::Stderr),
        "`--output json` and `--output sarif` both write to stdout"
    );
    assert_eq!(
        refused(&["human", "short"], People::Stderr),
        "`--output human` and `--output short` both write to stderr"
    );
    assert_eq!(
        refused(&["human", "json"], People::Stdout),
        "`--output human` and `--output json` both write to stdout"
    );
    assert_eq!(
        refused(&["github", "github"], People::Stdout),
        "`--output github` and `--output github` both write to stdout"
    );
    for words in [&["human", "json"][..], &["json", "github"], &["human", "github", "sarif=a", "sarif=b"]] {
        assert_eq!(refused(words, People::Stderr), "");
    }
    assert_eq!(
        refused(&["sarif=a/../x", "json=./x"], People::Stderr),
        "`--output sarif` and `--output json` both write to `./x`"
    );
    assert_eq!(refused(&["sarif=."], People::Stderr), "`--output sarif=.` is a folder, not a file");
    assert_eq!(refused(&["sarif=new/"], People::Stderr), "`--output sarif=new/` names a folder, not a file");
}

#[test]
fn github_yields_stdout_and_people_keep_their_form_beside_files() {
    let stdout = |words: &[&str], people| opened(words, people).unwrap().stdout();
    assert_eq!(stdout(&["github"], People::Stdout), Some(Format::Github));
    assert_eq!(stdout(&["github", "json"], People::Stdout), Some(Format::Json));
    assert_eq!(stdout(&["github", "human"], People::Stdout), Some(Format::Human));
    assert_eq!(stdout(&["github", "human"], People::Stderr), Some(Format::Github));
    assert_eq!(stdout(&["sarif=x"], People::Stdout), Some(Format::Human));
    assert_eq!(stdout(&["sarif=x"], People::Stderr), None);
    assert_eq!(opened(&["sarif=x"], People::Stderr).unwrap().people(), Some(Format::Human));
    assert_eq!(opened(&["sarif"], People::Stderr).unwrap().people(), None);
}

/// Keeps what goes to the streams.
#[derive(Default)]
struct Heard {
    out: String,
    err: String,
}

impl Streams for Heard {
    fn out(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn err(&mut self, text: &str) {
        self.err.push_str(text);
    }

    fn commands(&mut self, text: &str) {
        self.err.push_str(text);
    }
}

#[test]
fn the_human_form_of_the_terminal_is_taken_apart_and_sums_up_alone() {
    use crate::event::Summary;
    let summary = Summary { text: "summed".to_owned(), ..Summary::default() };
    for (words, people, ends) in [
        (&["human", "json"][..], People::Stderr, ("", "summed\n")),
        (&["human"][..], People::Stderr, ("summed\n", "")),
        (&["human"][..], People::Stdout, ("summed\n", "")),
    ] {
        let mut outputs = opened(words, people).unwrap();
        let mut human = outputs.take_human().unwrap();
        let (mut rest, mut own) = (Heard::default(), Heard::default());
        outputs.send(&Event::End(&summary), &mut rest);
        human.send(&Event::End(&summary), &mut own);
        assert_eq!((own.out.as_str(), own.err.as_str()), ends, "{words:?}");
        assert!(rest.err.is_empty() && !rest.out.contains("summed\n"), "{words:?}");
        assert!(outputs.take_human().is_none());
    }
    assert!(opened(&["json", "human=file"], People::Stderr).unwrap().take_human().is_none());
}
