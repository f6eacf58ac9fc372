//! What `console.log` prints. The values of one call come in, one text goes out: a format string with its values put in, the
//! other values after it, apart by a space.

use rquickjs::{Ctx, String as JsString, Value};

use super::{
    Failure, format::LIMIT, intrinsics::Intrinsics, number::number, options::Options, render_with, text::Text,
};

/// Renders one call's values.
///
/// # Errors
///
/// As for an answer: code of the body threw, the deadline passed, or the text passes the limit.
pub(super) fn line<'js>(
    ctx: &Ctx<'js>,
    intrinsics: &Intrinsics<'js>,
    values: &[Value<'js>],
    expired: &dyn Fn() -> bool,
) -> Result<String, Failure> {
    let log = Log { ctx, intrinsics, expired };
    let (mut out, rest) = match values.split_first() {
        Some((first, rest)) if first.is_string() => log.template(&log.text(first)?, rest)?,
        _ => (String::new(), values),
    };
    let mut apart = rest.len() < values.len();
    for value in rest {
        if apart {
            out.push(' ');
        }
        out.push_str(&if value.is_string() { log.text(value)? } else { log.inspect(value, &Options::log())? });
        if out.len() > LIMIT {
            return Err(Failure::TooLarge);
        }
        apart = true;
    }
    Ok(out)
}

struct Log<'a, 'js> {
    ctx: &'a Ctx<'js>,
    intrinsics: &'a Intrinsics<'js>,
    expired: &'a dyn Fn() -> bool,
}

impl<'js> Log<'_, 'js> {
    /// Puts values into the places of a format string; gives the values that had no place.
    fn template<'v>(&self, template: &str, values: &'v [Value<'js>]) -> Result<(String, &'v [Value<'js>]), Failure> {
        if values.is_empty() {
            return Ok((template.to_owned(), values));
        }
        let mut out = String::new();
        let mut values = values;
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            let mut chars = after.chars();
            let directive = chars.next();
            let put = match (directive, values.split_first()) {
                (Some('%'), _) => Some(("%".to_owned(), values)),
                (Some(directive), Some((value, left))) => self.directive(directive, value)?.map(|text| (text, left)),
                _ => None,
            };
            match put {
                Some((text, left)) => {
                    out.push_str(&text);
                    values = left;
                    rest = chars.as_str();
                }
                // Not a place: the sign and what follows it stand as they are.
                None => {
                    out.push('%');
                    if let Some(directive) = directive {
                        out.push(directive);
                    }
                    rest = chars.as_str();
                }
            }
            if out.len() > LIMIT {
                return Err(Failure::TooLarge);
            }
        }
        out.push_str(rest);
        Ok((out, values))
    }

    fn directive(&self, directive: char, value: &Value<'js>) -> Result<Option<String>, Failure> {
        let text = match directive {
            's' => self.as_string(value)?,
            'd' => self.as_number(value, |log| log.intrinsics.number.call((value.clone(),)))?,
            'i' => self.as_number(value, |log| log.intrinsics.integer.call((value.clone(),)))?,
            'f' if value.is_symbol() => "NaN".to_owned(),
            'f' => number(self.intrinsics.decimal.call((value.clone(),))?),
            'j' => self.read(&self.intrinsics.json.call((value.clone(),))?)?,
            'O' => self.inspect(value, &Options::log())?,
            'o' => {
                let options = Options { show_hidden: true, show_proxy: true, depth: 4.0, ..Options::log() };
                self.inspect(value, &options)?
            }
            'c' => String::new(),
            _ => return Ok(None),
        };
        Ok(Some(text))
    }

    fn as_string(&self, value: &Value<'js>) -> Result<String, Failure> {
        if value.is_number() || value.is_big_int() {
            return self.inspect(value, &Options::log());
        }
        let is_object = value.is_object() && !value.is_function();
        if is_object && self.has_built_in_text(value)? {
            return self.inspect(value, &Options { depth: 0.0, ..Options::log() });
        }
        self.read(&self.intrinsics.text.call((value.clone(),))?)
    }

    fn has_built_in_text(&self, value: &Value<'js>) -> Result<bool, Failure> {
        let mut value = value.clone();
        while let Some(proxy) = value.as_proxy() {
            let Ok(target) = proxy.target() else {
                let _revoked = self.ctx.catch();
                return Ok(true);
            };
            value = target.into_value();
        }
        Ok(self.intrinsics.has_built_in_to_string.call((value,))?)
    }

    fn as_number(
        &self,
        value: &Value<'js>,
        convert: impl Fn(&Self) -> rquickjs::Result<f64>,
    ) -> Result<String, Failure> {
        if value.is_big_int() {
            return self.inspect(value, &Options::log());
        }
        if value.is_symbol() {
            return Ok("NaN".to_owned());
        }
        Ok(number(convert(self)?))
    }

    fn inspect(&self, value: &Value<'js>, options: &Options) -> Result<String, Failure> {
        render_with(self.ctx, self.intrinsics, options, value, self.expired)
    }

    fn text(&self, value: &Value<'js>) -> Result<String, Failure> {
        match value.as_string() {
            Some(string) => self.read(string),
            None => Ok(String::new()),
        }
    }

    fn read(&self, string: &JsString<'js>) -> Result<String, Failure> {
        Ok(Text::read(self.ctx, string)?.lossy())
    }
}
