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

// guard is a process that cleans up after this one, however this one ends: it reads its stdin
// to the end.
type guard struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	told  bytes.Buffer // what it could not clean up
}

// Orders to the guard, one per line: a word, a blank, the rest.
const (
	guardedDir   = "dir"   // remove the directory at the end
	guardedMount = "mount" // unmount the directory
	guardedPID   = "pid"   // end the process and its group
	guardedGone  = "gone"  // drop the order that follows, because it is done
)

func startGuard() (*guard, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	g := &guard{cmd: exec.Command(self, "guard")}
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // ^C at the terminal must not end it
	g.cmd.Stderr = &g.told
	if g.stdin, err = g.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return g, g.cmd.Start()
}

// watch sends the guard an order.
func (g *guard) watch(what, which string) error {
	_, err := fmt.Fprintln(g.stdin, what, which)
	return err
}

// close makes the guard clean up now.
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

// clearUp carries out the orders once stdin ends, in reverse order.
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
			endGroup(which)
		case guardedDir:
			failed = errors.Join(failed, removeUnmounted(which))
		}
	}
	return failed
}

// patience is how long a mount or process may take to end by itself.
const patience = 10 * time.Second

// unmount unmounts dir. It detaches a mount that stays busy or does not answer.
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

// endGroup ends a process group.
func endGroup(pid string) {
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

// removeUnmounted removes a directory, unless something is mounted in it.
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

// isMount reports whether a file system is mounted at dir, even one whose server has
// ended.
func isMount(dir string) bool {
	table, err := os.ReadFile("/proc/self/mountinfo")
	return err == nil && bytes.Contains(table, []byte(" "+dir+" "))
}
