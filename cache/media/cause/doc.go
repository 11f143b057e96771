// Package cause tells what a failure to send something means: whether the service has refused
// it for good, whether the failure may pass, whether it concerns everything that is sent, and
// how long to wait before the next attempt. It has no state.
package cause
