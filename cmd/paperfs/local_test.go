package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocalPatterns(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--local", "*.bak", "--local", "Drafts")
	e.must("echo a > media/a.bak && mkdir media/Drafts && echo b > media/Drafts/b && echo c > media/c")
	for path, want := range map[string]string{"a.bak": "local", "Drafts/b": "local", "c": "published"} {
		require.Regexp(t, "state: +"+want, e.succeed("stat", e.path("ipaper/media", path)), path)
	}
	list := e.succeed("status", "--local", e.path("ipaper"))
	require.Regexp(t, `^media/Drafts/ +1 file, 2 B +since \d{4}-.*\nmedia/a\.bak +2 B +since \d{4}-.*\n$`, list)
	require.Contains(t, e.succeed("status", "--local", "--json", e.path("ipaper")), `"path": "Drafts/"`)
	e.must("mv media/a.bak media/a")
	require.Regexp(t, "state: +published", e.succeed("stat", e.path("ipaper/media/a")))
}
