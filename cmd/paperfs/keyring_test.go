package main

import (
	"os"
	"os/exec"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// inDesktop starts a script in a session bus with an unlocked Secret Service.
const inDesktop = `printf x | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
gdbus wait --session --timeout 180 org.freedesktop.secrets
set -e
`

// TestPasswordInTheDesktopsKeyring checks that config add stores the password there, that config
// test reads it, and that config remove deletes it; no file of paperfs contains it.
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
		"$0" config test acme
		"$0" config test --url "$URL" --username APIKey --keyring
		"$0" config add again --url "$URL" --username APIKey --keyring
		"$0" config remove acme
		"$0" config test again
		"$0" config remove again
		! "$0" config test --url "$URL" --username APIKey --keyring
		! "$0" config test --url "$URL" --username other --keyring
		echo all`, program)
	cmd.Env, cmd.Dir = e.vars, e.home
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	text := string(out)
	require.Contains(t, text, "keyring = true\n")
	require.NotContains(t, text, env["PAPERFS_PASSWORD"])
	require.Regexp(t, `(?s)accepts the user name APIKey.*accepts the user name APIKey.*accepts the user name APIKey.*`+
		`--keyring: the desktop's keyring has no password of APIKey at http://127.*run: secret-tool store .* username APIKey\n.*no password of other.*all\n$`, text)
	require.NoFileExists(t, e.path(".config/paperfs/acme.password"))
}

// TestNoKeyringIsSaidInWords checks that a command without a keyring says so at once.
func TestNoKeyringIsSaidInWords(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.fail(cli.ExitUsage, "--keyring: the desktop's keyring cannot be read: there is no desktop session", "config", "test", "--url", "https://x.example", "--username", "me", "--keyring")
	e.set("DBUS_SESSION_BUS_ADDRESS", "unix:path="+e.path("none"))
	e.fail(cli.ExitUsage, "--keyring: the desktop's keyring cannot be read: dial unix", "config", "test", "--url", "https://x.example", "--username", "me", "--keyring")
}

// TestPasswordCommand checks that the password is the first line of the command's output, and that
// a failure is reported.
func TestPasswordCommand(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	require.NoError(t, os.WriteFile(e.path("key"), []byte(env["PAPERFS_PASSWORD"]+"\nurl: x\n"), 0o600))
	e.profiles("[acme]\nurl = '" + env["PAPERFS_URL"] + "'\nusername = 'APIKey'\npassword_command = 'cat ~/key'\n")
	require.Contains(t, e.succeed("config", "test", "acme"), "accepts the user name APIKey")
	for command, says := range map[string]string{"echo why >&2; exit 3": "why\npaperfs: --password-command: exit status 3\n", "true": "--password-command: it prints no password\n",
		"yes": "--password-command: it prints more than 65536 bytes\n"} {
		e.fail(cli.ExitUsage, says, "config", "test", "acme", "--password-command", command)
	}
	// The process that the command leaves running holds its output open.
	t.Cleanup(func() { _ = exec.Command("sh", "-c", "kill $(cat "+e.path("left")+")").Run() })
	e.succeed("config", "test", "acme", "--password-command", "cat ~/key; tail -f /dev/null & echo $! > ~/left")
	e.fail(cli.ExitUsage, "--password-command and --keyring are both set", "config", "test", "acme", "--password-command", "true", "--keyring")
}
