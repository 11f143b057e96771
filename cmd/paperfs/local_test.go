package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocalPatterns(t *testing.T) {
	e := newEnvironment(t)
	e.mount("--local", "*.bak", "--local", "Drafts")
	e.must("echo a > media/a.bak && mkdir media/Drafts && echo b > media/Drafts/b && echo c > media/c")
	for path, want := range map[string]string{"a.bak": "local", "Drafts/b": "local", "c": "published"} {
		require.Regexp(t, "state: +"+want, e.succeed("stat", e.path("ipaper/media", path)), path)
	}
	e.must("mv media/a.bak media/a")
	require.Regexp(t, "state: +published", e.succeed("stat", e.path("ipaper/media/a")))
}
