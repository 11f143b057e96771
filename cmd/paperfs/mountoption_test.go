package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

func TestOptionsAreFlags(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_PASSWORD", "x")
	for options, says := range map[string]string{
		"ro,foo=bar":              "-o foo=bar: unknown option: the options are the flags of paperfs mount --help",
		"ro,tree_tll=5m":          "-o tree_tll=5m: unknown option: did you mean tree_ttl?",
		"tree_ttl=5":              "-o tree_ttl=5: give a time with its unit",
		"umask":                   "-o umask: give a text in quotes",
		"password=x":              "-o password: a password cannot be an option",
		"frobnicate":              "-o frobnicate: unknown option: the options are the flags of paperfs mount --help",
		"url=http://x,username=y": "allow plain http",
	} {
		e.fail(cli.ExitUsage, says, "mount", "-o", options, e.path("ipaper"))
	}

	for self, rows := range map[string]map[string][]string{
		"/sbin/mount.paperfs": {
			"acme /mnt -o rw,noauto":             {"mount", "--daemon", "-o", "rw,noauto", "acme", "/mnt"},
			"acme -o rw":                         {"mount", "--daemon", "-o", "rw"},
			"none /mnt -sn -o x -t fuse.paperfs": {"mount", "--daemon", "--sloppy", "-o", "x", "/mnt"},
			"https://a.example /mnt":             {"mount", "--daemon", "--url", "https://a.example", "/mnt"},
			"daemon mount -o x /mnt":             nil,
			"paperfs#acme /mnt":                  {"mount", "--daemon", "acme", "/mnt"},
		},
		"/usr/bin/paperfs": {"acme /mnt -o rw": {"mount", "--daemon", "-o", "rw", "acme", "/mnt"}, "mount x -o ro": nil, "daemon mount -o ro": nil, "status x": nil},
	} {
		for words, want := range rows {
			line, _, ok := asMountHelper(self, strings.Fields(words))
			require.Equal(t, want != nil, ok, words)
			require.Equal(t, want, line, words)
		}
	}
}

// mountHelper installs this program as the mount(8) helper of its type, unless there is one.
func (e *environment) mountHelper() {
	if os.Geteuid() != 0 {
		e.t.Skip("only root can use mount(8)")
	}
	for _, helper := range []string{"/sbin/mount.paperfs", "/usr/local/bin/paperfs"} { // mount.fuse uses the second
		if err := os.Symlink(program, helper); err != nil { // fails if it exists
			e.t.Skip(err)
		}
		e.t.Cleanup(func() { os.Remove(helper) })
	}
	// mount(8) drops HOME.
	e.set("XDG_CONFIG_HOME", e.path(".config"))
	e.set("XDG_STATE_HOME", e.path(".local/state"))
	e.set("XDG_CACHE_HOME", e.path(".cache"))
	e.set("XDG_DATA_HOME", e.path(".local/share"))
}

// TestMountedByMount mounts with mount(8): by type, as fuse, and from fstab.
func TestMountedByMount(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mountHelper()
	e.detachLater()
	require.NoError(t, os.Mkdir(e.path("ipaper"), 0o755))
	e.profiles("[acme]\ndata = '" + e.path("data") + "'\n")
	fstab := e.path("fstab")
	require.NoError(t, os.WriteFile(fstab, []byte("acme "+e.path("ipaper")+" paperfs _netdev,nofail,x-systemd.automount,user,ro,umask=077 0 0\n"+
		"acme "+e.path("never")+" paperfs noauto 0 0\n"), 0o644))
	mounted := func(args ...string) (options string) {
		t.Helper()
		cmd := programtest.Command(t, testrun.Patience(), "mount", args...)
		cmd.Env, cmd.Dir = e.vars, e.home
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		e.daemon(e.path("ipaper"))
		options = e.must("ls papers > /dev/null; findmnt -n -o FSTYPE,OPTIONS -M " + e.path("ipaper"))
		e.succeed("umount", e.path("ipaper"))
		return options
	}
	require.Regexp(t, `^fuse\.paperfs +rw,`, mounted("-t", "paperfs", "acme", e.path("ipaper")))
	require.Regexp(t, `^fuse\.paperfs +ro,.*noexec`, mounted("-t", "paperfs", "acme", e.path("ipaper"), "-o", "ro,noexec,allow_delete,rpm=7"))
	require.Regexp(t, `^fuse\.paperfs +ro,.*noexec`, mounted("-a", "-T", fstab))
	if _, err := exec.LookPath("mount.fuse"); err == nil {
		require.Regexp(t, `^fuse\.paperfs +rw,`, mounted("-t", "fuse", "paperfs#acme", e.path("ipaper")))
		require.Regexp(t, `^fuse\.paperfs +rw,`, mounted("-t", "fuse.paperfs", "acme", e.path("ipaper"), "-o", "noatime"))
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{mountUsage, "did you mean acme?", []string{"-t", "paperfs", "amce", e.path("ipaper")}},
		{mountUsage, "-o frobnicate: unknown option", []string{"-t", "paperfs", "acme", e.path("ipaper"), "-o", "frobnicate"}},
		{mountFailed, "is not empty", []string{"-t", "paperfs", "acme", e.path(".config")}},
	} {
		cmd := programtest.Command(t, testrun.Patience(), "mount", c.args...)
		cmd.Env, cmd.Dir = e.vars, e.home
		out, err := cmd.CombinedOutput()
		failed := new(exec.ExitError)
		require.ErrorAs(t, err, &failed)
		require.Equal(t, c.code, failed.ExitCode(), "%s", out)
		require.Contains(t, string(out), c.says)
	}
}
