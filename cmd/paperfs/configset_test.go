package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
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

// inDesktop starts a script in a session bus with an unlocked Secret Service.
const inDesktop = `printf x | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
gdbus wait --session --timeout 180 org.freedesktop.secrets
set -e
`

// TestPasswordInTheDesktopsKeyring checks that config add stores the password there, that doctor
// reads it, and that config remove deletes it; no file of paperfs contains it.
func TestPasswordInTheDesktopsKeyring(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"gdbus", "gnome-keyring-daemon"} {
		testrun.Program(t, name)
	}
	e := newEnvironment(t)
	_, env := e.serving()
	require.NoError(t, os.Mkdir(e.path("run"), 0o700))
	e.set("XDG_RUNTIME_DIR", e.path("run"))
	e.set("URL", env["PAPERFS_URL"])
	e.set("KEY", env["PAPERFS_PASSWORD"])
	cmd := programtest.Command(t, testrun.Patience(), testrun.Program(t, "dbus-run-session"), "--", "sh", "-c", inDesktop+`
		printf '%s\n' "$KEY" | "$0" config add acme --url "$URL/" --username APIKey --password-stdin
		cat .config/paperfs/config.toml
		"$0" doctor acme || true
		"$0" doctor --url "$URL" --username APIKey --keyring || true
		"$0" config add again --url "$URL" --username APIKey --keyring
		"$0" config remove acme
		"$0" doctor again || true
		"$0" config remove again
		! "$0" doctor --url "$URL" --username APIKey --keyring
		! "$0" doctor --url "$URL" --username other --keyring
		echo all`, program)
	cmd.Env, cmd.Dir = e.vars, e.home
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	text := string(out)
	require.Contains(t, text, "keyring = true\n")
	require.NotContains(t, text, env["PAPERFS_PASSWORD"])
	require.Regexp(t, `(?s)credentials: accepted.*credentials: accepted.*credentials: accepted.*`+
		`--keyring: the desktop's keyring has no password of APIKey at http://127.*run: secret-tool store .* username APIKey\n.*no password of other.*all\n$`, text)
	require.NoFileExists(t, e.path(".config/paperfs/acme.password"))
}

// TestNoKeyringIsSaidInWords checks that a command without a keyring says so at once.
func TestNoKeyringIsSaidInWords(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	args := []string{"--url", "https://x.example", "--username", "me", "--keyring"}
	require.Contains(t, e.doctor(args...)("settings")[0].Says, "--keyring: the desktop's keyring cannot be read: there is no desktop session")
	e.set("DBUS_SESSION_BUS_ADDRESS", "unix:path="+e.path("none"))
	require.Contains(t, e.doctor(args...)("settings")[0].Says, "--keyring: the desktop's keyring cannot be read: dial unix")
}

// TestPasswordCommand checks that the password is the first line of the command's output, and that
// a failure is reported.
func TestPasswordCommand(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	require.NoError(t, os.WriteFile(e.path("key"), []byte(env["PAPERFS_PASSWORD"]+"\nurl: x\n"), 0o600))
	e.profiles("[acme]\nurl = '" + env["PAPERFS_URL"] + "'\nusername = 'APIKey'\npassword_command = 'cat ~/key'\n")
	require.Equal(t, doctor.OK, e.doctor("acme")("credentials")[0].Level)
	for command, says := range map[string]string{"echo why >&2; exit 3": "--password-command: exit status 3", "true": "--password-command: it prints no password",
		"yes": "--password-command: it prints more than 65536 bytes"} {
		require.Equal(t, says, e.doctor("acme", "--password-command", command)("settings")[0].Says)
	}
	// The process that the command leaves running holds its output open.
	t.Cleanup(func() { _ = exec.Command("sh", "-c", "kill $(cat "+e.path("left")+")").Run() })
	require.Equal(t, doctor.OK, e.doctor("acme", "--password-command", "cat ~/key; tail -f /dev/null & echo $! > ~/left")("credentials")[0].Level)
	require.Contains(t, e.doctor("acme", "--password-command", "true", "--keyring")("settings")[0].Says, "--password-command and --keyring are both set")
}
