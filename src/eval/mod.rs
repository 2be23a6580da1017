//! stub
/// stub
pub fn table(_: &crate::game::any_size::Game) -> Vec<String> {
    Vec::new()
}
