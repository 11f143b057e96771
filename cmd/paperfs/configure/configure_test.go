package configure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/profile"
	"paperfs/remote/testrun"
)

// TestALineIsReadAndNoMore checks that the next line is left for the next question.
func TestALineIsReadAndNoMore(t *testing.T) {
	in := strings.NewReader("me\nsecret\nhalf")
	for _, want := range []string{"me", "secret"} {
		require.Equal(t, want, testrun.Must(readLine(in))(t))
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
	require.Equal(t, "secret\n", string(testrun.Must(os.ReadFile(path))(t)))
	for file, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		require.Equal(t, mode, testrun.Must(os.Stat(file))(t).Mode().Perm(), file)
	}
	require.Len(t, testrun.Must(os.ReadDir(filepath.Dir(path)))(t), 1)
	require.Equal(t, []string{"-", "(not shown)"}, []string{hidden(""), hidden("secret")})
}

// TestAPasswordFileOfTwoProfiles checks that the file is known to be another profile's too.
func TestAPasswordFileOfTwoProfiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(file, []byte("[a]\nurl = 'https://x.example'\nusername = 'me'\npassword_file = '/k'\n\n[b]\npassword_file = '/k'\n\n[c]\npassword_file = '/other'\n"), 0o600))
	all := testrun.Must(profile.Load(file))(t)
	a := testrun.Must(all.Profile("a"))(t)
	require.True(t, namedByOthers("/k", a, all))
	c := testrun.Must(all.Profile("c"))(t)
	require.False(t, namedByOthers("/other", c, all))
	url, username := accountOfProfile(a)
	require.Equal(t, []string{"https://x.example", "me"}, []string{url, username})
}
