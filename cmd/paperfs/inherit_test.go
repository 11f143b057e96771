package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/mountpoint"
	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// recordingFusermount is a fusermount3 that records its open descriptors.
const recordingFusermount = `#!/bin/sh
ls -l /proc/self/fd | grep -v ' /proc/' >> '%s'
exec %s "$@"
`

// TestProgramsThatAMountStartsInheritNoFiles checks that the programs that a mount starts inherit no open
// file of the mount or its parent: not the kernel's device, which could answer for the mount, no
// database, and no connection.
func TestProgramsThatAMountStartsInheritNoFiles(t *testing.T) {
	t.Parallel()
	for _, direct := range []bool{false, true} {
		t.Run(map[bool]string{true: "mounted by root", false: "mounted by fusermount3"}[direct], func(t *testing.T) {
			t.Parallel()
			if !direct {
				testrun.Program(t, "fusermount3")
			}
			if direct && os.Getuid() != 0 {
				t.Skip("only root mounts without fusermount3")
			}
			e := newEnvironment(t)
			e.program = plain(t)
			e.compiled("data")
			e.set("PATH", e.toolsFor(direct))
			kept := testrun.Must(os.Create(e.path("kept")))(t)
			defer kept.Close()
			require.NoError(t, os.WriteFile(e.path("X.pdf"), pdftest.Text(slices.Repeat([]string{"many words"}, 40)...), 0o600))
			e.detachLater()
			cmd := programtest.Command(t, 0, e.program, "mount", "--data", e.path("data"), e.path("ipaper"))
			cmd.ExtraFiles = []*os.File{kept, kept, kept}
			p := e.launch(cmd)
			p.says("paperfs: mounted ")
			pid := cmd.Process.Pid
			roles := []string{"pdf-worker"}
			if guarded(t, e.path("ipaper")) {
				roles = append(roles, "guard-connection")
			}
			seen := map[string][]string{} // inherited descriptors by role
			look := func() bool {
				for _, child := range childrenOf(pid) {
					text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child))
					for _, role := range roles {
						if strings.Contains(string(text), "\x00"+role) {
							seen[role] = inherited(pid, child)
						}
					}
				}
				return len(seen) == len(roles)
			}
			copied := make(chan string, 1)
			go func() { // a worker may have ended before the test looks
				out, err := e.sh("n=0; until test -e ../seen; do n=$((n + 1)); cp ../X.pdf papers/X$n.pdf || exit; done")
				copied <- fmt.Sprint(out, err)
			}()
			require.Eventually(t, look, testrun.Patience(), 2*time.Millisecond, "the mount starts %v", roles)
			require.NoError(t, os.WriteFile(e.path("seen"), nil, 0o600))
			require.Equal(t, "<nil>", <-copied)
			for role, found := range seen {
				assert.Empty(t, found, role)
			}
			e.succeed("wait", e.path("ipaper", "papers", "X1.paper"))
			if !direct { // before the unmount, where the unmounting program runs its own fusermount3
				text := testrun.Must(os.ReadFile(e.path("inherited")))(t)
				assert.Contains(t, string(text), " 3 -> socket:") // the socket that returns the kernel's device; go-fuse leaves both ends open for it
				assert.NotRegexp(t, `(?m) ([4-9]|\d\d+) -> [^s]`, string(text), "fusermount3")
			}
			e.succeed("umount", e.path("ipaper"))
			require.Zero(t, p.wait(), p.stderr)
		})
	}
}

// guarded reports whether this user can end the connection of a mount, and so a guard can. Where fusectl is
// not mounted, nobody can.
func guarded(t *testing.T, dir string) bool {
	t.Helper()
	at, mounted := testrun.Must2(mountpoint.At(dir))(t)
	require.True(t, mounted, "nothing is mounted at %s", dir)
	_, minor, _ := strings.Cut(at.Device, ":")
	abort, err := os.OpenFile("/sys/fs/fuse/connections/"+minor+"/abort", os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	return abort.Close() == nil
}

// toolsFor returns a PATH with the machine's tools: without fusermount3, or with one that records what it inherits.
func (e *environment) toolsFor(direct bool) string {
	e.t.Helper()
	dir := e.path("tools")
	require.NoError(e.t, os.Mkdir(dir, 0o700))
	for place := range strings.SplitSeq(os.Getenv("PATH"), ":") {
		tools, _ := os.ReadDir(place)
		for _, tool := range tools {
			from := filepath.Join(place, tool.Name())
			if tool.Name() != "fusermount3" {
				_ = os.Symlink(from, filepath.Join(dir, tool.Name()))
			} else if !direct {
				_ = os.WriteFile(filepath.Join(dir, "fusermount3"), fmt.Appendf(nil, recordingFusermount, e.path("inherited"), from), 0o700)
			}
		}
	}
	return dir
}

// childrenOf returns the processes that any thread of a process has started.
func childrenOf(pid int) (children []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for field := range strings.FieldsSeq(string(text)) {
			child, _ := strconv.Atoi(field)
			children = append(children, child)
		}
	}
	return children
}

// inherited returns the descriptors that a process shares with its parent, except its standard files and
// descriptor 3. The runtime descriptors of a Go program look like those of its parent.
func inherited(parent, child int) (found []string) {
	has := openIn(parent)
	for fd, to := range openIn(child) {
		own := strings.HasPrefix(to, "anon_inode:") || strings.HasPrefix(to, "/sys/fs/cgroup/") || to == os.DevNull
		if fd > 3 && !own && slices.Contains(has.targets(), to) {
			found = append(found, fmt.Sprint(fd, " ", to))
		}
	}
	return found
}

type descriptors map[int]string

func (d descriptors) targets() (to []string) {
	for _, target := range d {
		to = append(to, target)
	}
	return to
}

// openIn returns the open files of a process, by descriptor.
func openIn(pid int) descriptors {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, _ := os.ReadDir(dir)
	found := descriptors{}
	for _, entry := range entries {
		if to, err := os.Readlink(filepath.Join(dir, entry.Name())); err == nil {
			fd, _ := strconv.Atoi(entry.Name())
			found[fd] = to
		}
	}
	return found
}
