package main

import (
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// servedOnce returns an environment whose data directory has a tenant acme, and a file of the
// tenant default in its own content file. The signal end has ended the service.
func servedOnce(t *testing.T, end syscall.Signal) *environment {
	e := newEnvironment(t)
	p, env := e.serving()
	e.admin("tenant", "add", "acme")
	_, body := call(t, http.DefaultClient, env["PAPERFS_URL"], "Media", "UploadFile", url.Values{"username": {env["PAPERFS_USERNAME"]}, "password": {env["PAPERFS_PASSWORD"]},
		"parentID": {"0"}, "name": {"file"}, "base64File": {strings.Repeat("AAAA", 100_000)}})
	require.Contains(t, body, "SUCCESS")
	p.signal(end)
	p.wait()
	return e
}

// dataFiles returns all files of the data directory with their content, except the lock.
func (e *environment) dataFiles() map[string]string {
	e.t.Helper()
	all := map[string]string{}
	require.NoError(e.t, filepath.WalkDir(e.path("data"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == "lock" {
			return err
		}
		all[path] = ""
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			all[path] = string(text)
			return err
		}
		return nil
	}))
	return all
}

// adminCommands lists all forms of the administrator's commands, and whether they need content.
var adminCommands = []struct {
	args    string
	content bool
}{
	{"tenant list", false}, {"tenant add new", false}, {"tenant set new --root-url /new/", false}, {"tenant remove acme --yes", true},
	{"account list", false}, {"account add me", false}, {"account rotate me", false}, {"account remove me", false},
	{"field list", false}, {"field add Season", false}, {"field remove Season --yes", false},
	{"readonly on", false}, {"readonly off", false}, {"import ../import.xml", false},
	{"check", true}, {"check --deep --json", true}, {"check --fix", true}, {"backup ../backup", true},
}

// adminIn runs a command of adminCommands; its files are next to the data.
func (e *environment) adminIn(args string) (code int, stderr string) {
	e.t.Helper()
	text := testrun.Must(os.ReadFile(filepath.Join("..", "..", "remote", "service", "testdata", "import.xml")))(e.t)
	require.NoError(e.t, os.WriteFile(e.path("import.xml"), text, 0o600))
	all := []string{"admin", "--data", e.path("data")}
	for _, arg := range strings.Fields(args) {
		all = append(all, strings.Replace(arg, "..", e.home, 1))
	}
	code, _, stderr = e.run(all...)
	return code, stderr
}

// TestAdminCommandsSayWhatServeSays checks content without its database: admin commands have the
// same message and exit code as serve, and change nothing.
func TestAdminCommandsSayWhatServeSays(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(data string) error{
		"missing": func(data string) error { return os.Remove(filepath.Join(data, "service.db")) },
		"empty":   func(data string) error { return os.Truncate(filepath.Join(data, "service.db"), 0) },
		"another program's": func(data string) error {
			return os.WriteFile(filepath.Join(data, "service.db"), []byte("something else, and long enough to be looked at as a database, which it is not"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := servedOnce(t, syscall.SIGTERM)
			require.NoError(t, spoil(e.path("data")))
			before := e.dataFiles()
			code, _, said := e.run("serve", "--data", e.path("data"), "--listen", "127.0.0.1:0")
			require.Equal(t, cli.ExitForeignData, code, said)
			for _, c := range adminCommands {
				code, stderr := e.adminIn(c.args)
				require.Equal(t, cli.ExitForeignData, code, "%s: %s", c.args, stderr)
				require.Equal(t, said, stderr, c.args)
				require.Equal(t, before, e.dataFiles(), c.args)
			}
			require.NoDirExists(t, e.path("backup"))
		})
	}
}

// TestAdminCommandsWhileContentIsAway checks that commands that need no content work, that a key
// can be rotated, and that the others report what serve reports.
func TestAdminCommandsWhileContentIsAway(t *testing.T) {
	t.Parallel()
	e := servedOnce(t, syscall.SIGTERM)
	content := e.path("data", "content")
	require.NoError(t, os.Rename(content, e.path("aside")))
	code, _, said := e.run("serve", "--data", e.path("data"), "--listen", "127.0.0.1:0")
	require.Equal(t, cli.ExitForeignData, code, said)
	for _, c := range adminCommands {
		code, stderr := e.adminIn(c.args)
		if c.content {
			require.Equal(t, cli.ExitForeignData, code, "%s: %s", c.args, stderr)
			require.Equal(t, said, stderr, c.args)
		} else {
			require.Equal(t, cli.ExitOK, code, "%s: %s", c.args, stderr)
		}
		require.NoDirExists(t, content)
	}
	require.NoError(t, os.Rename(e.path("aside"), content))
	for _, c := range adminCommands {
		if c.content {
			code, stderr := e.adminIn(c.args)
			require.Equal(t, cli.ExitOK, code, "%s: %s", c.args, stderr)
		}
	}
}

// TestCheckOfWhatCannotBeChanged checks that check works on a read-only data directory, even after
// the service was killed.
func TestCheckOfWhatCannotBeChanged(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 && programtest.Command(t, 0, "unshare", "--mount", "true").Run() != nil {
		t.Skip("no mount namespaces here")
	}
	for name, end := range map[string]syscall.Signal{"ended": syscall.SIGTERM, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := servedOnce(t, end)
			before := e.dataFiles()
			cmd := programtest.Command(t, 0, e.program, "admin", "--data", e.path("data"), "check", "--deep")
			if os.Geteuid() == 0 { // root ignores modes; the mount ends with the command
				// The namespace gives up the mounts of other tests: what it still showed would hold them.
				cmd = programtest.Command(t, 0, "unshare", "--mount", "sh", "-c",
					`umount --all --lazy --no-canonicalize --types fuse.paperfs; mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && ! touch "$1/new" 2> /dev/null && exec "$2" admin --data "$1" check --deep`, "sh", e.path("data"), e.program)
			} else {
				e.writable(false)
				defer e.writable(true)
			}
			p := e.launch(cmd)
			require.Equal(t, cli.ExitOK, p.wait(), p.stderr.String())
			require.Contains(t, p.stdout.String(), "checked contents: 1, fixed: 0, faults of records: 0, missing: 0, wrong: 0")
			require.Equal(t, before, e.dataFiles())
		})
	}
}

// writable grants or removes the right to write below the data directory.
func (e *environment) writable(yes bool) {
	e.t.Helper()
	require.NoError(e.t, filepath.WalkDir(e.path("data"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o400)
		if d.IsDir() {
			mode = 0o500
		}
		if yes {
			mode |= 0o200
		}
		return os.Chmod(path, mode)
	}))
}
