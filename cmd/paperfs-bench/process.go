package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// process is a running server or mount.
type process struct {
	cmd   *exec.Cmd
	log   string        // file of its output
	ended chan struct{} // closed when the process has ended
}

// start starts a program that stays in the foreground.
func (r *rig) start(cmd *exec.Cmd) *process {
	r.count++
	p := &process{cmd: cmd, log: filepath.Join(r.dir, fmt.Sprintf("%02d-%s.log", r.count, filepath.Base(cmd.Path))), ended: make(chan struct{})}
	out := got(os.Create(p.log))
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	must(cmd.Start())
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	r.undo = append(r.undo, p.end)
	return p
}

// patience is how long a mount or process may take to end by itself.
const patience = 10 * time.Second

// end ends the process and its group.
func (p *process) end() error {
	group := -p.cmd.Process.Pid
	_ = unix.Kill(group, unix.SIGTERM)
	for limit := time.Now().Add(patience); unix.Kill(group, 0) == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			return unix.Kill(group, unix.SIGKILL)
		}
	}
	return nil
}

// until waits for a condition that p should bring about; p may be nil.
func (r *rig) until(what string, p *process, holds func() bool) {
	if p == nil {
		p = &process{cmd: &exec.Cmd{Args: []string{what}}}
	}
	limit := time.After(30 * time.Second)
	for !holds() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-r.ctx.Done():
			must(r.ctx.Err())
		case <-p.ended:
			if !holds() {
				must(fmt.Errorf("%s: %s ended: %s", what, p.cmd.Args[0], p.tail()))
			}
			return
		case <-limit:
			must(fmt.Errorf("%s: not in 30 s: %s", what, p.tail()))
		}
	}
}

// tail returns the end of a process's output.
func (p *process) tail() string {
	text, _ := os.ReadFile(p.log)
	return strings.TrimSpace(string(text[max(0, len(text)-500):]))
}

// mount starts a program that mounts dir.
func (r *rig) mount(dir string, cmd *exec.Cmd) *process {
	p := r.start(cmd)
	r.undo = append(r.undo, func() error { return unmount(dir) }) // before the process is ended
	r.until("mount", p, func() bool { return isMount(dir) })
	return p
}

// serve starts a program that listens on a loopback address.
func (r *rig) serve(address string, cmd *exec.Cmd) *process {
	p := r.start(cmd)
	r.until("serve", p, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return p
}

// freeAddress returns a loopback address on which nothing listens.
func freeAddress() string {
	l := got(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return l.Addr().String()
}

// memory returns a line of the process's status, in MiB.
func (p *process) memory(line string) float64 {
	for l := range strings.Lines(string(got(os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))))) {
		var kB float64
		if n, _ := fmt.Sscanf(l, line+": %g kB", &kB); n == 1 {
			return kB / 1024
		}
	}
	return 0
}

// forgetPeak resets VmHWM.
func (p *process) forgetPeak() {
	must(os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0))
}
