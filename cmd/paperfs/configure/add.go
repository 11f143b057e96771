package configure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/profile"
	"paperfs/remote/shellword"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newConfigAddCommand(c *config.Config) *cobra.Command {
	var fromStdin bool
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a profile",
		Long: `The flags, which are those of paperfs mount, are the settings of the profile. On a terminal, paperfs asks for the service if
there is neither --url nor --data; a script has to give one.

There is no flag for the password, because others could see it. paperfs asks for it, or reads it from standard input with
--password-stdin. It keeps it in the desktop's keyring or, if there is none, in a file beside the profiles that only you can read.`,
		Example: `paperfs config add acme
paperfs config add acme --url https://acme.example --username APIKey
paperfs config add archive --data ~/archive`,
		Args: cobra.ExactArgs(1),
	}
	groups := append([]*pflag.FlagSet{cli.FlagGroup("This command", func(f *pflag.FlagSet) {
		f.BoolVar(&fromStdin, "password-stdin", false, "read the password from standard input, and keep it")
	})}, c.MountFlags...)
	cli.GroupFlags(cmd, groups...)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		return addProfile(c, args[0], groups[1:], fromStdin)
	}
	return cmd
}

func addProfile(c *config.Config, name string, groups []*pflag.FlagSet, fromStdin bool) error {
	f, err := profile.Load(c.ProfileFile())
	if err == nil {
		err = f.CheckNew(name)
	}
	if err != nil {
		return &cli.UsageError{Err: err}
	}
	if c.URL == "" && !lookup(groups, "data").Changed && !fromStdin {
		if err := askService(c, groups); err != nil {
			return err
		}
	}
	if err := checkAdded(c, fromStdin); err != nil {
		return err
	}
	password, err := newPassword(c, fromStdin)
	if err != nil {
		return err
	}
	var kept []profile.Named
	err = profile.Add(c.ProfileFile(), name, func() (_ []profile.Named, err error) {
		kept, err = keepPassword(c, name, password)
		return append(added(c, groups), kept...), err
	})
	if err != nil {
		return errors.Join(err, dropKept(kept))
	}
	fmt.Fprintf(os.Stderr, "paperfs: %s has the profile %s. To try it, run: paperfs doctor%s %s\n", c.ProfileFile(), name, profile.Option(c.ProfileFile()), name)
	return nil
}

// checkAdded refuses settings that no mount would accept.
func checkAdded(c *config.Config, fromStdin bool) error {
	_, err := c.CheckWithoutPassword()
	switch {
	case err != nil:
		return err
	case c.URL == "" && (c.Username != "" || fromStdin || c.HasPassword()):
		return &cli.UsageError{Err: errors.New("there is a user name or password, but no --url: give all, or none for the embedded service")}
	case c.URL == "":
		return nil
	case c.Username == "":
		return &cli.UsageError{Err: errors.New("--username is missing")}
	}
	client, err := config.NewClient(c.ClientOptions(config.Settings{}))
	if err == nil {
		client.Close()
	}
	return err
}

// askService asks for the service and the account. Without a terminal, no answer is not a choice of the embedded service.
func askService(c *config.Config, groups []*pflag.FlagSet) error {
	if !profile.CanAsk() {
		return &cli.UsageError{Err: fmt.Errorf("there is no --url, and no terminal to ask on. Give --url and --username or, for the embedded service, --data %s", shellword.Quote(c.Data))}
	}
	for _, q := range []struct{ flag, question string }{
		{"url", "Address of the service, without /V2 (empty for the embedded service): "},
		{"username", "User name: "},
	} {
		f := lookup(groups, q.flag)
		if f.Changed || q.flag == "username" && c.URL == "" {
			continue
		}
		fmt.Fprint(os.Stderr, q.question)
		answer, err := readLine(os.Stdin)
		if err != nil {
			return profile.ErrUnanswered
		}
		if answer = strings.TrimSpace(answer); answer != "" {
			f.Changed = true
			if err := f.Value.Set(answer); err != nil {
				return err
			}
		}
	}
	return nil
}

// readLine reads exactly one line: the next one may be a password.
func readLine(in io.Reader) (string, error) {
	var line []byte
	for one := make([]byte, 1); ; {
		if _, err := in.Read(one); err != nil {
			return "", err
		}
		if one[0] == '\n' {
			return string(line), nil
		}
		line = append(line, one[0])
	}
}

func lookup(groups []*pflag.FlagSet, name string) *pflag.Flag {
	for _, g := range groups {
		if f := g.Lookup(name); f != nil {
			return f
		}
	}
	return nil
}

// added returns the settings given by flags, in the order of the help.
func added(c *config.Config, groups []*pflag.FlagSet) (all []profile.Named) {
	for _, g := range groups {
		config.VisitSettings(g, func(f *pflag.Flag) {
			if f.Changed {
				all = append(all, profile.Named{Key: config.KeyOf(f.Name), Value: typed(f)})
			}
		})
	}
	return all
}

// typed returns the value of a flag in the type that a profile has. A path becomes
// absolute.
func typed(f *pflag.Flag) any {
	text := f.Value.String()
	switch f.Value.Type() {
	case "bool":
		return text == "true"
	case "int", "int64":
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return config.Absolute(f, text, absolute("."))
}

// absolute returns a path that works from another working directory.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
