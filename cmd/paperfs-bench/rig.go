package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// rig is a directory with everything that is started and mounted in it.
type rig struct {
	*options
	ctx   context.Context
	dir   string
	log   io.Writer      // progress
	count int            // number of directories and logs created
	undo  []func() error // what ends what was begun, the last first
}

// use runs do, ends all that it has begun, and removes the directory.
func (r *rig) use(do func(*rig)) error {
	err := attempt(func() { do(r) })
	for _, end := range slices.Backward(r.undo) {
		err = errors.Join(err, end())
	}
	return errors.Join(err, removeUnmounted(r.dir))
}

// part returns a rig for a part of the work, in a directory of its own.
func (r *rig) part(what string) *rig {
	return &rig{options: r.options, ctx: r.ctx, log: r.log, dir: r.makeDir(what)}
}

// say logs progress.
func (r *rig) say(words ...string) { fmt.Fprintln(r.log, "#", strings.Join(words, ": ")) }

// settle flushes earlier writes to the disk, so that the next peer does not pay for the
// previous one.
func (r *rig) settle() {
	d := got(os.Open(r.dir))
	defer d.Close()
	must(unix.Syncfs(int(d.Fd())))
}

// makeDir creates a directory for one use.
func (r *rig) makeDir(what string) string {
	r.count++
	dir := filepath.Join(r.dir, fmt.Sprintf("%02d-%s", r.count, what))
	must(os.Mkdir(dir, 0o755))
	return dir
}

// run runs a piece of work, up to the time limit. If a hanging mount blocks the program, run
// does not wait: the program ends with the mount.
func (r *rig) run(cmd *exec.Cmd) (stdout []byte) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	must(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	name := filepath.Base(cmd.Path)
	select {
	case err := <-ended:
		if err != nil {
			must(fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(said.Bytes())))
		}
		return out.Bytes()
	case <-time.After(r.limit):
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL)
		must(fmt.Errorf("%s did not end in the time it had (--limit)", name))
	case <-r.ctx.Done():
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL)
		must(r.ctx.Err())
	}
	return nil
}

// command prepares a program with its own home directory.
func (r *rig) command(words ...string) *exec.Cmd {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = r.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PAPERFS_") && !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "RCLONE_") && !strings.HasPrefix(v, "HOME=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+r.dir)
	// ^C at the terminal is only for this process, which ends the group. If it is killed, the kernel asks what it started to end.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	return cmd
}
