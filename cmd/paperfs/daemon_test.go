package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/procfs"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cache/state"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/control"
	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"
)

// daemon returns the process that serves the mount at a directory, and kills it at the end of the
// test: it is in no process group of the test.
func (e *environment) daemon(dir string) (pid int) {
	e.t.Helper()
	var s control.Status
	require.NoError(e.t, json.Unmarshal([]byte(e.succeed("status", "--json", dir)), &s))
	process := testrun.Must(unix.PidfdOpen(s.PID, 0))(e.t)
	e.t.Cleanup(func() {
		_ = mountpoint.Detach(dir)
		_ = unix.PidfdSendSignal(process, unix.SIGKILL, nil, 0)
		ended, err := serving.HasEnded(process, testrun.Patience())
		require.True(e.t, ended, err)
		unix.Close(process)
	})
	return s.PID
}

// TestDaemon checks that the command returns once the mount can be used, and that the background
// process does not keep the command's output, descriptors, session or working directory.
func TestDaemon(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.detachLater()
	dir := e.path("ipaper")
	if _, err := os.Stat("/run/systemd/journal/stdout"); err == nil { // otherwise the log goes to the journal
		e.set("PAPERFS_LOG_FILE", e.path(".local/state/paperfs/log/mount.log"))
	}
	p := e.launch(programtest.Command(t, 0, "sh", "-c", `exec "$0" mount --daemon ipaper 9>&1`, program))
	require.Equal(t, cli.ExitOK, p.wait(), p.stderr) // wait returns only once no process has the outputs open
	pid := e.daemon(dir)
	logs := testrun.Must(filepath.Glob(e.path(".local/state/paperfs/log/*.log")))(t)
	require.Len(t, logs, 1)
	log := logs[0]
	require.Contains(t, p.stderr.String(), "on "+dir+"; its log is in "+log+"; paperfs umount "+dir+" unmounts\n")
	require.NotEqual(t, p.cmd.Process.Pid, pid)
	require.Equal(t, pid, testrun.Must(unix.Getsid(pid))(t))
	for what, want := range map[string]string{"fd/0": os.DevNull, "fd/1": os.DevNull, "fd/2": log, "cwd": "/"} {
		require.Equal(t, want, testrun.Must(os.Readlink(filepath.Join("/proc", fmt.Sprint(pid), what)))(t), what)
	}
	e.must("mkdir papers/X && ls papers/X")
	_, err := e.sh("mkdir 'papers/ blank'")
	require.Error(t, err)
	require.Eventually(t, func() bool {
		return strings.Contains(string(testrun.Must(os.ReadFile(log))(t)), " blank")
	}, testrun.Patience(), time.Millisecond)

	// A second mount says why it fails, with the right exit code.
	e.fail(cli.ExitMountpoint, "is already a mount of paperfs", "mount", "--daemon", dir)
	e.fail(cli.ExitHeld, "An account can be mounted only once", "mount", "--daemon", e.path("second"))
	e.fail(cli.ExitUsage, "See: paperfs mount --help", "mount", "--daemon", "--umask", "9", e.path("second"))

	// The next mount cleans up after a killed one.
	require.NoError(t, unix.Kill(pid, unix.SIGKILL))
	require.Eventually(t, func() bool {
		code, _, stderr := e.run("status", dir)
		return code == cli.ExitStale && strings.Contains(stderr, "Run: paperfs umount "+dir)
	}, testrun.Patience(), pause)
	code, _, stderr := e.run("mount", "-o", "rpm=9", "--daemon", dir)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stderr, "removed the mount that a killed process had left at "+dir)
	require.Contains(t, stderr, "paperfs: mounted ")
	e.daemon(dir)
	e.must("ls papers/X")
	e.succeed("umount", dir)
	require.NoError(t, os.Remove(dir))
}

// TestDaemonIsInterrupted checks that a signal to the command ends the process that it has started.
func TestDaemonIsInterrupted(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.detachLater()
	l, err := net.Listen("tcp", "127.0.0.1:0") // a service that does not answer
	require.NoError(t, err)
	defer l.Close()
	e.set("PAPERFS_PASSWORD", "x")
	p := e.start("mount", "--daemon", "--url", "http://"+l.Addr().String(), "--username", "me", e.path("ipaper"))
	c := testrun.Must(l.Accept())(t)
	defer c.Close()
	require.Eventually(t, func() bool {
		return strings.Contains(p.stderr.String(), "paperfs: waiting for http://"+l.Addr().String()+" to answer, for at most 30s; ^C ends it\n")
	}, testrun.Patience(), time.Millisecond)
	p.signal(syscall.SIGINT)
	require.Equal(t, cli.ExitFailure, p.wait())
	require.Contains(t, p.stderr.String(), "interrupted before anything was mounted")
	require.NoDirExists(t, e.path("ipaper"))
}

// TestAMountThatWaitsForItsAccountIsInterrupted checks that ^C ends the wait for a process that is
// about to leave the account.
func TestAMountThatWaitsForItsAccountIsInterrupted(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS_PASSWORD", "x")
	dirs := state.AccountDirs(e.path(".local/state"), e.path(".cache"), "http://127.0.0.1:1", "me")
	before := testrun.Must(state.Open(dirs, "/none"))(t)
	defer func() { require.NoError(t, before.Close()) }()
	p := e.start("mount", "--url", "http://127.0.0.1:1", "--username", "me", e.path("ipaper"))
	require.Eventually(t, func() bool { return opens(p.cmd.Process.Pid, filepath.Join(dirs.State, "lock")) }, testrun.Patience(), time.Millisecond)
	p.signal(syscall.SIGINT)
	require.Equal(t, cli.ExitFailure, p.wait())
	require.Contains(t, p.stderr.String(), "interrupted before anything was mounted")
}

// opens reports whether a process has a file open.
func opens(pid int, file string) bool {
	process, err := procfs.NewProc(pid)
	if err != nil {
		return false
	}
	open, _ := process.FileDescriptorTargets()
	return slices.Contains(open, file)
}

// TestLogGoesToAFileOrTheJournal checks logs in a file and in the journal, as text and as JSON.
func TestLogGoesToAFileOrTheJournal(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	p := e.mount("--log-file", e.path("logs/log"), "--log-format", "json")
	_, err := e.sh("mkdir 'papers/ blank'")
	require.Error(t, err)
	p.ends(syscall.SIGTERM)
	text := testrun.Must(os.ReadFile(e.path("logs/log")))(t)
	for line := range strings.Lines(string(text)) {
		require.True(t, json.Valid([]byte(line)), line)
	}
	require.Contains(t, string(text), " blank")
	require.NotContains(t, p.stderr.String(), " blank")
	e.fail(cli.ExitUsage, "--log-format", "mount", "--log-format", "xml", e.path("ipaper"))
}

// unread gives the programs that e starts a full pipe without a reader as stderr, like a terminal
// after ^S, or a pager.
func (e *environment) unread() (read *os.File) {
	read, log := testrun.Must2(os.Pipe())(e.t)
	e.t.Cleanup(func() {
		read.Close()
		log.Close()
	})
	testrun.Must(unix.FcntlInt(log.Fd(), unix.F_SETPIPE_SZ, os.Getpagesize()))(e.t)
	testrun.Must(log.Write(make([]byte, os.Getpagesize())))(e.t)
	e.log = log
	return read
}

// TestAMountWhoseLogNothingReads checks that programs get their errors, and that SIGTERM unmounts.
// A reader that comes later gets the log.
func TestAMountWhoseLogNothingReads(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	read := e.unread()
	e.detachLater()
	p := e.start("mount", e.path("ipaper"))
	require.Eventually(t, func() bool {
		_, mounted, _ := mountpoint.At(e.path("ipaper"))
		return mounted
	}, testrun.Patience(), time.Millisecond)
	for range 3 {
		out, err := e.sh("mkdir papers/.x")
		require.Error(t, err)
		require.Contains(t, out, "Operation not permitted")
	}
	said := make(chan string)
	go func() {
		text, _ := io.ReadAll(read)
		said <- string(text)
	}()
	out, err := e.sh("mkdir papers/.y")
	require.Error(t, err)
	require.Contains(t, out, "Operation not permitted")
	p.ends(syscall.SIGTERM)
	require.NoError(t, e.log.Close())
	text := <-said
	require.Contains(t, text, "paperfs: mounted ")
	require.Contains(t, text, "papers/.x")
	require.Contains(t, text, "papers/.y")
}

// TestAMountWhoseLogNothingReadsEnds checks that SIGTERM ends the mount without a reader.
func TestAMountWhoseLogNothingReadsEnds(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	read := e.unread()
	e.detachLater()
	late := time.AfterFunc(testrun.Patience()/2, func() { _, _ = io.Copy(io.Discard, read) })
	p := e.start("mount", e.path("ipaper"))
	require.Eventually(t, func() bool {
		_, mounted, _ := mountpoint.At(e.path("ipaper"))
		return mounted
	}, testrun.Patience(), time.Millisecond)
	p.ends(syscall.SIGTERM)
	require.True(t, late.Stop(), "the mount ends only when something reads its log")
}
