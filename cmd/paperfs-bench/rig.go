package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// rig is what the peers of one comparison share.
type rig struct {
	ctx     context.Context
	dir     string // all files of the comparison
	guard   *guard
	paperfs string        // the program
	rclone  string        // the program
	limit   time.Duration // for one piece of work
	log     io.Writer     // what is under way
	count   int           // of directories made
}

// withRig runs a comparison in a directory of its own below parent.
func withRig(cmd *cobra.Command, o options, run func(*rig) error) (err error) {
	r := &rig{ctx: cmd.Context(), log: cmd.ErrOrStderr(), paperfs: o.paperfs, rclone: o.rclone, limit: o.limit}
	if r.dir, err = os.MkdirTemp(o.dir, "paperfs-bench-"); err != nil {
		return err
	}
	if r.dir, err = filepath.EvalSymlinks(r.dir); err != nil {
		return err
	}
	if r.guard, err = startGuard(); err != nil {
		return errors.Join(err, os.RemoveAll(r.dir))
	}
	defer func() { err = errors.Join(err, r.guard.close()) }()
	if err := r.guard.watch(guardedDir, r.dir); err != nil {
		return err
	}
	return run(r)
}

// say tells what is under way.
func (r *rig) say(words ...string) { fmt.Fprintln(r.log, "#", strings.Join(words, ": ")) }

// settle flushes what was written so far to the disk: the peer that is timed next does not
// pay for the one before.
func (r *rig) settle() error {
	d, err := os.Open(r.dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Syncfs(int(d.Fd()))
}

// makeDir makes a directory that nothing else uses.
func (r *rig) makeDir(what string) (string, error) {
	r.count++
	dir := filepath.Join(r.dir, fmt.Sprintf("%02d-%s", r.count, what))
	return dir, os.Mkdir(dir, 0o755)
}

// makeServed makes a directory for a server, alone in the one above it: a
// server of that one must not come upon mounts.
func (r *rig) makeServed() (string, error) {
	above, err := r.makeDir("server")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(above, "files")
	return dir, os.Mkdir(dir, 0o755)
}

// run runs a piece of work to its end, for as long as it may take. What a
// mount that hangs does not let go is left to the guard, which ends the mount.
func (r *rig) run(cmd *exec.Cmd) (stdout []byte, err error) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			err = fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, lastLine(said.Bytes()))
		}
		return out.Bytes(), err
	case <-time.After(r.limit):
		_ = cmd.Process.Kill()
		return nil, fmt.Errorf("%s: %w", filepath.Base(cmd.Path), errLimit)
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	}
}

// errLimit: a peer took too long and is not asked for more.
var errLimit = errors.New("did not end in the time it had (--limit)")

// command prepares a program that sees a home directory of its own.
func (r *rig) command(words ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.ctx, words[0], words[1:]...)
	cmd.Dir = r.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PAPERFS_") && !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "RCLONE_") && !strings.HasPrefix(v, "HOME=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+r.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ^C at the terminal is for us alone; the guard ends the group
	return cmd
}

// process is a server or a mount that runs.
type process struct {
	cmd   *exec.Cmd
	log   string        // file of its output
	ended chan struct{} // closed when it has ended
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
	// The guard lets servers and mounts go in the right order.
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

// until waits for a condition that p is to bring about; p may be nil.
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

// tail is the end of what a process said.
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
	// Registered after the process, so that the mount goes first.
	if err := r.guard.watch(guardedMount, dir); err != nil {
		return nil, err
	}
	return p, r.until("mount", p, func() bool { return isMount(dir) })
}

// serve starts a program that listens at a loopback address.
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

// freeAddress is a loopback address that nobody listens at.
func freeAddress() (address, port string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	defer l.Close()
	_, port, err = net.SplitHostPort(l.Addr().String())
	return l.Addr().String(), port, err
}
