//! Tables and figures for people, aligned also where characters are two columns wide.

use crate::visible::visible;
use unicode_width::UnicodeWidthStr;

/// How the cells of a column stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Lines with a column each for `sides`, two blanks between them and none at their ends.
pub(crate) fn lines(sides: &[Side], rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(|cell| visible(cell)).collect()).collect();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..sides.len()).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for ((cell, side), width) in row.iter().zip(sides).zip(&widths) {
            let blanks = " ".repeat(width.saturating_sub(cell.width()));
            let (before, behind) = if *side == Side::Left { ("", &*blanks) } else { (&*blanks, "") };
            line.extend([before, cell, behind, "  "]);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        let row = |name: &str, number: &str| vec![name.to_owned(), number.to_owned(), "x".to_owned()];
        let rows = [row("人设:你好", "1"), row("a:b", "1,234"), row("e\u{301}\u{1b}", "")];
        assert_eq!(
            lines(&[Side::Left, Side::Right, Side::Left], &rows),
            "人设:你好      1  x\na:b        1,234  x\ne\u{301}␛                x\n"
        );
    }
}
