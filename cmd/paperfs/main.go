package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/mount"
	"paperfs/cmd/paperfs/serving"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
)

func main() {
	runOwnProcess()
	completeEnvironment()
	if args, fake, ok := asMountHelper(os.Args[0], os.Args[1:]); ok {
		if fake {
			os.Exit(cli.ExitOK)
		}
		os.Exit(mountExitCode(run(args, os.Stdout, os.Stderr)))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run executes the command line and returns the exit code. It prints an error on stderr, in
// one line or as many as the message has.
func run(args []string, stdout, stderr io.Writer) int {
	begun := false // cobra accepted the arguments and flags
	root := newRootCommand(config.New())
	root.PersistentPreRun = func(*cobra.Command, []string) { begun = true }
	l := serving.Line{Args: args, Inside: cli.First(args) == serving.InsideArgument, Daemon: cli.First(args) == mount.DaemonArgument}
	if l.Inside || l.Daemon {
		l.Args = args[1:]
	}
	args = l.Args
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	helpFailed := showHelp(root)
	command, err := root.ExecuteContextC(context.WithValue(context.Background(), serving.LineKey{}, l))
	if err == nil {
		err = helpFailed()
	}
	if err == nil {
		return cli.ExitOK
	}
	if told, ok := errors.AsType[*serving.ExitError](err); ok {
		return told.Code
	}
	if _, lost := errors.AsType[*fs.PathError](err); !begun && !lost { // otherwise printing help or a version failed
		err = &cli.UsageError{Err: argumentWords(command, err)}
	}
	words, code := cli.PrintableError(spaced(err), args), exitCode(err)
	if asksForJSON(command.Name(), args) {
		jsonLines(stderr).Error(words)
		return code
	}
	fmt.Fprintf(stderr, "paperfs: %s\n", words)
	if code == cli.ExitUsage {
		fmt.Fprintf(stderr, "See: %s --help\n", command.CommandPath())
	}
	return code
}

// argumentWords rewords an error about the number of arguments: cobra says "accepts 1 arg(s)", and
// reports an argument of a command that takes none as an unknown command.
func argumentWords(command *cobra.Command, err error) error {
	if strings.HasPrefix(err.Error(), "unknown command ") && !command.HasSubCommands() {
		return fmt.Errorf("%s takes no arguments, but was given %s", command.CommandPath(), strings.Trim(fmt.Sprintf("%q", command.Flags().Args()), "[]"))
	}
	if !strings.HasPrefix(err.Error(), "accepts ") && !strings.HasPrefix(err.Error(), "requires ") {
		return err
	}
	given := english.Plural(len(command.Flags().Args()), "argument", "")
	if strings.HasPrefix(given, "0 ") {
		given = "no arguments"
	}
	return fmt.Errorf("%s given; usage: %s", given, strings.TrimSuffix(command.UseLine(), " [flags]"))
}

// spaced removes the layout of cobra's suggestions from an error. Otherwise the tab would be printed as its
// number, as in a name.
func spaced(err error) error {
	head, near, found := strings.Cut(err.Error(), "\n\nDid you mean this?\n")
	if !found {
		return err
	}
	return &cli.UsageError{Err: fmt.Errorf("%s: did you mean %s?", head, strings.Join(strings.Fields(near), " or "))}
}
