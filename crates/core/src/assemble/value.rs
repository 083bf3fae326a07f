//! Values: how they are spelled, which are true, how they compare.

use super::decimal::Decimal;
use crate::syntax::{Comparison, Condition, Operand};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write;

/// Where a variable's value comes from: asked for the first segment of a name.
pub type Lookup<'l, 'v> = &'l dyn Fn(&str) -> Option<&'v Value>;

/// The value of a variable with its fields (`hero.weapon`); `None` where it is missing, `null` included.
pub fn value_of<'v>(name: &str, lookup: Lookup<'_, 'v>) -> Option<&'v Value> {
    let mut segments = name.split('.');
    let mut value = lookup(segments.next()?)?;
    for segment in segments {
        value = value.as_object()?.get(segment)?;
    }
    Some(value).filter(|value| !value.is_null())
}

/// What a tag renders as: text as it is, integers plain, other numbers the shortest that reads back, a list its items
/// joined by `, `, an object compact JSON, nothing for `null`.
pub fn spell(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::Bool(true) => Cow::Borrowed("true"),
        Value::Bool(false) => Cow::Borrowed("false"),
        Value::String(text) => Cow::Borrowed(text),
        Value::Number(number) => Cow::Owned(spell_number(number)),
        Value::Array(items) => {
            let mut out = String::new();
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                out.push_str(&spell(item));
            }
            Cow::Owned(out)
        }
        Value::Object(_) => {
            let mut out = String::new();
            write_json(value, &mut out);
            Cow::Owned(out)
        }
    }
}

fn spell_number(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        // 64 bits of integer, which a float would round.
        None => number.to_string(),
        Some(0.0) => "0".to_owned(),
        Some(value) if value.abs() < 1e-6 => format!("{value:e}"),
        Some(value) => value.to_string(),
    }
}

/// Compact JSON, the numbers by value as everywhere.
fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => out.push_str(&spell_number(number)),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write_json(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (index, (name, field)) in fields.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                // Writing to a string cannot fail.
                let _ = write!(out, "{}:", Value::from(name.as_str()));
                write_json(field, out);
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {
            let _ = write!(out, "{value}");
        }
    }
}

/// False are `false`, 0, the empty text, list and object, and what is missing; all else is true, `"0"` too.
pub fn is_truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(boolean)) => *boolean,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
    }
}

/// How often `{repeat}` repeats for a value: a number, or a text that is one to the letter. `None` where it is negative,
/// has a fraction, or is no number at all.
pub fn count(value: &Value) -> Option<u64> {
    match value {
        Value::Number(_) | Value::String(_) => Decimal::parse(&spell(value))?.as_count(),
        _ => None,
    }
}

/// Whether a condition is true while rendering: what is missing is the empty text.
pub fn is_true<'v>(condition: &Condition, lookup: Lookup<'_, 'v>) -> bool {
    let left = Side::of(&condition.left, lookup);
    match &condition.right {
        None => left.is_truthy(),
        Some((comparison, right)) => left.compare(*comparison, &Side::of(right, lookup)),
    }
}

/// Whether a `when` predicate holds; `None` where a field that it names is missing, so that it cannot be judged. [S0]
pub fn holds<'v>(condition: &Condition, lookup: Lookup<'_, 'v>) -> Option<bool> {
    let is_known = |operand: &Operand| match operand {
        Operand::Variable { name, .. } => value_of(name, lookup).is_some(),
        _ => true,
    };
    condition.operands().all(is_known).then(|| is_true(condition, lookup))
}

/// One side of a condition.
enum Side<'a> {
    Value(Option<&'a Value>),
    Number(&'a str),
    Text(&'a str),
    Boolean(bool),
}

impl<'a> Side<'a> {
    fn of<'v: 'a>(operand: &'a Operand, lookup: Lookup<'_, 'v>) -> Self {
        match operand {
            Operand::Variable { name, .. } => Self::Value(value_of(name, lookup)),
            Operand::Number(number) => Self::Number(number),
            Operand::Text(text) => Self::Text(text),
            Operand::Boolean(boolean) => Self::Boolean(*boolean),
        }
    }

    fn is_truthy(&self) -> bool {
        match self {
            Self::Value(value) => is_truthy(*value),
            Self::Number(number) => Decimal::parse(number).is_none_or(|number| !number.is_zero()),
            Self::Text(text) => !text.is_empty(),
            Self::Boolean(boolean) => *boolean,
        }
    }

    fn spelled(&self) -> Cow<'a, str> {
        match self {
            Self::Value(value) => value.map_or(Cow::Borrowed(""), spell),
            Self::Number(text) | Self::Text(text) => Cow::Borrowed(*text),
            Self::Boolean(true) => Cow::Borrowed("true"),
            Self::Boolean(false) => Cow::Borrowed("false"),
        }
    }

    /// As numbers where both are numbers or texts that spell one, else as texts by code points.
    fn compare(&self, comparison: Comparison, other: &Side<'_>) -> bool {
        let (left, right) = (self.spelled(), other.spelled());
        let ordering = match (Decimal::parse(&left), Decimal::parse(&right)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => left.cmp(&right),
        };
        match comparison {
            Comparison::Equal => ordering == Ordering::Equal,
            Comparison::NotEqual => ordering != Ordering::Equal,
            Comparison::Less => ordering == Ordering::Less,
            Comparison::Greater => ordering == Ordering::Greater,
            Comparison::LessOrEqual => ordering != Ordering::Greater,
            Comparison::GreaterOrEqual => ordering != Ordering::Less,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_condition;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn spelling() {
        for (value, spelled) in [
            (json!("  文本 "), "  文本 "),
            (json!(42), "42"),
            (json!(-7), "-7"),
            (json!(18_446_744_073_709_551_615_u64), "18446744073709551615"),
            (json!(2.0), "2"),
            (json!(-0.0), "0"),
            (json!(0.1), "0.1"),
            (json!(1e21), "1000000000000000000000"),
            (json!(1.5e-9), "1.5e-9"),
            (json!(0.000_01), "0.00001"),
            (json!(true), "true"),
            (json!(null), ""),
            (json!(["a", 2.0, null, [true, "b"], {"k": 1.0}]), "a, 2, , true, b, {\"k\":1}"),
            (json!([]), ""),
            (json!({}), "{}"),
            (
                json!({"z": "引\"号\n", "a": [1, 2.50, null], "m": {"x": false}}),
                r#"{"z":"引\"号\n","a":[1,2.5,null],"m":{"x":false}}"#,
            ),
        ] {
            assert_eq!(spell(&value), spelled);
        }
    }

    #[test]
    fn truth() {
        for value in
            [json!(null), json!(false), json!(0), json!(0.0), json!(-0.0), json!(""), json!([]), json!({})]
        {
            assert!(!is_truthy(Some(&value)), "{value}");
        }
        for value in [
            json!(true),
            json!(1),
            json!(-0.5),
            json!("0"),
            json!("false"),
            json!(" "),
            json!([0]),
            json!({"a": null}),
        ] {
            assert!(is_truthy(Some(&value)), "{value}");
        }
        assert!(!is_truthy(None));
    }

    #[test]
    fn counts() {
        for (value, expected) in [
            (json!(3), Some(3)),
            (json!(2.0), Some(2)),
            (json!("3"), Some(3)),
            (json!("2.0"), Some(2)),
            (json!(0), Some(0)),
            (json!(-1), None),
            (json!(1.5), None),
            (json!(" 3"), None),
            (json!("x"), None),
            (json!(""), None),
            (json!(true), None),
            (json!([3]), None),
            (json!(null), None),
            (json!(1e300), Some(u64::MAX)),
        ] {
            assert_eq!(count(&value), expected, "{value}");
        }
    }

    fn values() -> Value {
        json!({
            "n": 10, "t": "9", "word": "abc", "zero": 0, "null": null, "yes": true, "list": [5], "empty": [],
            "id": 1_234_567_890_123_456_789_u64, "hero": {"name": "甲", "if": {"level": 2.0}}, "float": 2.5,
        })
    }

    fn judge(condition: &str) -> (bool, Option<bool>) {
        let values = values();
        let lookup = |name: &str| values.get(name);
        let condition = parse_condition(condition).expect(condition);
        (is_true(&condition, &lookup), holds(&condition, &lookup))
    }

    #[test]
    fn conditions() {
        for text in [
            "n > t",
            "t < n",
            "n == 10.0",
            "n == \"1e1\"",
            "n != 9",
            "word > \"abB\"",
            "word >= \"abc\"",
            "word > n",
            "yes == true",
            "yes == \"true\"",
            "list == 5",
            "list",
            "yes",
            "hero",
            "hero.name == '甲'",
            "hero.if.level == 2",
            "float <= 2.50",
            "id == 1234567890123456789",
            "id != 1234567890123456788",
            "id > 1234567890123456788",
            "1",
            "\"0\"",
            "true",
            "empty == \"\"",
            "\"\u{ffff}\" < \"🎉\"",
            "hero.if == '{\"level\":2}'",
        ] {
            assert_eq!(judge(text), (true, Some(true)), "{text}");
        }
        for text in [
            "n < t",
            "zero",
            "empty",
            "0",
            "0.0",
            "\"\"",
            "false",
            "word == \"Abc\"",
            "n == \" 10\"",
            "yes == 1",
            "hero.name == 5",
        ] {
            assert_eq!(judge(text), (false, Some(false)), "{text}");
        }
    }

    #[test]
    fn missing() {
        for (text, rendered) in [
            ("nothing", false),
            ("null", false),
            ("nothing == \"\"", true),
            ("nothing == 0", false),
            ("\"a\" > nothing", true),
            ("hero.age", false),
            ("word.x == \"\"", true),
            ("n == nothing", false),
            ("nothing != true", true),
        ] {
            assert_eq!(judge(text), (rendered, None), "{text}");
        }
    }

    proptest! {
        /// What a number renders as reads back as the same number.
        #[test]
        fn numbers_read_back(value in any::<f64>()) {
            prop_assume!(value.is_finite());
            let spelled = spell(&json!(value)).into_owned();
            prop_assert_eq!(spelled.parse::<f64>().ok(), Some(if value == 0.0 { 0.0 } else { value }));
            prop_assert!(Decimal::parse(&spelled).is_some(), "{}", spelled);
        }
    }
}
