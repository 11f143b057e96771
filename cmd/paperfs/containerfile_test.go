package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheContainerfileStartsAService checks that the container's command starts a service, and that
// its health check works.
func TestTheContainerfileStartsAService(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	text := strings.NewReplacer("/data", e.path("data"), "/tmp/admin", e.path("admin"), `":8080"`, `"127.0.0.1:0"`).Replace(string(read(t, "../../packaging/Containerfile")))
	command := func(instruction string) (words []string) {
		t.Helper()
		_, rest, found := strings.Cut(text, "\n"+instruction+" ")
		require.True(t, found, instruction)
		line, _, _ := strings.Cut(rest, "\n")
		require.NoError(t, json.Unmarshal([]byte(line), &words))
		return words
	}
	self := command("ENTRYPOINT")
	require.Len(t, self, 1)
	p := e.start(command("CMD")...)
	p.says("paperfs: serving " + e.path("data"))
	health := command("HEALTHCHECK CMD")
	require.Equal(t, self[0], health[0])
	e.succeed(health[1:]...)
}
