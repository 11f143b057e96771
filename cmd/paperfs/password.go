package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"paperfs/remote/shellword"

	"golang.org/x/term"
)

// password is the password, from where the settings say.
func (c *Config) password() (string, error) {
	if c.PasswordFile == "" {
		return c.Password, nil
	}
	password, err := readPassword(c.PasswordFile)
	if err != nil {
		return "", &usageError{fmt.Errorf("%s: %w", c.nameOf("password_file"), err)}
	}
	return password, nil
}

// readPassword reads a file that has the password, and which nobody else may
// read. A pipe, as of <(pass acme), has no other readers.
func readPassword(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return "", err
	} else if info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("others can read %s. Run: chmod 600 %s", path, shellword.Quote(path))
	}
	content, err := io.ReadAll(f)
	if err != nil {
		return "", err
	}
	password := oneLine(content)
	if password == "" {
		return "", fmt.Errorf("%s is empty", path)
	}
	return password, nil
}

// oneLine is a text without the end of its line.
func oneLine(text []byte) string {
	return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
}

// onTerminal reports whether there is somebody to ask.
func onTerminal() bool { return term.IsTerminal(int(os.Stdin.Fd())) }

// askPassword asks on the terminal, and does not show what is typed, also not
// what is typed after a ^C.
func askPassword(question string) (string, error) {
	in := int(os.Stdin.Fd())
	before, err := term.GetState(in)
	if err != nil {
		return "", err
	}
	interrupts, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(interrupts, endingSignals()...)
	defer signal.Stop(interrupts)
	defer close(done)
	go func() {
		select {
		case <-interrupts:
			_ = term.Restore(in, before)
			fmt.Fprintln(os.Stderr)
			os.Exit(exitFailure)
		case <-done:
		}
	}()
	fmt.Fprint(os.Stderr, question)
	text, err := term.ReadPassword(in)
	fmt.Fprintln(os.Stderr)
	if errors.Is(err, io.EOF) {
		err = errInterrupted
	}
	return string(text), err
}
