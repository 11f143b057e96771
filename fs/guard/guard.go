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

// Argument is the program's argument for which it is to call Run with those
// that follow.
const Argument = "guard-connection"

// death is the signal by which the kernel tells the guard that its mount has
// ended. Nobody else sends it.
const death = syscall.Signal(50)

// Start has a mount's connection aborted when this process ends, also where one
// of its threads cannot. It fails where fusectl is not there.
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
	// The guard begins by ignoring the signal, too: it would end by one that comes
	// before it listens. So Run looks whether one was lost.
	signal.Ignore(death)
	started := make(chan error)
	go func() {
		// The kernel reports the end of the thread that started the guard, which
		// therefore does nothing else: a pipe would stay open until all have ended.
		runtime.LockOSThread()
		c := exec.Command(self, Argument, strconv.Itoa(os.Getpid()), strconv.Itoa(syscall.Gettid()))
		c.Dir, c.Env, c.ExtraFiles = "/", []string{}, []*os.File{abort, tell}
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: death}
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
	_, _ = ready.Read(make([]byte, 1)) // ends when the guard closes it
	return nil
}

// Run is the guard of the process and thread that its arguments name. It returns
// the exit code of its process. To abort a connection that has ended does
// nothing.
func Run(args []string) int {
	pid, tid, err := guarded(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGPIPE)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, death)
	const abort, ready = 3, 4 // ExtraFiles of Start
	_ = syscall.Close(ready)
	if !lost(pid, tid) {
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
