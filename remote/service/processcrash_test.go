package service_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/pdf/pdftest"
)

// workersOf gives the PDF workers that a process started and that run.
func workersOf(t testing.TB, process int) (found []int) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", process))
	require.NoError(t, err)
	for _, task := range tasks {
		children, _ := os.ReadFile(task) // a thread may be gone
		for _, child := range strings.Fields(string(children)) {
			if line, _ := os.ReadFile("/proc/" + child + "/cmdline"); strings.Contains(string(line), "worker") {
				id, err := strconv.Atoi(child)
				require.NoError(t, err)
				found = append(found, id)
			}
		}
	}
	return found
}

func longPDF() []byte {
	var texts []string
	for n := range 30 {
		texts = append(texts, fmt.Sprint("page ", n+1))
	}
	return pdftest.Text(texts...)
}

// begun waits until pages of a job are there, and gives its worker.
func (s *server) begun(job string, process int) (worker int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		r := s.must(remote.GetProcessingPapers)
		require.Contains(s.t, r.data, job, "it has ended before it was looked at")
		workers := workersOf(s.t, process)
		if len(workers) != 1 || r.attribute(s.t, "progress") == "0" {
			return false
		}
		worker = workers[0]
		return true
	}, time.Minute, time.Millisecond)
	return worker
}

func TestKilledWorkerIsTriedAgain(t *testing.T) {
	s := start(t)
	paper := s.paper(s.root(), "spring")
	job := s.queue(paper, longPDF(), "")
	require.NoError(t, syscall.Kill(s.begun(job, os.Getpid()), syscall.SIGKILL))
	status, reason := s.ended(job)
	require.Equal(t, remote.JobCompleted, status, reason)
	require.Len(t, s.pages(paper), 30)

	job = s.queue(paper, longPDF(), "")
	for range 3 {
		require.NoError(t, syscall.Kill(s.begun(job, os.Getpid()), syscall.SIGKILL))
		require.Eventually(t, func() bool { return len(workersOf(t, os.Getpid())) == 0 }, time.Minute, time.Millisecond)
	}
	status, reason = s.ended(job)
	require.Equal(t, remote.JobFailed, status)
	require.Contains(t, reason, "killed")
	require.Len(t, s.pages(paper), 30)
	s.keeps(2)
}

func TestJobsSurviveKillOfTheService(t *testing.T) {
	data := t.TempDir()
	c := startChild(t, data)
	paper := c.paper(c.root(), "spring")
	c.process(paper, pdftest.Text("old"), "")
	for n := range 2 {
		job := c.queue(paper, longPDF(), "")
		worker := c.begun(job, c.command.Process.Pid)
		c.kill()
		require.Eventually(t, func() bool { return syscall.Kill(worker, 0) == syscall.ESRCH }, time.Minute, time.Millisecond, "the worker goes with its service")
		if c = startChild(t, data); n == 0 {
			require.Len(t, c.pages(paper), 1, "the old pages until the new ones are there")
		}
		status, reason := c.ended(job)
		require.Equal(t, remote.JobCompleted, status, reason)
		require.Len(t, c.pages(paper), 30)
		c.keeps(2) // no content without a record
	}
}

// TestDocumentThatKillsTheServiceIsGivenUp: it is begun a few times only.
func TestDocumentThatKillsTheServiceIsGivenUp(t *testing.T) {
	data := t.TempDir()
	c := startChild(t, data)
	job := c.queue(c.paper(c.root(), "spring"), pdftest.Forever(), "")
	for range 3 {
		require.Eventually(t, func() bool { return len(workersOf(t, c.command.Process.Pid)) == 1 }, time.Minute, time.Millisecond)
		c.kill()
		c = startChild(t, data)
	}
	status, reason := c.ended(job)
	require.Equal(t, remote.JobFailed, status)
	require.Contains(t, reason, "begun several times")
}
