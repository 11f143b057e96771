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

	"paperfs/cmd/paperfs/aside"
	"paperfs/cmd/paperfs/terminal"
)

// mount --daemon runs its command line again in a process without a terminal,
// and returns when that has mounted or has ended. Until then they share a pipe:
// what the child says is passed on, and a NUL in it says that it is ready.

// DaemonArgument is the first argument of the process that stays; what follows
// is the command line.
const DaemonArgument = "daemon"

const readyMark = 0

// startDaemon returns when the mount is there. The child says itself why it is
// not; the error is its exit code.
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
	// What somebody else left open for this process is not for one that stays.
	_ = unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
	child := exec.Command(self, append([]string{DaemonArgument}, args...)...)
	child.Stderr, child.Stdin = tell, strings.NewReader(password)
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, terminal.EndingSignals()...) // they come to the terminal's processes only
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
	return aside.ExitOf(child.Wait())
}

// passOn copies what is said up to the mark, if it comes.
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

// detach gives the ready mark, and leaves all that is of who started the daemon:
// what the process says from now on is in its log.
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
	_, _ = unix.Write(tell, []byte{readyMark}) // nobody may be there to hear it
	return os.Chdir("/")
}
