//! The languages whose comments may hold anchors: a file's name comes in, its language goes out.

/// One language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its name, for people.
    pub name: String,
    /// The endings of its files, without the dot.
    pub endings: Vec<String>,
}

/// A language of one [`Languages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LanguageId(usize);

/// The languages of a run: those that are built in, and those of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Languages {
    all: Vec<Language>,
}

impl Default for Languages {
    fn default() -> Self {
        Languages { all: vec![Language { name: "Rust".to_owned(), endings: vec!["rs".to_owned()] }] }
    }
}

impl Languages {
    /// The language that a file's own name announces.
    #[must_use]
    pub fn of_file_name(&self, name: &str) -> Option<LanguageId> {
        let (stem, ending) = name.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        self.all.iter().position(|language| language.endings.iter().any(|own| own == ending)).map(LanguageId)
    }

    /// A language of these.
    #[must_use]
    pub fn get(&self, id: LanguageId) -> Option<&Language> {
        self.all.get(id.0)
    }
}
