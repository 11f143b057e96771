package mount

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/serving"
)

// mount --daemon runs its command line again in a process without a terminal, and returns
// when that process has mounted or has ended. Until then they share a pipe: the parent
// prints what the child writes to it, and a NUL means that the child is ready.

// DaemonArgument is the first argument of the background process; the command line
// follows it.
const DaemonArgument = "daemon"

const readyMark = 0

// startDaemon returns when the mount exists. If the child fails, it prints why itself, and
// startDaemon returns its exit code as an error.
func startDaemon(args []string, password string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	heard, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	defer heard.Close()
	// A background process must not inherit descriptors that the parent left open.
	_ = unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
	child := exec.Command(self, append([]string{DaemonArgument}, args...)...)
	child.Stderr, child.Stdin = tell, strings.NewReader(password)
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, cli.EndingSignals()...) // the terminal sends them only to its own processes
	err = child.Start()
	tell.Close()
	if err != nil {
		return err
	}
	go func() {
		for s := range signals {
			_ = child.Process.Signal(s)
		}
	}()
	ready, err := passOn(heard, os.Stderr)
	if ready || err != nil {
		return err
	}
	return serving.ExitOf(child.Wait())
}

// passOn copies from one to the other up to the mark, if it comes.
func passOn(from io.Reader, to io.Writer) (ready bool, err error) {
	for some := make([]byte, 4096); ; {
		n, err := from.Read(some)
		said, _, marked := bytes.Cut(some[:n], []byte{readyMark})
		if _, lost := to.Write(said); marked {
			return true, lost
		}
		if err == io.EOF {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
}

// detach writes the ready mark and drops everything inherited from the parent: from now on,
// messages go to the log.
func detach(log *os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	tell, err := unix.FcntlInt(os.Stderr.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return err
	}
	defer unix.Close(tell)
	for to, from := range []*os.File{null, null, log} {
		if err := unix.Dup3(int(from.Fd()), to, 0); err != nil {
			return os.NewSyscallError("dup3", err)
		}
	}
	_, _ = unix.Write(tell, []byte{readyMark}) // the parent may have ended
	return os.Chdir("/")
}
