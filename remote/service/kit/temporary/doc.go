// Package temporary starts the engines that nodes share, for tests and measurements: a PostgreSQL
// that only this machine can reach, and an object store. [InMemory] says where temporary files of tests are.
//
// # Invariants
//
//   - An engine ends with the process that started it, however that ends: a shell reads from
//     a pipe of that process, and cleans up when the pipe closes.
//   - ^C at a terminal does not reach an engine directly.
//   - The error is [ErrMissing] if the program is not installed.
package temporary

import "errors"

// ErrMissing means that the program of an engine is not installed.
var ErrMissing = errors.New("not installed")
