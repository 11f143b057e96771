package disktest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// patience is how long a recorded program may take.
const patience = 3 * time.Minute

// calls are those that strace records: what changes files, and what opens,
// closes and copies file descriptors. Not every machine has each.
const calls = "?open,openat,?creat,close,?dup,?dup2,dup3,lseek," +
	"write,pwrite64,writev,pwritev,?pwritev2,copy_file_range,sendfile,splice,ftruncate,truncate,fallocate," +
	"?rename,?renameat,renameat2,?unlink,unlinkat,?rmdir,?mkdir,mkdirat,?link,linkat,?symlink,symlinkat," +
	"fsync,fdatasync,syncfs,sync"

// Recording is what a program did below a directory.
type Recording struct {
	dir   string
	calls []call
}

// Record runs a program, which changes files below dir, until it ends with
// success. dir is empty before. The program may not fork: numbers of open files
// are taken for one process's. Without strace the test is skipped, or fails
// where PAPERFS_TEST_STRICT says that everything must be there.
func Record(t testing.TB, dir string, program *exec.Cmd) *Recording {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		missing(t, "strace is missing")
	}
	trace := filepath.Join(t.TempDir(), "trace")
	ctx, end := context.WithTimeout(context.Background(), patience)
	defer end()
	args := append([]string{"-f", "-qq", "-xx", "-s", "67108864", "-e", "signal=none", "-e", "trace=" + calls, "-o", trace, "--"}, program.Args...)
	traced := exec.CommandContext(ctx, strace, args...)
	traced.Env = program.Env
	traced.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	traced.Cancel = func() error { return syscall.Kill(-traced.Process.Pid, syscall.SIGKILL) }
	var said bytes.Buffer
	traced.Stdout, traced.Stderr = &said, &said
	if err := traced.Run(); err != nil {
		if bytes.Contains(said.Bytes(), []byte("PTRACE_")) {
			missing(t, "strace may not look at programs here: "+said.String())
		}
		t.Fatalf("%s: %v\n%s", program, err, said.Bytes())
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r := &Recording{dir: dir, calls: calls}
	if err := r.faithful(); err != nil {
		t.Fatalf("the recording of %s is not what the program did: %v", program, err)
	}
	return r
}

func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("PAPERFS_TEST_STRICT") == "1" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// sayMark begins the lines that Say writes.
const sayMark = "disktest: "

// Say has a recorded program tell something at this moment. It must contain
// no line break.
func Say(format string, args ...any) {
	_, _ = os.Stdout.WriteString(sayMark + fmt.Sprintf(format, args...) + "\n") // in one call, so that nothing comes between
}
