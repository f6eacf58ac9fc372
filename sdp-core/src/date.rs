//! Days: text or seconds since 1970 come in, a day of the calendar goes out. Nothing here knows what day it is: whoever
//! asks hands it in.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar, from 0001-01-01 to 9999-12-31; later days are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// A text that is no day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a day is written YYYY-MM-DD, such as 2027-01-31")]
pub struct NoDate;

impl Date {
    /// A day of the calendar.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        ((1..=9999).contains(&year) && (1..=days).contains(&day)).then_some(Date { year, month, day })
    }

    /// The day in UTC, so many seconds after the start of 1970; none beyond the year 9999.
    #[must_use]
    pub fn of_unix_seconds(seconds: u64) -> Option<Date> {
        let mut days = seconds / 86_400;
        let mut year = 1970_u16;
        let length = |year: u16| if Date::new(year, 2, 29).is_some() { 366 } else { 365 };
        while days >= length(year) {
            days -= length(year);
            year = year.checked_add(1).filter(|year| *year <= 9999)?;
        }
        let of_month =
            |month: u8| (28..=31).rev().find(|day| Date::new(year, month, *day).is_some()).map_or(0, u64::from);
        let mut month = 1;
        while days >= of_month(month) {
            days -= of_month(month);
            month += 1;
        }
        Date::new(year, month, u8::try_from(days + 1).ok()?)
    }
}

impl FromStr for Date {
    type Err = NoDate;

    fn from_str(text: &str) -> Result<Date, NoDate> {
        let mut parts = text.splitn(3, '-');
        let mut part = |length: usize| {
            let part = parts.next().filter(|part| part.len() == length)?;
            part.bytes().all(|byte| byte.is_ascii_digit()).then_some(part)
        };
        let parsed = (|| Date::new(part(4)?.parse().ok()?, part(2)?.parse().ok()?, part(2)?.parse().ok()?))();
        parsed.ok_or(NoDate)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_and_written_in_one_form() {
        for text in ["2026-11-30", "2024-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "2026-11-31",
            "2026-2-3",
            "2025-02-29",
            "2026-11-30T00:00:00Z",
            "+026-11-30",
            "2026-00-10",
            "0000-01-01",
        ] {
            assert_eq!(text.parse::<Date>(), Err(NoDate), "{text}");
        }
        assert!("2026-11-30".parse::<Date>().unwrap() < "2026-12-01".parse::<Date>().unwrap());
    }

    #[test]
    fn seconds_lead_to_their_day() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_796_083_199, "2026-11-30"),
            (253_402_300_799, "9999-12-31"),
        ] {
            assert_eq!(Date::of_unix_seconds(seconds).unwrap().to_string(), day);
        }
        assert_eq!(Date::of_unix_seconds(253_402_300_800), None);
        assert_eq!(Date::of_unix_seconds(u64::MAX), None);
    }
}
