package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/fs/control"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// profiles writes the file of the user's profiles.
func (e *environment) profiles(text string) string {
	e.t.Helper()
	path := e.path(".config", "paperfs", "config.toml")
	require.NoError(e.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(e.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestEachSettingComesFromTheFirstPlaceThatHasIt checks the order flag, environment, profile,
// default, and that config show names the source.
func TestEachSettingComesFromTheFirstPlaceThatHasIt(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	file := e.profiles("[acme]\nurl = 'https://acme.example'\nusername = 'me'\npassword_file = '~/key'\nrpm = 7\ntree_ttl = '9m'\nallow_delete = true\nlocal = ['*.bak', '*.o']\ndata = 'here'\n")
	e.set("PAPERFS_TREE_TTL", "3m")
	e.set("PAPERFS_CONTENT_HOST", "a.example,b.example")
	shown := e.succeed("config", "show", "acme", "--rpm", "9")
	for _, line := range []string{
		`rpm +9 +--rpm`, `tree_ttl +3m0s +PAPERFS_TREE_TTL`, `content_host +\[a.example,b.example\] +PAPERFS_CONTENT_HOST`,
		`allow_delete +true +` + file + `:7`, `local +\[\*.bak,\*.o\] +` + file + `:8`, `document_ttl +1m0s +default`,
		`password_file +` + e.path("key") + ` +` + file + `:4`, `data +` + e.path(".config/paperfs/here") + ` +` + file + `:9`, `password +- +default`,
	} {
		require.Regexp(t, "(?m)^"+line+"$", shown)
	}
	e.set("PAPERFS_PASSWORD", "secret")
	shown = e.succeed("config", "show", "acme")
	require.Regexp(t, `(?m)^password +\(not shown\) +PAPERFS_PASSWORD$`, shown)
	require.Regexp(t, `(?m)^password_file +- +default$`, shown, "a password in the environment replaces the profile's password file")
	require.NotContains(t, shown, "secret")
	require.Regexp(t, `(?m)^rpm +45 +default$`, newEnvironment(t).succeed("config", "show", "--url", "https://x.example"))
}

// TestErrorsInAProfileNameThePlace checks that an error names the line and the key, and says what
// to do.
func TestErrorsInAProfileNameThePlace(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"[acme]\nusrname = 'x'\n":                       ":2: acme: usrname: there is no such setting: did you mean username?\n",
		"[acme]\ntree-ttl = '5m'\n":                     ":2: acme: tree-ttl: there is no such setting: did you mean tree_ttl?\n",
		"[acme]\nnothing_like_it = 1\n":                 "there is no such setting: paperfs config show lists all\n",
		"[acme]\n\ntree_ttl = 300\n":                    ":3: acme: tree_ttl: give a time with its unit, such as \"90s\" or \"5m\"\n",
		"[acme]\nurl = 7\n":                             ":2: acme: url: give a text in quotes\n",
		"[acme]\nread_only = 'yes'\n":                   ":2: acme: read_only: give true or false, without quotes\n",
		"[acme]\nread_only = 'true'\n":                  ":2: acme: read_only: give true or false, without quotes\n",
		"[acme]\nallow_delete = 1\n":                    ":2: acme: allow_delete: give true or false, without quotes\n",
		"[acme]\nrpm = '5'\n":                           ":2: acme: rpm: give a whole number, without quotes\n",
		"[acme]\nlocal = true\n":                        ":2: acme: local: give a list of texts\n",
		"[acme]\nrpm = -3\n":                            "rpm of profile acme (",
		"[acme]\npassword = 3\n":                        ":2: acme: password: give a text in quotes\n",
		"[acme\n":                                       ":1: ",
		"[amce]\n":                                      "there is no profile \"acme\" in ",
		"[acme]\nurl = 'https://x.example'\n":           "username of profile acme is not set\n",
		"[acme]\nusername = 'me'\n":                     "url of profile acme is not set, but",
		"[acme]\npassword = 'a'\npassword_file = 'b'\n": "password_file of profile acme (",
		"[acme]\nurl = 'https://x.example'\nusername = 'me'\npassword_file = 'none'\n": ":4): open ",
	} {
		e := newEnvironment(t)
		e.profiles(text)
		e.fail(cli.ExitUsage, says, "mount", "acme", e.path("ipaper"))
		require.NoDirExists(t, e.path("ipaper"))
	}
	e := newEnvironment(t)
	e.fail(cli.ExitUsage, "Run: paperfs config add acme\n", "mount", "acme", e.path("ipaper"))
	e.fail(cli.ExitUsage, "Run: paperfs config add --config "+e.path("my.toml")+" acme\n", "mount", "--config", "my.toml", "acme", e.path("ipaper"))
	require.NoError(t, unix.Mkfifo(e.path("pipe"), 0o600))
	e.fail(cli.ExitUsage, "pipe is not a regular file", "config", "list", "--config", "pipe")
	e.fail(cli.ExitUsage, "not a regular file: name one, or journal\n", "mount", "--log-file", "pipe", e.path("ipaper"))
	e.succeed("config", "list", "--config", "/dev/null")
	file := e.profiles("[acme]\nurl = 'https://x.example'\nusername = 'me'\npassword = 'x'\n")
	require.NoError(t, os.Chmod(file, 0o640))
	e.fail(cli.ExitUsage, file+":4: acme: there is a password here, and others can read the file. Run: chmod 600 "+file, "config", "show", "acme")
	require.NoError(t, os.Chmod(file, 0o600))
	e.set("PAPERFS_URL", "https://other.example")
	e.fail(cli.ExitUsage, "PAPERFS_URL is https://other.example, and password of profile acme ("+file+":4) is for another service", "mount", "acme", e.path("ipaper"))
}

// TestProfilesOfSeveralServices checks that a script can add, test, mount at the same time, and
// remove profiles, and that no password is shown.
func TestProfilesOfSeveralServices(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	key := env["PAPERFS_PASSWORD"]
	add := programtest.Command(t, testrun.Patience(), program, "config", "add", "acme", "--url", env["PAPERFS_URL"], "--username", env["PAPERFS_USERNAME"], "--password-stdin", "--rpm", "0", "--allow-delete")
	add.Stdin, add.Env = strings.NewReader(key+"\n"), e.vars
	out, err := add.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "paperfs doctor acme")
	e.succeed("config", "add", "studio", "--data", e.path("studio-data"))
	e.fail(cli.ExitUsage, "Run: paperfs config remove studio", "config", "add", "studio")
	e.fail(cli.ExitUsage, "there is no --url, and no terminal to ask on. Give --url and --username or, for the embedded service, --data "+e.path(".local"), "config", "add", "x")
	e.fail(cli.ExitUsage, "but no --url", "config", "add", "x", "--password-stdin")
	e.fail(cli.ExitUsage, "--username is missing", "config", "add", "x", "--url", "https://x.example")
	e.fail(cli.ExitUsage, "allow plain http", "config", "add", "x", "--url", "http://x.example", "--username", "me")
	require.Regexp(t, `^acme +`+env["PAPERFS_URL"]+`\nstudio +embedded service\n$`, e.succeed("config", "list"))
	file := testrun.Must(os.ReadFile(e.path(".config/paperfs/config.toml")))(t)
	require.Equal(t, "[acme]\nurl = '"+env["PAPERFS_URL"]+"'\nusername = 'APIKey'\nallow_delete = true\nrpm = 0\npassword_file = '"+e.path(".config/paperfs/acme.password")+
		"'\n\n[studio]\ndata = '"+e.path("studio-data")+"'\n", string(file))

	_, tested, _ := e.run("doctor", "acme")
	require.Contains(t, tested, "credentials: accepted; the root is /")
	require.NotContains(t, tested+e.succeed("config", "show", "acme"), key)

	require.Equal(t, doctor.OK, e.doctor("acme")("credentials")[0].Level)

	e.detachLater()
	acme := e.start("mount", "acme", e.path("ipaper"))
	acme.says("mounted " + env["PAPERFS_URL"])
	studio := e.start("mount", "studio", e.path("studio"))
	defer e.run("umount", "--force", e.path("studio"))
	studio.says("data in " + e.path("studio-data"))
	e.must("mkdir papers/X && ls ../studio/papers && rmdir papers/X")
	var s control.Status
	require.NoError(t, json.Unmarshal([]byte(e.succeed("status", "--json", e.path("ipaper"))), &s))
	require.Equal(t, env["PAPERFS_URL"], s.Service.URL)
	for _, p := range []*process{acme, studio} {
		require.NotContains(t, p.stderr.String(), key)
		p.signal(syscall.SIGTERM)
		require.Equal(t, cli.ExitOK, p.wait(), p.stderr)
	}

	require.NoError(t, os.WriteFile(e.path(".config/paperfs/acme.password"), []byte("wrong"), 0o600))
	require.Equal(t, doctor.Failure, e.doctor("acme")("credentials")[0].Level)
	e.succeed("config", "remove", "acme")
	require.NoFileExists(t, e.path(".config/paperfs/acme.password"))
	require.Regexp(t, `^studio +`, e.succeed("config", "list"))
}

// TestAProfileThatCannotBeWrittenLeavesNoPassword links the profiles to an empty file in a directory
// where not even root can make one. That is no wrong usage, and works once the directory is another.
func TestAProfileThatCannotBeWrittenLeavesNoPassword(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	file := e.profiles("")
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Symlink("/proc/self/timers", file))
	password := e.path(".config/paperfs/acme.password")
	add := func() int {
		cmd := programtest.Command(t, testrun.Patience(), program, "config", "add", "acme", "--url", "https://x.example", "--username", "me", "--password-stdin")
		cmd.Stdin, cmd.Env = strings.NewReader("secret\n"), e.vars
		out, _ := cmd.CombinedOutput()
		t.Logf("%s", out)
		return cmd.ProcessState.ExitCode()
	}
	require.Equal(t, cli.ExitFailure, add())
	require.NoFileExists(t, password)
	require.NoError(t, os.Remove(file))
	require.Equal(t, cli.ExitOK, add())
	require.FileExists(t, password)
}
