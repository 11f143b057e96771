// Package statetest prepares the state of an account for tests.
//
// [Prepare] puts a new, already migrated database where a state is opened: the migrations take
// longer than most tests that need a state. Those of package state run them.
//
// The database of a process is made once, under the lock of a sync.OnceValues.
package statetest
