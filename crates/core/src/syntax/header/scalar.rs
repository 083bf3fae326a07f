//! What a scalar means: the core schema of YAML 1.2.

use std::sync::Arc;

/// A scalar's value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Scalar {
    Null,
    Boolean(bool),
    /// An integer or a float, infinite and NaN included.
    Number(f64),
    Text(Arc<str>),
}

impl Scalar {
    /// The meaning of a plain scalar. Quoted ones are text, whatever they hold.
    pub(super) fn plain(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Self::Null,
            "true" | "True" | "TRUE" => return Self::Boolean(true),
            "false" | "False" | "FALSE" => return Self::Boolean(false),
            ".nan" | ".NaN" | ".NAN" => return Self::Number(f64::NAN),
            _ => {}
        }
        number(text).map_or_else(|| Self::Text(text.into()), Self::Number)
    }
}

fn number(text: &str) -> Option<f64> {
    if let Some(digits) = text.strip_prefix("0o") {
        return digits_in(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return digits_in(digits, 16);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let fits = digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent));
    // `1e999` is infinite here and so no finite number, as it should be.
    if fits { text.parse().ok() } else { None }
}

fn digits_in(digits: &str, radix: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    digits.chars().try_fold(0.0, |value, c| Some(value * f64::from(radix) + f64::from(c.to_digit(radix)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_schema() {
        for (text, value) in [
            ("0", 0.0),
            ("-12", -12.0),
            ("+12", 12.0),
            ("012", 12.0),
            ("0o14", 12.0),
            ("0xfF", 255.0),
            ("120.0", 120.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("-.5e+2", -50.0),
            ("1E3", 1000.0),
            ("-.INF", f64::NEG_INFINITY),
            ("1e999", f64::INFINITY),
        ] {
            assert_eq!(Scalar::plain(text), Scalar::Number(value), "{text}");
        }
        for text in [
            "yes", "no", "on", "y", "tRUE", "1_000", "1,5", "0b1", "0o8", "0x", "-0x1", ".", "-", "e3", "1e",
            "1e+", "1.2.3", "inf", "nan", "NaN", "infinity", "１２", "12:30", "nULL", "1 2", "--1", "+-1",
        ] {
            assert_eq!(Scalar::plain(text), Scalar::Text(text.into()), "{text}");
        }
        assert!(matches!(Scalar::plain(".NaN"), Scalar::Number(n) if n.is_nan()));
        assert_eq!(Scalar::plain("~"), Scalar::Null);
        assert_eq!(Scalar::plain("FALSE"), Scalar::Boolean(false));
    }
}
