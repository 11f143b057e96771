// Package queue sends what closes have queued, in the order that package outbox decides, and says what comes of it: send makes the
// attempts and tells of their failures, fail moves to failed/ what the service refuses, retry sends from there, list shows it all.
package queue
