package main

import (
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"paperfs/fs/mountpoint"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

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
