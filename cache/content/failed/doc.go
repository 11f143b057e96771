// Package failed stores content that was not published, the newest of each place: of a file of media/ its path, of a
// PDF its paper or, before that is made, its name in a category. So what others rename or move keeps its own entry. The mount
// shows it in failed/. Damaged PDFs stay beside it under a suffix, and so do older PDFs that the
// service refused under temporary names or that a killed mount left, and queued content that fails after newer.
//
// A crash during Add leaves the content where it was. The row of an entry names its spool, and is
// removed only after the row that had the content queued, so that discarded content is not reported
// as lost. Tree.Mu is the lock Failures (see
// package lock).
package failed
