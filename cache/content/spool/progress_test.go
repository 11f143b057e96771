package spool

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestUploadsAreToldWhileTheyRun checks what is told of each, and that no more is told than it has.
func TestUploadsAreToldWhileTheyRun(t *testing.T) {
	t.Parallel()
	var table Progress
	require.True(t, table.Idle())
	one, two := &Content{Length: 10}, &Content{Length: 20}
	table.Begin(one, func() string { return "a" }, time.Time{})
	table.Begin(two, func() string { return "b" }, time.Time{})
	one.Sending(7)
	two.Sending(25) // with what surrounds the content in the request
	require.Equal(t, map[string]int64{"a": 7, "b": 20}, table.ByPath())
	one.Sending(0) // another request
	table.End(two)
	require.Equal(t, map[string]int64{"a": 0}, table.ByPath())
	require.False(t, table.Idle())
	table.End(one)
	require.True(t, table.Idle())
	require.Empty(t, table.List())
}
