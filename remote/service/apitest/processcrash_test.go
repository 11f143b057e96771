package apitest

import (
	"bytes"
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
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// workersOf returns the running PDF workers of a process.
func workersOf(t testing.TB, process int) (found []int) {
	tasks := testrun.Must(filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", process)))(t)
	for _, task := range tasks {
		children, _ := os.ReadFile(task) // the thread may have ended
		for _, child := range strings.Fields(string(children)) {
			if line, _ := os.ReadFile("/proc/" + child + "/cmdline"); strings.Contains(string(line), "worker") {
				id := testrun.Must(strconv.Atoi(child))(t)
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

// begun waits until a job has finished some pages, and returns its worker, or 0 if more than half
// of the job is already finished.
func (s *server) begun(job string, process int) (worker int) {
	s.t.Helper()
	for {
		r := s.must(remote.GetProcessingPapers)
		if !strings.Contains(r.data, job) || number(s.t, r.attribute(s.t, "progress")) > 50 {
			return 0
		}
		if workers := workersOf(s.t, process); len(workers) == 1 && r.attribute(s.t, "progress") != "0" {
			return workers[0]
		}
		time.Sleep(time.Millisecond) // the worker needs the processor, too
	}
}

// underWay queues PDFs until it catches one early in its processing.
func (s *server) underWay(paper string, process int) (job string, worker int) {
	s.t.Helper()
	for {
		job = s.queue(paper, longPDF(), "")
		if worker = s.begun(job, process); worker != 0 {
			return job, worker
		}
		s.ended(job)
	}
}

// TestKilledWorkerIsTriedAgain kills a worker once, and then those of a PDF that has no end until the service gives up.
func TestKilledWorkerIsTriedAgain(t *testing.T) {
	t.Parallel()
	c := startChild(t, t.TempDir()) // its workers are its own
	process, paper := c.command.Process.Pid, c.paper(c.root(), "spring")
	job, worker := c.underWay(paper, process)
	_ = syscall.Kill(worker, syscall.SIGKILL) // it may have ended
	c.completes(job)
	require.Len(t, c.pages(paper), 30)

	job = c.queue(paper, pdftest.Forever(), "")
	for range 3 {
		worker = c.begun(job, process)
		require.NotZero(t, worker)
		require.NoError(t, syscall.Kill(worker, syscall.SIGKILL))
		require.Eventually(t, func() bool { return hasEnded(worker) }, testrun.Patience(), time.Millisecond)
	}
	status, reason := c.ended(job)
	require.Equal(t, remote.JobFailed, status)
	require.Contains(t, reason, "killed")
	require.Len(t, c.pages(paper), 30)
	c.keeps(2)
}

// hasEnded reports whether a process runs no more. In a PID namespace, perhaps nobody waits for it.
func hasEnded(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || bytes.Contains(stat, []byte(") Z "))
}

func TestJobsSurviveKillOfTheService(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c := startChild(t, data)
	paper := c.paper(c.root(), "spring")
	c.process(paper, pdftest.Text("old"), "")
	kills := 1
	if testrun.All() {
		kills = 2
	}
	for n := range kills {
		job, worker := c.underWay(paper, c.command.Process.Pid)
		c.kill()
		require.Eventually(t, func() bool { return hasEnded(worker) }, testrun.Patience(), time.Millisecond, "the worker ends with its service")
		if c = startChild(t, data); n == 0 {
			require.Len(t, c.pages(paper), 1, "the old pages stay until the new ones are ready")
		}
		c.completes(job)
		require.Len(t, c.pages(paper), 30)
		c.keeps(2) // no content is left without a record
	}
}

// TestKillsOfTheServiceAreNotTheFaultOfAPDF kills the service more often than a worker may die.
func TestKillsOfTheServiceAreNotTheFaultOfAPDF(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c := startChild(t, data)
	paper := c.paper(c.root(), "spring")
	for kills := 0; kills < 4; {
		job, worker := c.underWay(paper, c.command.Process.Pid)
		for kills = 0; kills < 4 && worker != 0; kills++ {
			c.kill()
			c = startChild(t, data)
			worker = c.begun(job, c.command.Process.Pid)
		}
		c.completes(job)
	}
}

// TestDocumentThatKillsTheServiceIsGivenUp checks that the service starts it only a few times.
func TestDocumentThatKillsTheServiceIsGivenUp(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c := startChild(t, data)
	job := c.queue(c.paper(c.root(), "spring"), pdftest.Forever(), "")
	for range 12 {
		require.Eventually(t, func() bool { return len(workersOf(t, c.command.Process.Pid)) == 1 }, testrun.Patience(), time.Millisecond)
		c.kill()
		c = startChild(t, data)
	}
	status, reason := c.ended(job)
	require.Equal(t, remote.JobFailed, status)
	require.Contains(t, reason, "started several times")
}
