package guard

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
)

// Argument is the program's first argument for the guard; the program then calls Run with
// the arguments after it.
const Argument = "guard-connection"

// parentDeath is the signal by which the kernel tells the guard that its mount has ended. No
// other process sends it.
const parentDeath = syscall.Signal(50)

// Start starts a guard, which aborts a mount's connection when this process ends, even if
// one of its threads cannot end. It fails if fusectl is not mounted.
func Start(c Connection) error {
	abort, err := c.open()
	if err != nil {
		return err
	}
	if abort == nil {
		return fmt.Errorf("connection %s has ended", c.number)
	}
	defer abort.Close()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ready, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	// The guard inherits that the signal is ignored: otherwise one that comes before it
	// listens would kill it. Run checks whether it missed a signal.
	signal.Ignore(parentDeath)
	started := make(chan error)
	go func() {
		// The kernel reports the end of the thread that started the guard, so that thread does
		// nothing else. A pipe would not do: it stays open until all threads have ended.
		runtime.LockOSThread()
		c := exec.Command(self, Argument, strconv.Itoa(os.Getpid()), strconv.Itoa(syscall.Gettid()))
		c.Dir, c.Env, c.ExtraFiles = "/", []string{}, []*os.File{abort, tell}
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: parentDeath}
		err := c.Start()
		tell.Close()
		started <- err
		if err == nil {
			_ = c.Wait()
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	_, _ = ready.Read(make([]byte, 1)) // returns when the guard closes it
	return nil
}

// Run is the guard of the process and thread that its arguments name. It returns the exit
// code. Aborting a connection that has ended has no effect.
func Run(args []string) int {
	pid, tid, err := guarded(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGPIPE)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, parentDeath)
	const abort, ready = 3, 4 // ExtraFiles of Start
	_ = syscall.Close(ready)
	if !parentLost(pid, tid) {
		<-ended
	}
	_, _ = os.NewFile(abort, "abort").WriteString("1")
	return 0
}

func guarded(args []string) (pid, tid int, err error) {
	if len(args) != 2 {
		return 0, 0, fmt.Errorf("%s is started by a mount", Argument)
	}
	if pid, err = strconv.Atoi(args[0]); err == nil {
		tid, err = strconv.Atoi(args[1])
	}
	return pid, tid, err
}
