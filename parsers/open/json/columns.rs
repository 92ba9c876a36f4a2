//! The columns of records: each path to a value is one, in the order of first sight.

use rustc_hash::FxHashMap;

use super::super::MOST_ROW;
use super::MOST_COLUMNS;

/// A place in the tree of paths; the root is the record itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path(usize);

/// Where a record begins.
pub(super) const RECORD: Path = Path(0);

/// Why a value has no column.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The record has the field, by its dotted name, already.
    Twice(String),
    /// There are more columns than may be.
    TooMany,
    /// The names of all columns are longer than a row may be.
    TooLong,
}

/// A path or column, or why not.
pub(super) type Taken<T> = std::result::Result<T, Refused>;

/// The paths that records have had, and the columns they are.
#[derive(Debug)]
pub(super) struct Columns {
    nodes: Vec<Node>,
    pub(super) names: Vec<String>,
    /// The record that last had a value in the column.
    filled: Vec<u32>,
    by_name: FxHashMap<String, usize>,
    length: usize,
}

#[derive(Debug, Default)]
struct Node {
    parent: usize,
    key: Box<str>,
    children: FxHashMap<Box<str>, usize>,
    column: Option<usize>,
    /// The record that last had this path.
    seen: u32,
}

impl Columns {
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node::default()],
            names: Vec::new(),
            filled: Vec::new(),
            by_name: FxHashMap::default(),
            length: 0,
        }
    }

    /// The path of a field, which a record (counted from 1) may have once.
    pub(super) fn field(&mut self, parent: Path, key: &str, record: u32) -> Taken<Path> {
        let node = match self.nodes[parent.0].children.get(key) {
            Some(node) => *node,
            None => {
                let node = self.nodes.len();
                // Fields without a value are no columns, and would have no bound.
                if node > 4 * MOST_COLUMNS {
                    return Err(Refused::TooMany);
                }
                self.nodes.push(Node { parent: parent.0, key: key.into(), ..Node::default() });
                self.nodes[parent.0].children.insert(key.into(), node);
                node
            }
        };
        if self.nodes[node].seen == record {
            return Err(Refused::Twice(self.name(node)));
        }
        self.nodes[node].seen = record;
        Ok(Path(node))
    }

    /// The column of a path that holds a value.
    pub(super) fn column(&mut self, path: Path, record: u32) -> Taken<usize> {
        let column = match self.nodes[path.0].column {
            Some(column) => column,
            None => self.add(path.0)?,
        };
        // {"a.b": 1, "a": {"b": 2}} are two paths of one name.
        if self.filled[column] == record {
            return Err(Refused::Twice(self.names[column].clone()));
        }
        self.filled[column] = record;
        Ok(column)
    }

    fn add(&mut self, node: usize) -> Taken<usize> {
        let name = self.name(node);
        let column = match self.by_name.get(&name) {
            Some(column) => *column,
            None => {
                self.length += name.len() + 3;
                if self.length > MOST_ROW {
                    return Err(Refused::TooLong);
                }
                if self.names.len() == MOST_COLUMNS {
                    return Err(Refused::TooMany);
                }
                self.names.push(name.clone());
                self.filled.push(0);
                self.by_name.insert(name, self.names.len() - 1);
                self.names.len() - 1
            }
        };
        self.nodes[node].column = Some(column);
        Ok(column)
    }

    /// The keys on the way to a place, joined with points.
    fn name(&self, mut node: usize) -> String {
        let mut keys: Vec<&str> = Vec::new();
        while node != RECORD.0 {
            keys.push(&self.nodes[node].key);
            node = self.nodes[node].parent;
        }
        keys.reverse();
        keys.join(".")
    }
}
