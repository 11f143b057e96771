package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"

	"paperfs/cmd/paperfs/aside"
	"paperfs/cmd/paperfs/terminal"
	"paperfs/cmd/paperfs/usage"
)

// mount --daemon runs its command line again in a process without a terminal,
// and returns when that has mounted or has ended. Until then they share a pipe:
// what the child says is passed on, and a NUL in it says that it is ready.

// daemonArgument is the first argument of the process that stays; what follows
// is the command line.
const daemonArgument = "daemon"

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
	child := exec.Command(self, append([]string{daemonArgument}, args...)...)
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

// takeHanded takes the password that startDaemon found, wherever.
func (c *Config) takeHanded() error {
	text, err := io.ReadAll(os.Stdin)
	c.inDaemon = true
	c.Password, c.PasswordFile, c.PasswordCommand, c.Keyring = string(text), "", "", false
	return err
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

// journal is what --log-file calls the system's journal.
const journal = "journal"

// journalSocket takes the standard error of services.
const journalSocket = "/run/systemd/journal/stdout"

// openLog opens where the log goes, nil for standard error.
func (c *Config) openLog(dir string) (*os.File, error) {
	place := c.LogFile
	if place == "" && c.inDaemon {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		place = daemonLog(journalSocket, abs)
	}
	switch place {
	case "":
		return nil, nil
	case journal:
		c.toJournal = true
		return openJournal(journalSocket)
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return nil, fmt.Errorf("--log-file: %w", err)
	}
	if info, err := os.Stat(place); err == nil && !info.Mode().IsRegular() && place != os.DevNull {
		return nil, &usage.Error{Err: fmt.Errorf("--log-file: %s is no regular file: name one, or journal", place)}
	}
	f, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_APPEND|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--log-file: %w", err)
	}
	return f, nil
}

// daemonLog is where the log of a daemon goes that was told nothing.
func daemonLog(socket, dir string) string {
	if _, err := os.Stat(socket); err == nil {
		return journal
	}
	return filepath.Join(xdg.StateHome, "paperfs", "log", logName(dir))
}

// logName is of one mount point alone: its last elements for people, and a hash, since
// others look alike, or are too long.
func logName(dir string) string {
	const most = 100
	name := strings.ReplaceAll(strings.Trim(dir, "/"), "/", "-")
	if len(name) > most {
		name = strings.ToValidUTF8(name[len(name)-most:], "")
	}
	sum := sha256.Sum256([]byte(dir))
	return fmt.Sprintf("%s-%x.log", name, sum[:4])
}

// openJournal returns a stream of which each line is an entry of the journal, as
// systemd-cat does.
func openJournal(socket string) (*os.File, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	f := os.NewFile(uintptr(fd), socket)
	err = unix.Connect(fd, &unix.SockaddrUnix{Name: socket})
	if err == nil {
		const identifier, unit, priority, prefixes, forwarded = "paperfs", "", "6", "1", "0\n0\n0"
		_, err = fmt.Fprintf(f, "%s\n%s\n%s\n%s\n%s\n", identifier, unit, priority, prefixes, forwarded)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--log-file %s: there is no journal at %s: %w", journal, socket, err), f.Close())
	}
	return f, nil
}
