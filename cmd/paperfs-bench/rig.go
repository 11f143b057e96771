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
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// rig is shared by the peers of one comparison.
type rig struct {
	ctx     context.Context
	dir     string // all files of the comparison
	guard   *guard
	paperfs string        // the program
	rclone  string        // the program
	limit   time.Duration // for one piece of work
	log     io.Writer     // progress
	count   int           // number of directories and logs created
}

// withRig runs a comparison in its own directory below o.dir.
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

// say logs progress.
func (r *rig) say(words ...string) { fmt.Fprintln(r.log, "#", strings.Join(words, ": ")) }

// settle flushes earlier writes to the disk, so that the next peer does not pay for the
// previous one.
func (r *rig) settle() error {
	d, err := os.Open(r.dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Syncfs(int(d.Fd()))
}

// makeDir creates a directory for one use.
func (r *rig) makeDir(what string) (string, error) {
	r.count++
	dir := filepath.Join(r.dir, fmt.Sprintf("%02d-%s", r.count, what))
	return dir, os.Mkdir(dir, 0o755)
}

// makeServed creates a directory for a server, alone in its parent: a server of the parent
// must not find mounts in it.
func (r *rig) makeServed() (string, error) {
	above, err := r.makeDir("server")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(above, "files")
	return dir, os.Mkdir(dir, 0o755)
}

// run runs a piece of work, up to the time limit. If a hanging mount blocks the program, run
// leaves it to the guard, which ends the mount.
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

// errLimit means that a peer took too long; it gets no more work.
var errLimit = errors.New("did not end in the time it had (--limit)")

// command prepares a program with its own home directory.
func (r *rig) command(words ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.ctx, words[0], words[1:]...)
	cmd.Dir = r.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PAPERFS_") && !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "RCLONE_") && !strings.HasPrefix(v, "HOME=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+r.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ^C at the terminal is only for this process; the guard ends the group
	return cmd
}

func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}
