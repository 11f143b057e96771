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
	require.Empty(t, testrun.Must(os.ReadDir(dir))(t))
	require.NotContains(t, string(testrun.Must(os.ReadFile("/proc/self/mountinfo"))(t)), " "+dir+"/")
}

func TestCompareUploads(t *testing.T) {
	t.Parallel()
	needsFUSE(t)
	testrun.Program(t, "rsync")
	out, said, err := bench(t, "uploads", "--peers", "local,paperfs", "--runs", "2", "--large", "300000", "--small", "5", "--small-size", "1000")
	require.NoError(t, err, said)
	require.Contains(t, out, "| | cp 293 KiB | cp -r 5 × 1000 B | rsync -a 5 × 1000 B | rsync -a again |\n")
	time := `\d+\.\d+ \(\d+\.\d+ to \d+\.\d+\), × \d+\.\d\d[^|]*\|`
	require.Regexp(t, `(?m)^\| local \|( `+time+`){4}$`, out)
	require.Regexp(t, `(?m)^\| paperfs \|( `+time+`){4}$`, out)
}

func TestCompareReads(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "makes a mount for each piece of work")
	needsFUSE(t)
	out, said, err := bench(t, "reads", "--peers", "local,paperfs", "--runs", "1", "--large", "4194304", "--small", "3")
	require.NoError(t, err, said)
	require.Contains(t, out, "| | head -c1 of 4.0 MiB | cat of 4.0 MiB | cat again | 1000 × 4 KiB at random | tail -c10 | "+
		"tar of 3 × 1 MiB | tar of 3 × 10 KiB | 8 × 512 KiB, one by one | 8 × 512 KiB at once | 8 readers of 4.0 MiB |\n")
	const time, fetched = `\d+\.\d+[^|;]*`, `; \d+ requests, \d+\.\d MiB \| `
	require.Regexp(t, `(?m)^\| local \| (`+time+` \| ){9}`+time+`\|$`, out)
	require.Regexp(t, `(?m)^\| paperfs \| `+time+`; 1 requests, \d\.\d MiB \| `+time+`; 2 requests, 4\.0 MiB \| `+time+`; 0 requests, 0\.0 MiB \| (`+time+fetched+`){2}`+
		time+`; 3 requests, 3\.0 MiB \| `+time+`; 3 requests, 0\.0 MiB \| `+time+`; 8 requests, 4\.0 MiB \| `+time+`; 8 requests, 4\.0 MiB \| `, out)
}

func TestCompareListings(t *testing.T) {
	t.Parallel()
	needsFUSE(t)
	out, said, err := bench(t, "listings", "--peers", "local,paperfs", "--runs", "1", "--entries", "200")
	require.NoError(t, err, said)
	require.Contains(t, out, "| | first ls | find, cold | find, warm | ls -lR, warm | ls -lR, cold | first ls of papers/ | find papers/, cold | find papers/, warm |\n")
	require.Regexp(t, `(?m)^\| local \|( \d+\.\d{3}[^|]*, × \d[^|]*\|){5}( - \|){3}$`, out)
	require.Regexp(t, `(?m)^\| paperfs \|( \d+\.\d{3}[^|]*\|){8}$`, out)
}

// TestPeersThatAreNotInstalledAreNamed checks that the output names the missing peers.
func TestPeersThatAreNotInstalledAreNamed(t *testing.T) {
	t.Parallel()
	some := t.TempDir()
	for _, name := range []string{"cp", "rsync"} {
		testrun.Program(t, name)
		path := testrun.Must(exec.LookPath(name))(t)
		require.NoError(t, os.Symlink(path, filepath.Join(some, name)))
	}
	out, said, err := runIn(t, append(os.Environ(), "PATH="+some), "compare", "uploads", "--peers", "local,rclone", "--runs", "1", "--large", "10", "--small", "1")
	require.NoError(t, err, said)
	require.Contains(t, out, "Skipped rclone: rclone is not installed")
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
		"--paperfs: stat /no/su": {"uploads", "--paperfs", "/no/such/program"},
	} {
		_, said, err := bench(t, words...)
		require.Error(t, err)
		require.Contains(t, said, says)
	}
}

// TestNothingStaysWhenItIsEnded ends the command with signals while a mount is in use, and checks
// that it leaves no mount, and no files unless it is killed.
func TestNothingStaysWhenItIsEnded(t *testing.T) {
	t.Parallel()
	needsFUSE(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) { t.Parallel(); endedBy(t, signal) })
	}
}

func endedBy(t *testing.T, signal syscall.Signal) {
	dir := testrun.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	cmd := exec.Command(program(t), "compare", "uploads", "--peers", "paperfs", "--dir", dir, "--runs", "1000000", "--large", "1000", "--small", "1")
	said := testrun.Must(cmd.StderrPipe())(t)
	require.NoError(t, cmd.Start())
	var line [200]byte
	n := testrun.Must(said.Read(line[:]))(t)
	require.Contains(t, string(line[:n]), "# paperfs")
	require.NoError(t, cmd.Process.Signal(signal))
	go drain(said)
	require.Error(t, cmd.Wait())
	// After SIGKILL, the directory stays, and what was started ends after the command.
	if signal != syscall.SIGKILL {
		nothingLeft(t, dir)
		return
	}
	require.Eventually(t, func() bool {
		mounts, err := os.ReadFile("/proc/self/mountinfo")
		return err == nil && !strings.Contains(string(mounts), " "+dir+"/")
	}, testrun.Patience(), 50*time.Millisecond, "a mount stays of a command that was killed")
}

func drain(r interface{ Read([]byte) (int, error) }) {
	for buffer := make([]byte, 4096); ; {
		if _, err := r.Read(buffer); err != nil {
			return
		}
	}
}

func TestContentIsCompared(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	want := makeFiles(top, 120, 50, 0)
	require.NoError(t, onDisk(top, true).differs(want, true))
	require.NoError(t, onDisk(top, false).differs(want, false))

	path := filepath.Join(top, "dir-0001", "file-000110.bin")
	content := testrun.Must(os.ReadFile(path))(t)
	content[7]++
	require.NoError(t, os.WriteFile(path, content, 0o644))
	require.ErrorContains(t, onDisk(top, true).differs(want, true), `file-000110.bin" is not what was written`)
	require.NoError(t, os.Remove(path))
	require.ErrorContains(t, onDisk(top, true).differs(want, true), "119 files in place of 120")
	require.NoError(t, os.WriteFile(path, content[1:], 0o644))
	require.ErrorContains(t, onDisk(top, false).differs(want, false), `file-000110.bin" is not what was written`)
	require.Empty(t, onDisk(filepath.Join(top, "none"), false))
}

func TestTable(t *testing.T) {
	t.Parallel()
	table := &table{unit: "paperfs", remarks: []string{"Skipped slow: not installed"}}
	for i := range 4 {
		second := time.Duration(i+1) * time.Second
		table.add("paperfs", "cp", took{time: second}, nil)
		table.add("other", "cp", took{time: 2*second + 2*time.Second, note: "3 requests"}, nil)
	}
	table.add("other", "rsync", took{}, errNotHere)
	table.add("paperfs", "rsync", took{}, fmt.Errorf("broken"))
	table.figure("paperfs", "rate", 1234)
	table.figure("other", "rate", 617)
	var out strings.Builder
	require.ErrorContains(t, table.write(&out), "1 pieces of work failed")
	require.Equal(t, `| | cp | rsync | rate |
|---|---|---|---|
| paperfs | 2.500 (1.000 to 4.000), × 1.00 | failed | 1234, × 1.00 |
| other | 7.000 (4.000 to 10.00), × 2.83 (2.50 to 4.00); 3 requests | - | 617.0, × 0.50 |

Median (least to most), times in seconds but where ms is said; × is the ratio to paperfs, run by run.

Skipped slow: not installed

Failed paperfs, rsync: broken
`, out.String())
}

// TestEachAttemptEndsWhatItBegan checks the order, and that what fails is told with what cannot be ended.
func TestEachAttemptEndsWhatItBegan(t *testing.T) {
	t.Parallel()
	var ended []string
	r := &rig{options: &options{}, dir: filepath.Join(t.TempDir(), "rig")}
	require.NoError(t, os.Mkdir(r.dir, 0o755))
	err := r.use(func(r *rig) {
		r.undo = append(r.undo, func() error { ended = append(ended, "server"); return nil })
		r.undo = append(r.undo, func() error { ended = append(ended, "mount"); return fmt.Errorf("busy") })
		must(fmt.Errorf("no server"))
	})
	require.ErrorContains(t, err, "no server\nbusy")
	require.Equal(t, []string{"mount", "server"}, ended)
	require.NoDirExists(t, r.dir)
	require.Panics(t, func() { _ = attempt(func() { panic("a defect") }) }, "a defect is no failure")
}
