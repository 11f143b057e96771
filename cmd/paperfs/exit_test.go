package main

import (
	"fmt"
	"testing"

	"paperfs/remote/service/store"

	"github.com/stretchr/testify/require"
)

func TestDataOfANewerProgramHasItsExitCode(t *testing.T) {
	require.Equal(t, exitNewer, exitCode(fmt.Errorf("open: %w", &store.NewerError{File: "service.db", Have: 9, Newest: 3})))
}
