package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// guard is a process that clears up after this one, however this one ends: it
// notices that its stdin is at the end.
type guard struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	told  bytes.Buffer // what could not be cleared up
}

// guarded are the guard's orders, one a line: a word, a blank, the rest.
const (
	guardedDir   = "dir"   // remove it, at the end
	guardedMount = "mount" // unmount it
	guardedPID   = "pid"   // end the process and its group
	guardedGone  = "gone"  // forget the order that follows: it is done
)

func startGuard() (*guard, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	g := &guard{cmd: exec.Command(self, "guard")}
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // ^C at the terminal is not for it
	g.cmd.Stderr = &g.told
	if g.stdin, err = g.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return g, g.cmd.Start()
}

// watch gives the guard an order.
func (g *guard) watch(what, which string) error {
	_, err := fmt.Fprintln(g.stdin, what, which)
	return err
}

// close clears up now.
func (g *guard) close() error {
	_ = g.stdin.Close()
	if err := g.cmd.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, strings.TrimSpace(g.told.String()))
	}
	return nil
}

func newGuardCommand() *cobra.Command {
	return &cobra.Command{
		Use: "guard", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return clearUp(cmd.InOrStdin()) },
	}
}

// clearUp carries the orders out when no more can come, the last one first.
func clearUp(orders io.Reader) error {
	var lines []string
	for in := bufio.NewScanner(orders); in.Scan(); {
		if done, ok := strings.CutPrefix(in.Text(), guardedGone+" "); ok {
			lines = slices.DeleteFunc(lines, func(line string) bool { return line == done })
			continue
		}
		lines = append(lines, in.Text())
	}
	slices.Reverse(lines)
	var failed error
	for _, line := range lines {
		what, which, _ := strings.Cut(line, " ")
		switch what {
		case guardedMount:
			failed = errors.Join(failed, unmount(which))
		case guardedPID:
			end(which)
		case guardedDir:
			failed = errors.Join(failed, removeUnmounted(which))
		}
	}
	return failed
}

// patience is how long something gets to end by itself.
const patience = 10 * time.Second

// unmount detaches what stays busy, or does not answer.
func unmount(dir string) error {
	polite, rude := []string{"umount", dir}, []string{"umount", "-l", dir}
	if os.Geteuid() != 0 {
		polite, rude = []string{"fusermount3", "-u", dir}, []string{"fusermount3", "-u", "-z", dir}
	}
	for limit := time.Now().Add(patience); isMount(dir); time.Sleep(100 * time.Millisecond) {
		words := polite
		if time.Now().After(limit) {
			words = rude
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience/2)
		out, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput()
		cancel()
		if err != nil && time.Now().After(limit.Add(patience)) {
			return fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, bytes.TrimSpace(out))
		}
	}
	return nil
}

// end ends a process group.
func end(pid string) {
	number, err := strconv.Atoi(pid)
	if err != nil || number <= 1 {
		return
	}
	_ = unix.Kill(-number, unix.SIGTERM)
	for limit := time.Now().Add(patience); unix.Kill(-number, 0) == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			_ = unix.Kill(-number, unix.SIGKILL)
			return
		}
	}
}

// removeUnmounted removes a directory, but nothing through a mount.
func removeUnmounted(dir string) error {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	if bytes.Contains(table, []byte(" "+dir+"/")) {
		return fmt.Errorf("%s: something is mounted in it still; unmount and remove it yourself", dir)
	}
	return os.RemoveAll(dir)
}

// isMount reports whether another file system is mounted at dir, also one
// whose server is gone.
func isMount(dir string) bool {
	table, err := os.ReadFile("/proc/self/mountinfo")
	return err == nil && bytes.Contains(table, []byte(" "+dir+" "))
}
