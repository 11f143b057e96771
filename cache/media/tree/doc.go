// Package tree is the tree of media/ in memory: nodes with their names, what the service
// has of each (Version), the state of its newest content (State), and what is here of that
// content (Body).
//
// The Store has the nodes, finds them by number, and writes their rows. Its mutex guards
// them, but for a Body, which has locks of its own. A node's state changes by On alone,
// as the table in state.go tells: package media explains it.
package tree
