package main

import (
	"os"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestAProfileIsChanged changes settings of one profile of several, whose file people have written, and checks that the rest stays as it is.
func TestAProfileIsChanged(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	file := e.profiles("# ours\n[other]\ndata = 'd'\ntree_ttl = '1m'\n\n[acme] # the real one\nurl = 'https://acme.example'\n# who\nusername = 'me'\nlocal = [\n  '*.bak', # old\n  '*.o',\n]\ntree_ttl = \"\"\"9m\"\"\"  # long\nallow_delete = true\n\n\n# the last\n[last]\ndata = 'x'")
	e.certificate()
	e.set("PAPERFS_URL", "https://elsewhere.example")
	e.set("PAPERFS_USERNAME", "other")
	e.succeed("config", "set", "acme", "tree-ttl=10m", "local=*.a", "local=*.b", "allow_delete=", "rpm=7", "ca_file=~/cert.pem", "username=you")
	want := "# ours\n[other]\ndata = 'd'\ntree_ttl = '1m'\n\n[acme] # the real one\nurl = 'https://acme.example'\n# who\nusername = 'you'\nlocal = ['*.a', '*.b']\ntree_ttl = '10m0s'\nca_file = '" + e.path("cert.pem") + "'\nrpm = 7\n\n\n# the last\n[last]\ndata = 'x'"
	is := func() string {
		return string(testrun.Must(os.ReadFile(file))(t))
	}
	require.Equal(t, want, is())
	for says, args := range map[string][]string{
		"there is no setting tree_tl for an argument":                  {"acme", "tree_tl=1m"},
		`--tree-ttl "300": give a time with its unit`:                  {"acme", "rpm=3", "tree_ttl=300"},
		"rpm is -3: give at least 0":                                   {"acme", "rpm=-3"},
		"write url=VALUE":                                              {"acme", "url"},
		"there is no setting password for an argument":                 {"acme", "password=secret"},
		"allow plain http":                                             {"acme", "url=http://acme.example"},
		"there is no terminal to ask for a password on":                {"acme"},
		"the profile last is one of the embedded service, which needs": {"last"},
		"there is no profile \"acm\"":                                  {"acm", "rpm=3"},
	} {
		e.fail(cli.ExitUsage, says, append([]string{"config", "set"}, args...)...)
	}
	require.Equal(t, want, is())
	e.succeed("config", "set", "last", "read_only=true")
	require.Equal(t, want+"\nread_only = true\n", is())
}

// TestAProfileGetsANewKey checks that a new password goes where the profile has its old one, and needs no other change.
func TestAProfileGetsANewKey(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	file := e.profiles("[named]\nurl = 'https://a.example'\nusername = 'me'\npassword_file = '../key'\n\n[inside]\nurl = 'https://a.example'\nusername = 'me'\npassword = 'old'\n\n" +
		"[none]\nurl = 'https://a.example'\nusername = 'me'\n\n[command]\nurl = 'https://a.example'\nusername = 'me'\npassword_command = 'echo x'\n")
	before := testrun.Must(os.ReadFile(file))(t)
	require.NoError(t, os.WriteFile(e.path(".config/key"), []byte("old\n"), 0o600))
	set := func(name string) (string, error) {
		cmd := programtest.Command(t, testrun.Patience(), program, "config", "set", name, "--password-stdin")
		cmd.Stdin, cmd.Env = strings.NewReader("new-4711\n"), e.vars
		out, err := cmd.CombinedOutput()
		require.NotContains(t, string(out), "4711")
		return string(out), err
	}
	for _, name := range []string{"named", "inside", "none", "none"} {
		out, err := set(name)
		require.NoError(t, err, out)
	}
	out, err := set("command")
	require.Error(t, err)
	require.Contains(t, out, "the password comes from password_command of profile command ("+file+":")
	e.succeed("config", "set", "command", "password_file="+e.path(".config/key"))
	for path, want := range map[string]string{
		".config/key":                   "new-4711\n",
		".config/paperfs/none.password": "new-4711\n",
		".config/paperfs/config.toml": strings.Replace(strings.Replace(strings.Replace(string(before), "password = 'old'", "password = 'new-4711'", 1),
			"password_command = 'echo x'", "password_file = '"+e.path(".config/key")+"'", 1),
			"username = 'me'\n\n[command]", "username = 'me'\npassword_file = '"+e.path(".config/paperfs/none.password")+"'\n\n[command]", 1),
	} {
		require.Equal(t, want, string(testrun.Must(os.ReadFile(e.path(path)))(t)), path)
		info := testrun.Must(os.Stat(e.path(path)))(t)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), path)
	}
}
