// Package tree holds the tree of media/ in memory. Its types are Node (a file or directory with
// its names), Version (a file's content at the service), State (how its newest content relates
// to that) and Body (its local content).
//
// A names.Tree owns the nodes, finds them by number and writes their rows. Its Mu guards them,
// except for a Body, which has its own locks. Only On changes a node's state, following the
// table in state.go, which package media explains.
package tree
