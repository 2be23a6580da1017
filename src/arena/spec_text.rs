//! The grammar of engine specs: items divided at commas, quotes, and words divided at blanks.

/// Divides a text at its commas and each item at its `=`.
pub(super) fn items(text: &str, command_first: bool) -> Result<Vec<(String, String)>, String> {
    let mut items = vec![String::new()];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(item) = items.last_mut() else { break };
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                item.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => items.push(String::new()),
            _ => item.push(c),
        }
    }
    if quoted {
        return Err("a double quote is not closed".to_owned());
    }
    let items = items.into_iter().enumerate().filter(|(_, item)| !item.trim().is_empty());
    let items: Vec<(String, String)> = items
        .map(|(i, item)| {
            let keyed = item.split_once('=').filter(|(key, _)| is_key(key));
            match keyed {
                Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
                None if i == 0 && command_first => Ok(("cmd".to_owned(), item.trim().to_owned())),
                None => Err(format!("'{}'; expected key=value", item.trim())),
            }
        })
        .collect::<Result<_, _>>()?;
    let twice = items.iter().enumerate().find(|(i, (key, _))| {
        items.iter().take(*i).any(|(other, _)| other.eq_ignore_ascii_case(key))
    });
    match twice {
        Some((_, (key, _))) => Err(format!("{key} is given twice")),
        None => Ok(items),
    }
}

/// Option names may hold anything; other keys are one word, a path with a `=` in it is none.
fn is_key(key: &str) -> bool {
    let key = key.trim();
    key.starts_with("option.") || key.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A value as it stands in a spec.
pub(super) fn quoted(value: &str) -> String {
    let plain = !value.contains([',', '"']) && value.trim() == value;
    if plain { value.to_owned() } else { format!("\"{}\"", value.replace('"', "\"\"")) }
}

/// Divides a text at its blanks; single quotes hold words together.
///
/// # Errors
/// If a quote is not closed.
pub fn split_words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in text.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quoted { Err(format!("'{text}': a single quote is not closed")) } else { Ok(words) }
}

/// The reverse of [`split_words`] for words without single quotes.
pub(super) fn join_words(words: &[String]) -> String {
    let word = |word: &String| {
        let plain = !word.is_empty() && !word.contains(char::is_whitespace);
        if plain { word.clone() } else { format!("'{word}'") }
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_quotes() {
        let pairs = |text: &str| items(text, true);
        let expected = |list: &[(&str, &str)]| {
            Ok(list.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
        };
        assert_eq!(pairs("./a,b=c"), expected(&[("cmd", "./a"), ("b", "c")]));
        assert_eq!(pairs("\"a,b\"\"c\" , x = y ,"), expected(&[("cmd", "a,b\"c"), ("x", "y")]));
        assert_eq!(pairs("/a=b/c"), expected(&[("cmd", "/a=b/c")]));
        assert_eq!(pairs("option.A B=c=d"), expected(&[("option.A B", "c=d")]));
        assert!(pairs("a,nodes=1,nodes=2").is_err() && pairs("a,option.X=1,option.x=2").is_err());
        assert!(pairs("a,b").is_err() && pairs("\"a").is_err() && items("a", false).is_err());
        for text in ["plain", "a,b", "say \"hi\"", " blank ", ""] {
            let item = format!("x={}", quoted(text)).replace("x=\"", "\"x=");
            let read = items(&item, false).unwrap();
            assert_eq!(read[0].1, text.trim(), "{item}");
        }
    }

    #[test]
    fn words_and_quotes() {
        let words = split_words("python3  'my engine.py' '' -x").unwrap();
        assert_eq!(words, ["python3", "my engine.py", "", "-x"]);
        assert_eq!(split_words(&join_words(&words)).unwrap(), words);
        assert!(split_words("'open").is_err());
    }
}
