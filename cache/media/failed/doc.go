// Package failed keeps content that was not published, once a path: the newest. The mount
// shows it in failed/. Damaged PDFs, and older ones that the service refused with temporary names or that
// a killed mount left, have paths of their own.
//
// A crash half-way through Add leaves the content where it was. Store.mu is the lock
// Failures, see package lock.
package failed
