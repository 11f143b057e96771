package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// needsFUSE skips a test if nothing can be mounted.
func needsFUSE(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/dev/fuse"); err != nil {
		testrun.Missing(t, "/dev/fuse")
	}
	if os.Geteuid() != 0 {
		testrun.Program(t, "fusermount3")
	}
}

// bench runs a comparison.
func bench(t *testing.T, words ...string) (stdout, stderr string, err error) {
	t.Helper()
	return run(t, append([]string{"compare"}, words...)...)
}

// run runs the command in a directory of the test, and requires that it leaves nothing there.
func run(t *testing.T, words ...string) (stdout, stderr string, err error) {
	t.Helper()
	return runIn(t, os.Environ(), words...)
}

// runIn runs the command in an environment.
func runIn(t *testing.T, environment []string, words ...string) (stdout, stderr string, err error) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	cmd := exec.Command(program(t), append(words, "--dir", dir)...)
	cmd.Env = environment
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	nothingLeft(t, dir)
	return out.String(), said.String(), err
}

func nothingLeft(t *testing.T, dir string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	require.NotContains(t, string(mounts), " "+dir+"/")
}

func TestCompareUploads(t *testing.T) {
	t.Parallel()
	needsFUSE(t)
	testrun.Program(t, "rsync")
	out, said, err := bench(t, "uploads", "--peers", "local,paperfs,curl", "--runs", "2", "--large", "300000", "--small", "5", "--small-size", "1000")
	require.NoError(t, err, said)
	require.Contains(t, out, "| | cp 300000 bytes | cp -r 5 × 1000 bytes | rsync -a 5 × 1000 bytes | rsync -a again |")
	time := `\d+\.\d{3} \(\d+\.\d{3} to \d+\.\d{3}\), × \d+\.\d\d[^|;]*; processor \d+\.\d\d[^|]*\|`
	require.Regexp(t, `(?m)^\| local \|( `+time+`){4} `, out)
	require.Regexp(t, `(?m)^\| paperfs \|( `+time+`){4} \d+ / \d+ `, out)
	require.Regexp(t, `(?m)^\| curl \|( `+time+`){2} - \| - \| - / \d+ `, out)
}

func TestCompareReads(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "makes a mount for each piece of work")
	needsFUSE(t)
	out, said, err := bench(t, "reads", "--peers", "local,paperfs,curl", "--runs", "1", "--large", "4194304", "--small", "3")
	require.NoError(t, err, said)
	require.Contains(t, out, "| | head -c1 of 4 MiB | cat of 4 MiB | cat again | 1000 × 4 KiB at random | tail -c10 | unzip -l | "+
		"tar of 3 × 1 MiB | tar of 3 × 10 KiB | 8 × 512 KiB, one by one | 8 × 512 KiB at once | 8 readers of 4 MiB | peak MiB, mount / server |\n")
	const time, fetched = `\d+\.\d{3} [^|;]*`, `; \d+ requests, \d+\.\d MiB \| `
	require.Regexp(t, `(?m)^\| local \| (`+time+` \| ){11}- / - \|$`, out)
	require.Regexp(t, `(?m)^\| paperfs \| `+time+`; 1 requests, \d\.\d MiB \| `+time+`; 2 requests, 4\.0 MiB \| `+time+`; 0 requests, 0\.0 MiB \| (`+time+fetched+`){3}`+
		time+`; 3 requests, 3\.0 MiB \| `+time+`; 3 requests, 0\.0 MiB \| `+time+`; 8 requests, 4\.0 MiB \| `+time+`; 8 requests, 4\.0 MiB \| `, out)
	require.Regexp(t, `(?m)^\| curl \| (`+time+` \| ){2}- \| - \| `+time+` \| - \| (`+time+` \| ){4}- \| - / \d+ \|$`, out)
}

func TestCompareListings(t *testing.T) {
	t.Parallel()
	needsFUSE(t)
	out, said, err := bench(t, "listings", "--peers", "local,paperfs", "--runs", "1", "--entries", "200")
	require.NoError(t, err, said)
	for _, peer := range []string{"local", "paperfs", "paperfs, papers/"} {
		require.Regexp(t, `(?m)^\| `+peer+` \| \d`, out)
	}
	require.Contains(t, out, "| ls -lR, cold |")
}

// TestPeersThatAreNotInstalledAreNamed checks that the output names the missing peers.
func TestPeersThatAreNotInstalledAreNamed(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	out, said, err := bench(t, "uploads", "--peers", "local,rclone", "--rclone", "/no/such/rclone", "--runs", "1", "--large", "10", "--small", "1")
	require.NoError(t, err, said)
	require.Contains(t, out, "Skipped rclone: /no/such/rclone is not installed")
	require.Contains(t, out, "| local |")
}

func TestEveryPeerIsInTheTableOrNamed(t *testing.T) {
	t.Parallel()
	needsFUSE(t)
	testrun.Long(t, "takes as long as the slowest peer")
	out, said, _ := bench(t, "uploads", "--runs", "1", "--large", "10000", "--small", "2", "--limit", "20s")
	for _, p := range allPeers {
		require.Regexp(t, `(?m)^(\| `+p.name+` \||Skipped `+p.name+`: )`, out, said)
	}
}

func TestWrongWordsAreRefused(t *testing.T) {
	t.Parallel()
	for says, words := range map[string][]string{
		`no peer is called "nfs"; there are: local, paperfs`: {"uploads", "--peers", "nfs"},
		"--runs 0":               {"uploads", "--runs", "0"},
		"--entries 7":            {"listings", "--entries", "7"},
		"--large 7":              {"reads", "--large", "7"},
		"--paperfs: stat /no/su": {"uploads", "--paperfs", "/no/such/program"},
	} {
		_, said, err := bench(t, words...)
		require.Error(t, err)
		require.Contains(t, said, says)
	}
}

// TestNothingStaysWhenItIsEnded ends the command with signals while a mount is in use, and checks
// that it leaves no mount and no files.
func TestNothingStaysWhenItIsEnded(t *testing.T) {
	t.Parallel()
	needsFUSE(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) { t.Parallel(); endedBy(t, signal) })
	}
}

func endedBy(t *testing.T, signal syscall.Signal) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	cmd := exec.Command(program(t), "compare", "uploads", "--peers", "paperfs", "--dir", dir, "--runs", "1000000", "--large", "1000", "--small", "1")
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var line [200]byte
	n, err := said.Read(line[:])
	require.NoError(t, err)
	require.Contains(t, string(line[:n]), "# paperfs")
	require.NoError(t, cmd.Process.Signal(signal))
	go drain(said)
	require.Error(t, cmd.Wait())
	// After SIGKILL, the guard cleans up, after the command has ended.
	require.Eventually(t, func() bool {
		entries, err := os.ReadDir(dir)
		return err == nil && len(entries) == 0
	}, testrun.Patience(), 50*time.Millisecond, "the command leaves files after the signal %v", signal)
	nothingLeft(t, dir)
}

func drain(r interface{ Read([]byte) (int, error) }) {
	for buffer := make([]byte, 4096); ; {
		if _, err := r.Read(buffer); err != nil {
			return
		}
	}
}

func TestDiskStoreComparesContent(t *testing.T) {
	t.Parallel()
	served := t.TempDir()
	want, err := makeFiles(filepath.Join(served, "a"), 120, 50, 0)
	require.NoError(t, err)
	s := diskStore(served)
	require.NoError(t, s.check("a", want))
	held, err := s.has("a", want)
	require.NoError(t, err)
	require.True(t, held)

	path := filepath.Join(served, "a", "dir-0001", "file-000110.bin")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	content[7]++
	require.NoError(t, os.WriteFile(path, content, 0o644))
	require.ErrorContains(t, s.check("a", want), "file-000110.bin is not what was written")
	require.NoError(t, os.Remove(path))
	require.ErrorContains(t, s.check("a", want), "119 files in place of 120")
	held, err = s.has("a", want)
	require.NoError(t, err)
	require.False(t, held)
	require.Error(t, s.check("b", want))
}

func TestTable(t *testing.T) {
	t.Parallel()
	table := newTable([]string{"slow: not installed"})
	for i := range 4 {
		table.add("paperfs", "cp", time.Duration(i+1)*time.Second, nil)
		table.add("other", "cp", time.Duration(i+2)*2*time.Second, nil)
	}
	table.addMore("paperfs", "cp", took{returned: 2400 * time.Millisecond, processor: time.Second})
	table.addMore("other", "cp", took{returned: 3 * time.Second, processor: 1500 * time.Millisecond})
	table.add("other", "rsync", 0, errNotHere)
	table.add("paperfs", "rsync", 0, fmt.Errorf("broken"))
	var out strings.Builder
	require.ErrorContains(t, table.write(&out, "paperfs"), "1 pieces of work failed")
	require.Equal(t, `| | cp | rsync | peak MiB, mount / server |
|---|---|---|---|
| paperfs | 2.500 (1.000 to 4.000), × 1.00; processor 1.00, × 1.00 | failed | - / - |
| other | 7.000 (4.000 to 10.000), × 2.83 (2.50 to 4.00); processor 1.50, × 1.50; the program ended after 3.000, × 3.00 | - | - / - |

Median (least to most) in seconds; × is the ratio to paperfs, run by run.

Skipped slow: not installed

Failed paperfs, rsync: broken
`, out.String())
}
