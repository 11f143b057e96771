package pdf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestAWorkerIsConfined checks that no thread of a worker can gain privileges, and that
// the worker has its resource limits. It does not execute itself again for that.
func TestAWorkerIsConfined(t *testing.T) {
	command := pdftest.Command()
	if command == nil {
		self := testrun.Must(os.Executable())(t)
		command = []string{self, WorkerArgument}
	}
	number := filepath.Join(t.TempDir(), "pid")
	p := processor(Limits{})
	p.Command = append([]string{"/bin/sh", "-c", `echo $$ > "$0"; exec "$@"`, number}, command...)
	looked := 0
	look := func() error {
		pid := testrun.Must(os.ReadFile(number))(t)
		threads := testrun.Must(filepath.Glob("/proc/" + strings.TrimSpace(string(pid)) + "/task/*/status"))(t)
		for _, thread := range threads {
			status, err := os.ReadFile(thread)
			if err != nil {
				continue // the thread has ended
			}
			require.Contains(t, string(status), "NoNewPrivs:\t1\n")
			looked++
		}
		limits := testrun.Must(os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/limits"))(t)
		require.Regexp(t, `Max data size +\d+ +\d+ `, string(limits))
		name := testrun.Must(os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/comm"))(t)
		require.NotEqual(t, "exe\n", string(name), "the worker was executed again, as /proc/self/exe")
		require.Regexp(t, `Max cpu time +\d+ +\d+ `, string(limits))
		return nil
	}
	f := testrun.Must(os.Open(write(t, pdftest.Text("one", "two"))))(t)
	defer f.Close()
	r := &result{begin: look}
	require.NoError(t, p.Process(t.Context(), Job{}, f, r))
	require.Len(t, r.pages, 2)
	require.Positive(t, looked)
}
