// Package serving is about the process that serves a mount: whether it lives, and how a mount and an
// account are freed that it left when it was killed.
package serving
