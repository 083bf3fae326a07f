//! Files from the disk: whole, UTF-8, of a bearable size, or a clear word why not.

use camino::Utf8Path;
use promptblock_core::{Message, msg};
use std::fs;
use std::io::{ErrorKind, Read};

/// In bytes. A larger file is no prompt; reading it would only make the editor hang.
pub const LARGEST: u64 = 32 * 1024 * 1024;

/// Why a file cannot be judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// No such file.
    Missing,
    /// A folder, a pipe, a device.
    NotAFile,
    /// Larger than 32 MiB; its size in bytes.
    TooLarge(u64),
    /// Not UTF-8 from this byte on.
    NotUtf8(usize),
    /// A name that is not UTF-8.
    NameNotUtf8,
    /// A symbolic link to what is not there.
    DeadLink,
    /// Somebody else's alone.
    Denied,
    /// What the system says.
    Io(String),
}

impl ReadError {
    /// For a person.
    pub fn message(&self) -> Message {
        match self {
            Self::Missing => msg!("no such file or folder", "文件或文件夹不存在"),
            Self::NotAFile => msg!("not a regular file", "不是普通文件"),
            Self::TooLarge(size) => {
                let (size, most) = (size / 1024 / 1024, LARGEST / 1024 / 1024);
                msg!(
                    "{size} MiB is more than the {most} MiB that are read",
                    "文件有 {size} MiB，超过 {most} MiB 的上限"
                )
            }
            Self::NotUtf8(at) => {
                msg!("not UTF-8: byte {at} fits no character", "不是 UTF-8：第 {at} 字节不属于任何字符")
            }
            Self::NameNotUtf8 => msg!("the name is not UTF-8", "名称不是 UTF-8"),
            Self::DeadLink => msg!("a link to what is not there", "是失效的链接"),
            Self::Denied => msg!("cannot be read: permission denied", "无法读取：没有权限"),
            Self::Io(what) => msg!("cannot be read: {what}", "无法读取：{what}"),
        }
    }
}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Missing,
            ErrorKind::PermissionDenied => Self::Denied,
            _ => Self::Io(error.to_string()),
        }
    }
}

impl ReadError {
    /// Why nothing could be learnt of `path`.
    pub fn of(path: &Utf8Path, error: std::io::Error) -> Self {
        match Self::from(error) {
            Self::Missing if path.is_symlink() => Self::DeadLink,
            other => other,
        }
    }
}

/// Reads a text file.
pub(crate) fn read(path: &Utf8Path) -> Result<String, ReadError> {
    let meta = fs::metadata(path).map_err(|error| ReadError::of(path, error))?;
    // Opening a pipe would wait for somebody to write.
    if !meta.is_file() {
        return Err(ReadError::NotAFile);
    }
    if meta.len() > LARGEST {
        return Err(ReadError::TooLarge(meta.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0) + 1);
    // The file may grow while it is read.
    fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(ReadError::TooLarge(bytes.len() as u64));
    }
    String::from_utf8(bytes).map_err(|error| ReadError::NotUtf8(error.utf8_error().valid_up_to()))
}
