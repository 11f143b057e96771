// Package temporary starts the engines that nodes share, for tests and measurements: a
// PostgreSQL that only this machine reaches, and an object store.
//
// # Invariants
//
//   - What was started ends with the process that started it, however that ends: a shell
//     reads from a pipe of that process, and clears up where the pipe ends.
//   - ^C at a terminal does not reach an engine by itself.
//   - [ErrMissing] is the error where the program is not installed.
package temporary

import "errors"

// ErrMissing tells that the program of an engine is not installed here.
var ErrMissing = errors.New("not installed")
