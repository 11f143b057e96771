package profile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/shellword"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// ErrUnanswered means that the user typed ^C or ^D instead of an answer.
var ErrUnanswered = errors.New("there was no answer, so nothing was done")

// PasswordFromCommand returns the first line of a command's output. The command may use the terminal to
// ask the user.
func PasswordFromCommand(command string) (string, error) {
	ctx, stop := context.WithTimeoutCause(context.Background(), commandLimit, fmt.Errorf("it did not end within %s", commandLimit))
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	var out printed
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, &out, os.Stderr
	cmd.WaitDelay = time.Second // for children that keep its output open
	if err := cmd.Run(); ctx.Err() != nil {
		return "", context.Cause(ctx)
	} else if out.err != nil {
		return "", out.err
	} else if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return "", err
	}
	first, _, _ := strings.Cut(string(out.text), "\n")
	if first = OneLine([]byte(first)); first == "" {
		return "", errors.New("it prints no password")
	}
	return first, nil
}

// commandLimit bounds the run of a command, for which the user may have to unlock
// something.
const commandLimit = 2 * time.Minute

// printed collects a command's output, up to mostPrinted.
type printed struct {
	text []byte
	err  error
}

const mostPrinted = 64 << 10 // bytes

func (p *printed) Write(text []byte) (int, error) {
	if len(p.text)+len(text) > mostPrinted {
		p.err = fmt.Errorf("it prints more than %d bytes", mostPrinted)
		return 0, p.err
	}
	p.text = append(p.text, text...)
	return len(text), nil
}

// PasswordFromFile reads the password from a file that no other user may read. A pipe, as from
// <(pass acme), has no other readers.
func PasswordFromFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	} else if info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("others can read %s. Run: chmod 600 %s", path, shellword.Quote(path))
	}
	content, err := io.ReadAll(io.LimitReader(f, mostPrinted))
	if err != nil {
		return "", err
	}
	password := OneLine(content)
	switch {
	case password == "":
		return "", fmt.Errorf("%s is empty", path)
	case strings.Contains(password, "\n"):
		return "", fmt.Errorf("%s has several lines: a password file holds only the password", path)
	}
	return password, nil
}

// OneLine returns a text without its line end.
func OneLine(text []byte) string {
	return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
}

// CanAsk reports whether stdin is a terminal.
func CanAsk() bool { return term.IsTerminal(int(os.Stdin.Fd())) }

// AskPassword asks on the terminal, with echo off from the question on. It always restores the terminal,
// even after a signal.
func AskPassword(question string) (string, error) {
	in := int(os.Stdin.Fd())
	before, err := unix.IoctlGetTermios(in, unix.TCGETS)
	if err != nil {
		return "", err
	}
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, cli.EndingSignals()...)
	defer signal.Stop(signals)
	defer close(done)
	go func() {
		select {
		case <-signals:
			_ = unix.IoctlSetTermios(in, unix.TCSETS, before)
			fmt.Fprintf(os.Stderr, "\npaperfs: %v\n", ErrUnanswered)
			os.Exit(cli.ExitFailure)
		case <-done:
		}
	}()
	silent := *before
	silent.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(in, unix.TCSETS, &silent); err != nil {
		return "", err
	}
	fmt.Fprint(os.Stderr, question)
	text, err := bufio.NewReader(os.Stdin).ReadString('\n') // a terminal gives one line at a time
	fmt.Fprintln(os.Stderr)
	if errors.Is(err, io.EOF) {
		if err = nil; text == "" {
			err = ErrUnanswered
		}
	}
	return strings.TrimSuffix(text, "\n"), errors.Join(err, unix.IoctlSetTermios(in, unix.TCSETS, before))
}
