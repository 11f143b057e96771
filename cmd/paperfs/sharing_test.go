package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// These tests hold the topic sharing: other programs' servers on a mount, and other programs' clients.

// door is a server of a mount, with a client.
type door struct {
	*environment
	client func(commands ...string) string
}

// says runs commands of the client, and requires texts in what it prints.
func (d *door) says(texts string, commands ...string) {
	d.t.Helper()
	printed := d.client(commands...)
	for text := range strings.SplitSeq(texts, "|") {
		assert.Contains(d.t, printed, text, commands)
	}
}

// quietly runs commands that the server must not refuse.
func (d *door) quietly(commands ...string) {
	d.t.Helper()
	printed := d.client(commands...)
	assert.NotContains(d.t, printed, "NT_STATUS", commands)
	assert.NotContains(d.t, printed, "failed", commands)
}

// files makes the files that clients copy.
func (d *door) files() {
	d.t.Helper()
	require.NoError(d.t, os.WriteFile(d.path("text"), []byte("text\n"), 0o644))
	require.NoError(d.t, os.WriteFile(d.path("address"), []byte("spring\n"), 0o644))
	require.NoError(d.t, os.WriteFile(d.path("period"), []byte("tomorrow\n"), 0o644))
	d.must("head -c 300000 /dev/urandom > ../big")
}

// refusesWhileReadOnly checks that a copy fails, and that nothing half-done stays at its name.
func (d *door) refusesWhileReadOnly(put, says string) {
	d.t.Helper()
	d.succeed("admin", "readonly", "on")
	d.says(says, put)
	d.must("test ! -e media/refused")
	d.succeed("admin", "readonly", "off")
}

// samba shares a mount as the topic says, with guests in place of users.
func samba(t *testing.T) *door {
	if os.Geteuid() != 0 {
		t.Skip("smbd takes users, so only root can start it")
	}
	d := &door{environment: newEnvironment(t)}
	smbd, client := testrun.Program(t, "smbd", "/usr/sbin/smbd"), testrun.Program(t, "smbclient")
	const games = "5"
	require.NoError(t, os.Mkdir(d.path("smb"), 0o755))
	for _, place := range []string{d.home, d.path("..")} { // the way to the mount
		require.NoError(t, os.Chmod(place, 0o755))
	}
	port := freePort()
	config := fmt.Sprintf("[global]\nsmb ports = %s\ninterfaces = lo\nbind interfaces only = yes\nmap to guest = bad user\nload printers = no\ndisable spoolss = yes\n", port)
	for _, place := range []string{"private dir", "lock directory", "state directory", "cache directory", "pid directory", "ncalrpc dir"} {
		config += place + " = " + d.path("smb") + "\n"
	}
	config += "log file = " + d.path("smb/log") + "\n[acme]\npath = " + d.path("ipaper") + "\nforce user = games\nread only = no\nguest ok = yes\n"
	require.NoError(t, os.WriteFile(d.path("smb.conf"), []byte(config), 0o600))
	d.mount("--allow-other", "--allow-delete", "--uid", games)
	server := d.launch(programtest.Command(t, 0, smbd, "--foreground", "--no-process-group", "--configfile", d.path("smb.conf")))
	d.client = func(commands ...string) string {
		p := d.launch(programtest.Command(t, 0, client, "-N", "-p", port, "-s", d.path("smb.conf"), "//127.0.0.1/acme", "-c", strings.Join(commands, ";")))
		p.wait()
		return p.stdout.String() + p.stderr.String()
	}
	// A connection that comes while the server starts may be dropped.
	require.Eventually(t, func() bool {
		return listens("127.0.0.1:"+port) && !strings.Contains(d.client("ls"), "negotiation failed")
	}, testrun.Patience(), 10*time.Millisecond, "%s", server.stderr)
	return d
}

func TestAMountSharedBySamba(t *testing.T) {
	t.Parallel()
	d := samba(t)
	d.files()
	d.quietly("mkdir media/d", "put big media/big", "put text media/d/a", "get media/big back", "mkdir papers/C", "mkdir papers/D", "mkdir papers/C/S.paper")
	d.must("cmp ../big ../back && cmp ../big media/big")
	d.refusesWhileReadOnly("put text media/refused", "NT_STATUS_MEDIA_WRITE_PROTECTED closing")
	require.Equal(t, "text\n", d.must("cat .paperfs/failed/refused")) // rclone may remove it before
	d.quietly("put address papers/C/S.paper/url")
	require.Equal(t, "/c/spring/\n", d.must("cat papers/C/S.paper/url"))
	d.says("NT_STATUS_INVALID_PARAMETER", "put period papers/C/S.paper/publication")
	d.quietly("put text media/d/~WRD0001.tmp", "rename media/d/~WRD0001.tmp media/big -f")
	require.Equal(t, "text\nbig\nd\n", d.must("cat media/big; ls media"))
	d.quietly("rename media/big media/d/moved", "rename papers/C/S.paper papers/D/S.paper")
	require.Equal(t, "text\nS.paper\n", d.must("cat media/d/moved; ls papers/D"))

	local := []string{"Thumbs.db", "desktop.ini", "._a", ".DS_Store"}
	for _, name := range local {
		d.quietly("put text media/" + name)
	}
	d.quietly("mkdir media/.TemporaryItems")
	here := d.succeed("status", "--local", d.path("ipaper"))
	for _, name := range append(local, ".TemporaryItems/") {
		require.Contains(t, here, "media/"+name+" ")
	}
	d.quietly("get media/D/A got")
	require.Equal(t, "text\n", d.must("cat ../got"))
	d.quietly("put address media/d/A")
	require.Equal(t, "spring\na\nmoved\n", d.must("cat media/d/a; ls media/d"), "it is the same file")
	d.quietly("rename media/d/a media/d/A")
	require.Equal(t, "A\nmoved\n", d.must("ls media/d"))
	d.says("NT_STATUS_OBJECT_NAME_INVALID", "put text media/a:b")
	d.must("echo x > 'media/d/p:q'")
	d.says("~", "ls media/d/*")
	require.NotContains(t, d.client("ls media/d/*"), "p:q")
	d.says("NT_STATUS_ACCESS_DENIED|orders", "deltree papers/D/S.paper")
	d.must("test -d papers/D/S.paper && rmdir papers/D/S.paper")
	d.quietly("del media/d/moved", "deltree media/d", "rmdir papers/C")
	d.must("test ! -e media/d && test ! -e papers/C")
	d.succeed("umount", "--force", d.path("ipaper"))
}

// webDAV shares a mount as the topic says.
func webDAV(t *testing.T) *door {
	d := &door{environment: newEnvironment(t)}
	rclone, client := testrun.Program(t, "rclone"), testrun.Program(t, "cadaver")
	d.mount("--allow-delete")
	address := "127.0.0.1:" + freePort()
	server := d.launch(programtest.Command(t, 0, rclone, "serve", "webdav", "--addr", address, "--dir-cache-time", "1s", d.path("ipaper")))
	require.Eventually(t, func() bool { return listens(address) }, testrun.Patience(), 10*time.Millisecond, "%s", server.stderr)
	d.client = func(commands ...string) string {
		cmd := programtest.Command(t, 0, client, "http://"+address+"/")
		cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\nquit\n")
		p := d.launch(cmd)
		require.Equal(t, cli.ExitOK, p.wait())
		return p.stdout.String()
	}
	return d
}

func TestAMountSharedByWebDAV(t *testing.T) {
	t.Parallel()
	d := webDAV(t)
	d.files()
	d.quietly("mkcol media/d", "put big media/big", "put text media/d/a", "get media/big back", "mkcol papers/C", "mkcol papers/C/S.paper")
	d.must("cmp ../big ../back && cmp ../big media/big")
	d.refusesWhileReadOnly("put text media/refused", "failed")
	d.must("echo news > media/d/new")
	require.Eventually(t, func() bool { return strings.Contains(d.client("ls media/d"), " new ") }, testrun.Patience(), 10*time.Millisecond)
	d.says("failed", "put address papers/C/S.paper/url")
	require.Equal(t, "/c/spring/\n", d.must("cat papers/C/S.paper/url"))
	d.quietly("lock media/d/a", "put address media/d/a", "unlock media/d/a", "copy media/d/a media/d/copy", "move media/d/a media/moved")
	require.Equal(t, "spring\nspring\n", d.must("cat media/d/copy media/moved; test ! -e media/d/a"))
	local := []string{"Thumbs.db", "._a", ".DS_Store"}
	for _, name := range local {
		d.quietly("put text media/" + name)
	}
	here := d.succeed("status", "--local", d.path("ipaper"))
	for _, name := range local {
		require.Contains(t, here, "media/"+name+" ")
	}
	d.says("failed", "put text media/MOVED")
	d.says("failed", "get media/MOVED other")
	d.quietly("delete media/moved", "rmcol media/d")
	d.says("failed", "rmcol papers/C/S.paper")
	d.must("test -d papers/C/S.paper && test ! -e media/moved && test ! -e media/d")
}

// TestAHomeThatCannotBeWritten checks that mount names the commands that repair it.
func TestAHomeThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.detachLater()
	if os.Geteuid() == 0 { // root ignores modes
		e.ordinaryUser()
	}
	require.NoError(t, os.Mkdir(e.path("ipaper"), 0o777))
	require.NoError(t, os.Chmod(e.path("ipaper"), 0o777))
	require.NoError(t, os.Chmod(e.home, 0o555))
	t.Cleanup(func() { _ = os.Chmod(e.home, 0o755) })
	code, _, stderr := e.run("mount", e.path("ipaper"))
	require.Equal(t, cli.ExitFailure, code, stderr)
	for _, dir := range []string{".local/state/paperfs", ".cache/paperfs"} {
		require.Regexp(t, `(?m)^Run as root: install -d -m 700 -o \d+ -g \d+ `+e.path(dir)+" ", stderr)
	}
}

// TestCommandsAtTheMountOfAnotherUser checks that .paperfs stays private if the mount is open to
// others, and that the commands that read it say whose mount it is.
func TestCommandsAtTheMountOfAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run commands as another user")
	}
	e := newEnvironment(t)
	e.detachLater()
	p := e.mount("--allow-other")
	defer func() {
		p.ends(syscall.SIGINT)
	}()
	e.ordinaryUser()
	for _, command := range [][]string{{"status"}, {"status", "--local"}, {"status", "--json"}, {"why"}, {"stat"}, {"wait"}, {"retry"}, {"refresh"}} {
		e.fail(cli.ExitFailure, e.path("ipaper")+" is a mount of root: that user, or root, can run this\n", append(command, e.path("ipaper"))...)
	}
	e.user = nil
}

// ordinaryUser makes a test that runs as root run commands as another user, who can mount with
// fusermount3.
func (e *environment) ordinaryUser() {
	e.t.Helper()
	testrun.Program(e.t, "fusermount3")
	if info, err := os.Stat("/dev/fuse"); err != nil || info.Mode().Perm()&0o006 != 0o006 {
		e.t.Skip("only root can open /dev/fuse")
	}
	e.asNobody()
}

// asNobody makes a test that runs as root run commands as the user nobody.
func (e *environment) asNobody() {
	e.t.Helper()
	const nobody = 65534
	e.user = &syscall.Credential{Uid: nobody, Gid: nobody}
	for dir := e.home; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		require.NoError(e.t, os.Chmod(dir, 0o755))
	}
	require.NoError(e.t, os.Chmod(filepath.Dir(program), 0o755))
}
