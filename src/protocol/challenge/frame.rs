//! A message on the wire: its length in four bytes, the highest first, and as many bytes of UTF-8.

use std::io::{self, Read, Write};

/// The longest message that is read, in bytes; the server's have less than two thousand.
const LONGEST: u32 = 1 << 20;

/// Reads a message; `None` if the other side has left between two.
///
/// # Errors
/// If it leaves within one, the length is no length or the bytes are no text.
pub fn read(stream: &mut impl Read) -> io::Result<Option<String>> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut length = [0; 4];
    match fill(stream, &mut length)? {
        0 => return Ok(None),
        4 => {}
        read => return Err(wrong(format!("a message ends after {read} bytes of its length"))),
    }
    let length = u32::from_be_bytes(length);
    if length > LONGEST {
        return Err(wrong(format!("a message of {length} bytes; expected {LONGEST} at the most")));
    }
    let mut bytes = vec![0; length as usize];
    let read = fill(stream, &mut bytes)?;
    if read < bytes.len() {
        return Err(wrong(format!("a message of {length} bytes ends after {read}")));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| wrong("a message is no UTF-8".to_owned()))
}

/// Reads until the buffer is full or the other side has left. How many bytes were there?
fn fill(stream: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match stream.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Writes a message at once.
///
/// # Errors
/// If the other side has left, or the message is too long.
pub fn write(stream: &mut impl Write, text: &str) -> io::Result<()> {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    if length > LONGEST {
        let what = format!("a message of {length} bytes; expected {LONGEST} at the most");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    let bytes = [&length.to_be_bytes(), text.as_bytes()].concat();
    stream.write_all(&bytes)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut wire = Vec::new();
        for text in ["\"Konakis\"", "", "{\"è\":1}"] {
            write(&mut wire, text).unwrap();
        }
        let mut wire = wire.as_slice();
        for text in ["\"Konakis\"", "", "{\"è\":1}"] {
            assert_eq!(read(&mut wire).unwrap().as_deref(), Some(text));
        }
        assert_eq!(read(&mut wire).unwrap(), None);
    }

    #[test]
    fn broken_messages_are_errors() {
        for (bytes, part) in [
            (&b"\0\0"[..], "after 2 bytes of its length"),
            (b"\0\0\0\x05ab", "of 5 bytes ends after 2"),
            (b"\x7f\xff\xff\xffab", "of 2147483647 bytes"),
            (b"\xff\xff\xff\xff", "of 4294967295 bytes"),
            (b"\0\0\0\x02\xff\xfe", "no UTF-8"),
        ] {
            let error = read(&mut &*bytes).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
