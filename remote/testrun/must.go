package testrun

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Must takes what a call has returned, and returns its value to a test, which ends where the call failed:
//
//	text := testrun.Must(os.ReadFile(path))(t)
func Must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}

// Must2 is Must of a call that returns two values.
func Must2[T, U any](value T, other U, err error) func(testing.TB) (T, U) {
	return func(t testing.TB) (T, U) {
		t.Helper()
		return Must(value, err)(t), other
	}
}
