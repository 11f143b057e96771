package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// If a mount was killed while it waited in the kernel, a process that accesses the mount
// waits forever and cannot be killed either. So a command that accesses a mount runs this
// program again to do that, and abandons that process if no answer comes.

// InsideArgument is the first argument of such a process; the command line follows
// it.
const InsideArgument = "inside-mount"

// beats is the descriptor on which the process reports, every beatEvery, that the mount
// answers.
const (
	beats     = 3 // the first of ExtraFiles
	beatEvery = time.Second
)

// Silence is how long a mount may not answer before the command gives up, if it does not
// know whether the mount's process is alive. Tests wait less than users.
var Silence = func() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("PAPERFS_TEST_SILENCE")); err == nil {
		return d
	}
	return 10 * time.Second
}()

// Line is a command line, and the process that runs it.
type Line struct {
	Args   []string
	Inside bool // in a process that can be abandoned
	Daemon bool // in the background process of a mount
}

// LineKey is the key of the Line in a command's context.
type LineKey struct{}

// Isolated makes a command that accesses the mount of its first argument, or without one that of Here, do so in a process
// that can be abandoned.
func Isolated(command *cobra.Command) *cobra.Command {
	return IsolatedAt(command, func(args []string) (string, error) {
		if len(args) > 0 {
			return args[0], nil
		}
		return Here()
	})
}

// IsolatedAt is Isolated for the mount of another path, which the command finds with its arguments.
func IsolatedAt(command *cobra.Command, find func(args []string) (path string, err error)) *cobra.Command {
	look := command.RunE
	command.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := find(args)
		if err != nil {
			return err
		}
		if len(args) == 0 {
			args = []string{path}
		}
		at, _, err := mountpoint.Find(path)
		if err != nil {
			return err
		}
		l, _ := cmd.Context().Value(LineKey{}).(Line)
		if !l.Inside {
			return RunInside(at, l.Args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		}
		go beat(at.Dir)
		if err = look(cmd, args); errors.Is(err, syscall.ENOTCONN) || errors.Is(err, syscall.ECONNABORTED) {
			return mountpoint.StaleMount(at.Dir)
		}
		if _, _, gone := mountpoint.Find(path); gone != nil && errors.Is(err, os.ErrNotExist) {
			return gone // it was unmounted meanwhile
		}
		return err
	}
	return command
}

// beat reports that the mount answers, with success or not.
func beat(dir string) {
	unix.CloseOnExec(beats)
	for {
		_ = unix.Statfs(dir, new(unix.Statfs_t))
		if _, err := unix.Write(beats, []byte{0}); err != nil {
			return
		}
		time.Sleep(beatEvery)
	}
}

// ExitError is the exit code of a command that has printed its error itself.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("exit code %d", e.Code) }

// RunInside runs a command line inside a mount, and abandons it if the mount does not answer.
func RunInside(at mountpoint.Mount, args []string, stdout, stderr io.Writer) error {
	if s, pid := Of(at); s == Killed {
		return mountpoint.Killed(at.Dir, pid)
	}
	heard, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	defer heard.Close()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.Command(self, append([]string{InsideArgument}, args...)...)
	c.Stdin, c.Stdout, c.Stderr, c.ExtraFiles = os.Stdin, withoutPipe(stdout), withoutPipe(stderr), []*os.File{tell}
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // Pdeathsig reports the end of this thread, not of the process
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, cli.EndingSignals()...)
	defer signal.Stop(signals) // later signals have their default effect
	err = c.Start()
	tell.Close()
	if err != nil {
		return err
	}
	ended, answers := make(chan error, 1), make(chan struct{})
	go func() { ended <- c.Wait() }()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go listen(ctx, heard, answers)
	return supervise(at, c, signals, ended, answers)
}

// withoutPipe returns an output for a process that may be abandoned. The process must not inherit
// a pipe, because a reader of the pipe would wait for its end.
func withoutPipe(out io.Writer) io.Writer {
	f, ok := out.(*os.File)
	if !ok {
		return out
	}
	if info, err := f.Stat(); err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		return struct{ io.Writer }{f} // os/exec then copies in this process
	}
	return f
}

// listen reports each beat on answers.
func listen(ctx context.Context, heard io.Reader, answers chan<- struct{}) {
	for one := make([]byte, 1); ; {
		if _, err := heard.Read(one); err != nil {
			return
		}
		select {
		case answers <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}

// supervise waits for the end of a command inside a mount, for as long as the mount may
// still answer.
func supervise(at mountpoint.Mount, c *exec.Cmd, signals <-chan os.Signal, ended <-chan error, answers <-chan struct{}) error {
	look := time.NewTicker(beatEvery)
	defer look.Stop()
	var asked syscall.Signal // the signal that asks it to end
	said := false            // printed that the mount does not answer
	heard := time.Now()      // the last beat
	for last := heard; ; {
		select {
		case err := <-ended:
			return ExitOf(err)
		case s := <-signals:
			_ = c.Process.Signal(s) // fails if the command has ended, which the next round sees
			// Only its end counts now: it may write to a pipe that is full.
			asked, answers = s.(syscall.Signal), nil
		case <-answers:
			last = time.Now()
			heard = last
		case <-look.C:
			if asked != 0 && time.Since(heard) > 3*beatEvery {
				return &ExitError{128 + int(asked)} // for example, the mount's process is stopped: the command is abandoned
			}
			quiet := time.Since(heard)
			s, pid := Recorded(at)
			if time.Since(last) > Silence {
				s, pid = Of(at)
			}
			if s == Living && quiet > Silence/2 && !said {
				said = true
				fmt.Fprintf(os.Stderr, "paperfs: waiting for process %d, which serves %s and does not answer; ^C ends the wait\n", pid, cli.Printable(at.Dir))
			}
			switch {
			case s == Living && quiet > Silence/3 && guard.Stopped(pid):
				return mountpoint.Stopped(at.Dir, pid)
			case s == Killed && stillMounted(at):
				return mountpoint.Killed(at.Dir, pid)
			case s == Living:
				last = time.Now()
			case time.Since(last) > Silence:
				return mountpoint.Silent(at.Dir, Silence)
			}
		}
	}
}

// stillMounted reports whether a mount is still in its place: removing a mount also ends its
// process.
func stillMounted(at mountpoint.Mount) bool {
	now, there, err := mountpoint.At(at.Dir)
	return err == nil && there && now.Device == at.Device
}

// ExitOf returns the outcome of a command that ran in a process of its own.
func ExitOf(err error) error {
	e, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err
	}
	if status, ok := e.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return &ExitError{128 + int(status.Signal())}
	}
	return &ExitError{e.ExitCode()}
}

// Answers returns nil if a mount answers, and otherwise why it does not.
func Answers(at mountpoint.Mount) error {
	return RunInside(at, []string{answersUse, at.Dir}, io.Discard, io.Discard)
}

const answersUse = "answers"

// NewAnswersCommand returns the hidden command that checks whether a mount answers.
func NewAnswersCommand() *cobra.Command {
	return Isolated(&cobra.Command{
		Use:    answersUse + " MOUNTPOINT",
		Short:  "Check whether a mount answers",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return unix.Statfs(args[0], new(unix.Statfs_t))
		},
	})
}

// UntilSignal returns a context for a command inside a mount, which ends with a signal. ^C
// reaches the command twice, from the terminal and from its parent, so the context continues
// to catch signals: the second one must not end the command with another exit code.
func UntilSignal(ctx context.Context, signals ...os.Signal) context.Context {
	ctx, stop := signal.NotifyContext(ctx, signals...)
	_ = stop // the process ends soon after the first
	return ctx
}
