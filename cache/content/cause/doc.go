// Package cause classifies failures to send something: whether the service refused it
// permanently, whether the failure is temporary, whether it affects everything that is sent,
// and how long to wait before the next attempt. It has no state.
package cause
