package profile

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAKeyringThatDoesNotAnswerIsLeft(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/none")
	never := make(chan struct{})
	defer close(never)
	require.ErrorContains(t, withKeyring(time.Millisecond, func() error { <-never; return nil }), "has not answered for 1ms")
}
