// Package failed keeps content that was not published, once a path: the newest. The mount
// shows it in failed/.
//
// A crash half-way through Add leaves the content where it was. Store.mu is the lock
// Failures, see package lock.
package failed
