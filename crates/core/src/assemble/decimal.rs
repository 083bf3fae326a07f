//! Numbers compared by value and exactly: ids of 64 bits are common, and a float confuses neighbours among them.

use std::cmp::Ordering;

/// A decimal number of any length: `0.d₁d₂… × 10^scale`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    scale: i64,
}

impl Decimal {
    /// The number that `text` is to the letter: `-?\d+(\.\d+)?([eE][+-]?\d+)?`, in ASCII.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (rest, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let unsigned = exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
        if !digits(whole) || !fraction.is_none_or(digits) || !unsigned.is_none_or(digits) {
            return None;
        }
        // No exponent of a file that can be read is so great that its limit matters.
        let power = unsigned.map_or(0, |power| power.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4));
        let power = if exponent.is_some_and(|exponent| exponent.starts_with('-')) { -power } else { power };
        let all = [whole, fraction.unwrap_or_default()].concat();
        let significant = all.trim_start_matches('0');
        if significant.is_empty() {
            return Some(Self { negative: false, digits: String::new(), scale: 0 });
        }
        let leading = i64::try_from(all.len() - significant.len()).unwrap_or(i64::MAX / 4);
        let scale = i64::try_from(whole.len()).unwrap_or(i64::MAX / 4) - leading + power;
        Some(Self { negative, digits: significant.trim_end_matches('0').to_owned(), scale })
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// As a count: `None` where it is negative or has a fraction. Greater than 64 bits is as great as can be.
    pub(super) fn as_count(&self) -> Option<u64> {
        if self.is_zero() {
            return Some(0);
        }
        let zeros = self.scale - i64::try_from(self.digits.len()).ok()?;
        if self.negative || zeros < 0 {
            return None;
        }
        if self.scale > 20 {
            return Some(u64::MAX);
        }
        let plain = self.digits.clone() + &"0".repeat(usize::try_from(zeros).ok()?);
        Some(plain.parse().unwrap_or(u64::MAX))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.is_zero(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        sign(self).cmp(&sign(other)).then_with(|| {
            let size = self.scale.cmp(&other.scale).then_with(|| self.digits.cmp(&other.digits));
            if self.negative { size.reverse() } else { size }
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).expect(text)
    }

    #[test]
    fn spelling() {
        for text in ["0", "-0", "007", "1.50", "1e3", "1E+3", "-2.5e-10", "123456789012345678901234567890"] {
            assert!(Decimal::parse(text).is_some(), "{text}");
        }
        for text in [
            "", "-", "+1", ".5", "1.", "1e", "1e+", " 1", "1 ", "１", "0x1", "1_0", "1,5", "--1", "inf",
            "NaN", "1.2.3", "e3",
        ] {
            assert!(Decimal::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn by_value() {
        for (a, b) in [
            ("2.0", "2"),
            ("1e3", "1000"),
            ("-0", "0.00"),
            ("0.10", "1e-1"),
            ("100e-2", "1"),
            ("0e99999999999999999999", "0"),
        ] {
            assert_eq!(number(a), number(b), "{a} {b}");
        }
        for (a, b) in [
            ("9", "10"),
            ("-10", "-9"),
            ("-1", "0"),
            ("0", "0.001"),
            ("9007199254740992", "9007199254740993"),
            ("1.05", "1.5"),
            ("1e-99999999999999999999", "1e99999999999999999999"),
        ] {
            assert!(number(a) < number(b), "{a} {b}");
        }
    }

    #[test]
    fn counts() {
        for (text, count) in [
            ("2.0", Some(2)),
            ("0", Some(0)),
            ("-0", Some(0)),
            ("12e2", Some(1200)),
            ("-1", None),
            ("1.5", None),
            ("1e99", Some(u64::MAX)),
            ("18446744073709551616", Some(u64::MAX)),
        ] {
            assert_eq!(number(text).as_count(), count, "{text}");
        }
    }

    proptest! {
        #[test]
        fn orders_like_integers(a in any::<i64>(), b in any::<i64>()) {
            prop_assert_eq!(number(&a.to_string()).cmp(&number(&b.to_string())), a.cmp(&b));
        }

        #[test]
        fn orders_like_floats(a in -1e9..1e9_f64, b in -1e9..1e9_f64) {
            prop_assert_eq!(Some(number(&a.to_string()).cmp(&number(&b.to_string()))), a.partial_cmp(&b));
        }
    }
}
