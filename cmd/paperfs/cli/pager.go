package cli

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// Page writes a text, which depends on the width of the output. On a terminal a pager shows it: the
// command in PAGER, or less, or more. Without a pager, or if PAGER is empty or cat, Page writes the
// text itself.
func Page(out io.Writer, text func(width int) string) error {
	shown := text(Width(out))
	f, ok := Terminal(out)
	if !ok {
		_, err := io.WriteString(out, shown)
		return err
	}
	if pager := pagerCommand(); pager != nil {
		pager.Stdin, pager.Stdout, pager.Stderr = strings.NewReader(shown), f, os.Stderr
		if err := runPager(pager); !errors.Is(err, errNoPager) {
			return err
		}
	}
	_, err := io.WriteString(out, shown)
	return err
}

// pagerCommand returns the pager to run; nil for none.
func pagerCommand() *exec.Cmd {
	if line, ok := os.LookupEnv("PAGER"); ok {
		if line = strings.TrimSpace(line); line == "" || line == "cat" {
			return nil
		}
		return exec.Command("sh", "-c", line)
	}
	for _, line := range [][]string{{"less", "-FRX"}, {"more"}} {
		if path, err := exec.LookPath(line[0]); err == nil {
			return exec.Command(path, line[1:]...)
		}
	}
	return nil
}

// errNoPager reports a pager that cannot be run.
var errNoPager = errors.New("the pager cannot be run")

// runPager runs a pager to its end. ^C is for the pager. It is no failure if the user ends the
// pager before that has read everything.
func runPager(pager *exec.Cmd) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt) // unlike an ignored signal, the pager does not inherit this
	defer signal.Stop(interrupts)
	err := pager.Run()
	ended, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return nil
	case !ok:
		return errNoPager
	case ended.ExitCode() == 126, ended.ExitCode() == 127: // of sh: no such command
		return errNoPager
	}
	return nil
}
