package configure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/profile"
)

// TestALineIsReadAndNoMore checks that the next line is left for the next question.
func TestALineIsReadAndNoMore(t *testing.T) {
	in := strings.NewReader("me\nsecret\nhalf")
	for _, want := range []string{"me", "secret"} {
		line, err := readLine(in)
		require.NoError(t, err)
		require.Equal(t, want, line)
	}
	_, err := readLine(in)
	require.Error(t, err, "an answer without its end is none")
}

// TestAPasswordIsForItsUserAlone checks the file of a password, and that nothing else is left.
func TestAPasswordIsForItsUserAlone(t *testing.T) {
	c := config.New()
	c.ConfigFile = filepath.Join(t.TempDir(), "profiles", "config.toml")
	path := passwordFileOf(c, "acme")
	require.Equal(t, filepath.Join(filepath.Dir(c.ConfigFile), "acme.password"), path)
	require.NoError(t, writePassword(path, "secret"))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "secret\n", string(text))
	for file, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), file)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, []string{"-", "(not shown)"}, []string{hidden(""), hidden("secret")})
}

// TestAPasswordFileOfTwoProfiles checks that the file is known to be another profile's too.
func TestAPasswordFileOfTwoProfiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(file, []byte("[a]\nurl = 'https://x.example'\nusername = 'me'\npassword_file = '/k'\n\n[b]\npassword_file = '/k'\n\n[c]\npassword_file = '/other'\n"), 0o600))
	all, err := profile.Load(file)
	require.NoError(t, err)
	a, err := all.Profile("a")
	require.NoError(t, err)
	require.True(t, namedByOthers("/k", a, all))
	c, err := all.Profile("c")
	require.NoError(t, err)
	require.False(t, namedByOthers("/other", c, all))
	url, username := accountOfProfile(a)
	require.Equal(t, []string{"https://x.example", "me"}, []string{url, username})
}
