package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is a running server or mount.
type process struct {
	cmd   *exec.Cmd
	log   string        // file of its output
	ended chan struct{} // closed when the process has ended
}

func (r *rig) start(cmd *exec.Cmd) (*process, error) {
	r.count++
	p := &process{cmd: cmd, log: filepath.Join(r.dir, fmt.Sprintf("%02d-%s.log", r.count, filepath.Base(cmd.Path))), ended: make(chan struct{})}
	out, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	// The guard ends servers and mounts in the right order.
	cmd.Cancel = func() error { return nil }
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	return p, r.guard.watch(guardedPID, strconv.Itoa(cmd.Process.Pid))
}

// until waits for a condition that p should bring about; p may be nil.
func (r *rig) until(what string, p *process, holds func() bool) error {
	var ended chan struct{}
	if p != nil {
		ended = p.ended
	}
	limit := time.After(30 * time.Second)
	for !holds() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-r.ctx.Done():
			return r.ctx.Err()
		case <-ended:
			if holds() {
				return nil
			}
			return fmt.Errorf("%s: %s ended: %s", what, p.cmd.Args[0], p.tail())
		case <-limit:
			if p == nil {
				return fmt.Errorf("%s: not in 30 s", what)
			}
			return fmt.Errorf("%s: not in 30 s: %s", what, p.tail())
		}
	}
	return nil
}

// tail returns the end of a process's output.
func (p *process) tail() string {
	text, _ := os.ReadFile(p.log)
	text = text[max(0, len(text)-500):]
	return strings.TrimSpace(string(text))
}

// mount starts a program that mounts dir and stays in the foreground.
func (r *rig) mount(dir string, cmd *exec.Cmd) (*process, error) {
	p, err := r.start(cmd)
	if err != nil {
		return nil, err
	}
	// Registered after the process, so that the guard unmounts first.
	if err := r.guard.watch(guardedMount, dir); err != nil {
		return nil, err
	}
	return p, r.until("mount", p, func() bool { return isMount(dir) })
}

// serve starts a program that listens on a loopback address.
func (r *rig) serve(address string, cmd *exec.Cmd) (*process, error) {
	p, err := r.start(cmd)
	if err != nil {
		return nil, err
	}
	return p, r.until("serve", p, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
}

// freeAddress returns a loopback address on which nothing listens.
func freeAddress() (address, port string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	defer l.Close()
	_, port, err = net.SplitHostPort(l.Addr().String())
	return l.Addr().String(), port, err
}

// status returns a line of a process's /proc/PID/status, in kB.
func (p *process) status(line string) (kB int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for l := range strings.Lines(string(text)) {
		if n, _ := fmt.Sscanf(l, line+": %d kB", &kB); n == 1 {
			return kB, nil
		}
	}
	return 0, fmt.Errorf("the status of process %d has no %s", p.cmd.Process.Pid, line)
}

// resident returns the memory of an idle process: once it has not changed for a
// while.
func (p *process) resident() (kB int, err error) {
	const pause, rest, patience = 50 * time.Millisecond, 20, 200
	last, still := -1, 0
	for range patience {
		if kB, err = p.status("VmRSS"); err != nil {
			return 0, err
		}
		if still++; kB != last {
			last, still = kB, 0
		}
		if still == rest {
			break
		}
		time.Sleep(pause)
	}
	return kB, nil
}

// forgetPeak resets VmHWM.
func (p *process) forgetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0)
}
