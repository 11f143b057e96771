package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/procfs"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// small has arguments with which the command ends soon. In that span, each writer makes only its
// first changes.
var small = []string{"service", "--papers", "100", "--size", "1000000", "--span", "1ns"}

// TestServiceMeasuresAll checks that each service has a figure in every column.
func TestServiceMeasuresAll(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "measures three services")
	out, said, err := run(t, small...)
	require.NoError(t, err, said)
	if _, why, missing := strings.Cut(out, "\nSkipped "); missing {
		testrun.Missing(t, why)
	}
	const number, ratio = `(?m)^\| %s \|( \d+(\.\d+)?, × %s \|){8}$`, `\d+\.\d\d`
	require.Contains(t, out, "| | a file up, s | most memory, MiB: a file up, s | a file down, s | most memory, MiB: a file down, s | the tree, cold, ms | the tree, kept, ms | one small change, ms | changes/s, 32 writers, 8 tenants |\n")
	require.Regexp(t, fmt.Sprintf(number, dataDirectory, `1\.00`), out)
	require.Regexp(t, fmt.Sprintf(number, "one node", ratio), out)
	require.Regexp(t, fmt.Sprintf(number, "two nodes", ratio), out)
	require.Regexp(t, `This machine has processors: \d+\.`, out)
}

// TestServiceWithoutEngines checks that the command names missing engines, and measures the rest.
func TestServiceWithoutEngines(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "measures a service")
	out, said, err := runIn(t, append(os.Environ(), "PATH="+t.TempDir()), small...)
	require.NoError(t, err, said)
	require.Contains(t, out, "\nSkipped one and two nodes: versitygw is not installed")
	require.Regexp(t, `(?m)^\| data directory \|( \d+(\.\d+)?, × 1\.00 \|){8}$`, out)
	require.NotContains(t, out, "| one node |")
}

// TestNothingStaysOfEngines ends the command while it runs engines and a node, and checks that none
// of them stays. Unless it is killed, the command prints its results so far.
func TestNothingStaysOfEngines(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "starts engines and ends them")
	const begun = "# one node: tree"
	for signal, prints := range map[syscall.Signal]string{syscall.SIGINT: "| one node |", syscall.SIGKILL: ""} {
		dir := testrun.Must(filepath.EvalSymlinks(t.TempDir()))(t)
		cmd := exec.Command(program(t), append(small, "--dir", dir)...)
		var out bytes.Buffer
		cmd.Stdout = &out
		said := testrun.Must(cmd.StderrPipe())(t)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		lines := bufio.NewScanner(said)
		for lines.Scan() && lines.Text() != begun {
		}
		if lines.Text() != begun {
			require.NoError(t, cmd.Wait())
			testrun.Missing(t, "PostgreSQL or versitygw")
		}
		started := descendants(t, cmd.Process.Pid)
		require.Contains(t, started, "versitygw")
		require.Contains(t, started, "postgres")
		require.NoError(t, cmd.Process.Signal(signal))
		go drain(said)
		require.Error(t, cmd.Wait())
		require.Contains(t, out.String(), prints)
		// After SIGKILL, the directory stays, and other processes end after the command.
		require.Eventually(t, func() bool {
			entries, err := os.ReadDir(dir)
			return err == nil && (signal == syscall.SIGKILL || len(entries) == 0) && !anyRuns(started)
		}, testrun.Patience(), 50*time.Millisecond, "%v", signal)
	}
}

// descendants returns the descendants of a process, by name.
func descendants(t *testing.T, of int) map[string][]procfs.ProcStat {
	all := testrun.Must(procfs.AllProcs())(t)
	stats := map[int]procfs.ProcStat{}
	for _, p := range all {
		if s, err := p.Stat(); err == nil { // otherwise it has ended
			stats[p.PID] = s
		}
	}
	found := map[string][]procfs.ProcStat{}
	for _, s := range stats {
		if descends(s, map[int]bool{of: true}, stats) {
			found[s.Comm] = append(found[s.Comm], s)
		}
	}
	return found
}

func descends(s procfs.ProcStat, from map[int]bool, stats map[int]procfs.ProcStat) bool {
	for s.PPID != 0 {
		if from[s.PPID] {
			return true
		}
		s = stats[s.PPID]
	}
	return false
}

// anyRuns reports whether one of these processes still runs. A new process with the same id does not
// count.
func anyRuns(some map[string][]procfs.ProcStat) bool {
	for _, stats := range some {
		for _, before := range stats {
			p, err := procfs.NewProc(before.PID)
			if err != nil {
				continue
			}
			if now, err := p.Stat(); err == nil && now.Starttime == before.Starttime && now.State != "Z" {
				return true
			}
		}
	}
	return false
}

func TestHelpTellsTheLimitOfTheService(t *testing.T) {
	t.Parallel()
	out, said, err := run(t, "service", "--help")
	require.NoError(t, err, said)
	require.Regexp(t, `--limit .*\(default 10m0s\)`, out)
}
