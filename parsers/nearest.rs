//! The known word that a mistyped one most likely stands for.

/// The known word nearest to a typed one, for "did you mean"; `None` if none is near enough.
///
/// Capital letters do not count, nor which of two neighbouring letters was typed first. A third of a
/// word may be wrong, two letters in a short one; of equally near words the first by the alphabet.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.trim().to_lowercase();
    let far = |word: &str| strsim::damerau_levenshtein(&word.to_lowercase(), &typed);
    let (distance, word) = known.into_iter().map(|word| (far(word), word)).min()?;
    (distance <= 2.max(word.chars().count() / 3)).then_some(word)
}

/// The known key or word nearest to an unknown one, from what serde says of it: "unknown field `x`,
/// expected one of `a`, `b`".
pub fn meant(said: &str) -> Option<&str> {
    let unknown = said.starts_with("unknown field") || said.starts_with("unknown variant");
    let mut quoted = said.split('`').skip(1).step_by(2);
    let found = quoted.next().filter(|_| unknown)?;
    nearest(found, quoted)
}
