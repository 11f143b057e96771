// Package reconcile keeps the tree as the service has it: what a colleague's version does to a file is decided here.
//
// A Reconciler fetches the tree when it is old (refresh), or before a change that must not overlook a version of others (turn), and
// applies the answer (reconcile, vanished), or what the service tells of some files (hear). What programs here hold keeps its inode,
// and the version of others is noted beside it (conflict): no upload replaces that unseen. Everything else gets a new inode.
package reconcile
