package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/fs/programtest"
	"paperfs/remote/service/pdf/pdftest"
)

// recordingFusermount is a fusermount3 that records its open descriptors.
const recordingFusermount = `#!/bin/sh
ls -l /proc/self/fd | grep -v ' /proc/' >> '%s'
exec %s "$@"
`

// TestWhatAMountStartsInheritsNothing checks that the programs that a mount starts inherit no open
// file of the mount or its parent: not the kernel's device, which could answer for the mount, no
// database, and no connection.
func TestWhatAMountStartsInheritsNothing(t *testing.T) {
	for _, direct := range []bool{false, true} {
		t.Run(map[bool]string{true: "mounted by root", false: "mounted by fusermount3"}[direct], func(t *testing.T) {
			if direct && os.Getuid() != 0 {
				t.Skip("only root mounts without fusermount3")
			}
			e := newEnvironment(t)
			e.program = plain(t)
			e.set("PATH", e.toolsFor(direct))
			kept, err := os.Create(e.path("kept"))
			require.NoError(t, err)
			defer kept.Close()
			require.NoError(t, os.WriteFile(e.path("X.pdf"), pdftest.Text(slices.Repeat([]string{"many words"}, 100)...), 0o600))
			cmd := programtest.Command(t, 0, e.program, "mount", "--data", e.path("data"), e.path("ipaper"))
			cmd.ExtraFiles = []*os.File{kept, kept, kept}
			p := e.launch(cmd)
			p.says("mounted")
			pid := cmd.Process.Pid
			seen := map[string][]string{} // inherited descriptors by role
			look := func() bool {
				for _, child := range childrenOf(pid) {
					for _, role := range []string{"guard-connection", "pdf-worker"} {
						if text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child)); strings.Contains(string(text), "\x00"+role) {
							seen[role] = inherited(pid, child)
						}
					}
				}
				return len(seen) == 2
			}
			copied := make(chan error, 1)
			go func() { _, err := e.sh("cp ../X.pdf papers/"); copied <- err }()
			require.Eventually(t, look, patience, 1)
			require.NoError(t, <-copied)
			for role, found := range seen {
				assert.Empty(t, found, role)
			}
			e.succeed("wait", e.path("ipaper", "papers", "X.paper"))
			if !direct { // before the unmount, where the unmounting program runs its own fusermount3
				text, err := os.ReadFile(e.path("inherited"))
				require.NoError(t, err)
				assert.Contains(t, string(text), " 3 -> socket:") // the socket that returns the kernel's device; go-fuse leaves both ends open for it
				assert.NotRegexp(t, `(?m) ([4-9]|\d\d+) -> [^s]`, string(text), "fusermount3")
			}
			e.succeed("umount", e.path("ipaper"))
			require.Zero(t, p.wait(), p.stderr)
		})
	}
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
