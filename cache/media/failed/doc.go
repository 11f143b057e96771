// Package failed keeps content that was not published, once a path: the newest. The mount
// shows it in failed/. Older PDFs that the service refused with temporary names, and damaged ones,
// have paths of their own.
//
// A crash half-way through Add leaves the content where it was. Store.mu is the lock
// Failures, see package lock.
package failed
