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

	"paperfs/remote/testrun"
)

// calls are the system calls that strace records: those that change files, and those that open,
// close and copy file descriptors. Some machines lack some of them.
const calls = "?open,openat,?creat,close,?dup,?dup2,dup3,lseek," +
	"write,pwrite64,writev,pwritev,?pwritev2,copy_file_range,sendfile,splice,ftruncate,truncate,fallocate," +
	"?rename,?renameat,renameat2,?unlink,unlinkat,?rmdir,?mkdir,mkdirat,?link,linkat,?symlink,symlinkat," +
	"fsync,fdatasync,syncfs,sync"

// Recording is what a program did below a directory.
type Recording struct {
	dir   string
	calls []call
}

// Record runs a program that changes files below dir until it exits with success. dir must be
// empty. The program must not fork: all file descriptors are assumed to belong to one process.
// Without strace, Record skips the test, or fails it if PAPERFS_TEST_STRICT requires everything
// to be installed.
func Record(t testing.TB, dir string, program *exec.Cmd) *Recording {
	t.Helper()
	strace := testrun.Program(t, "strace")
	trace := filepath.Join(t.TempDir(), "trace")
	ctx, end := context.WithTimeout(context.Background(), testrun.Patience())
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
			testrun.Missing(t, "the right to trace programs with strace: "+said.String())
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
		t.Fatalf("the recording of %s differs from the program's changes: %v", program, err)
	}
	return r
}

// sayMark is the prefix of the lines that Say writes.
const sayMark = "disktest: "

// Say makes a recorded program report something at this moment. The text must not contain a
// line break.
func Say(format string, args ...any) {
	_, _ = os.Stdout.WriteString(sayMark + fmt.Sprintf(format, args...) + "\n") // in one call, so that nothing comes in between
}
