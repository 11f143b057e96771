package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"paperfs/cmd/paperfs/profile"
	"paperfs/cmd/paperfs/usage"
	"paperfs/remote/durable"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newConfigAddCommand(c *Config) *cobra.Command {
	var fromStdin bool
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a profile; on a terminal, asks for what is not given",
		Long: `Add a profile. It gets the settings that flags give, which are those of paperfs
mount. On a terminal, paperfs asks for the service if there is no --url.

The password is no flag, which others could see: paperfs asks for it, or reads it
from standard input with --password-stdin, and keeps it in the desktop's keyring;
where there is none, in a file beside the profiles that only you can read.`,
		Args: cobra.ExactArgs(1),
	}
	groups := append([]*pflag.FlagSet{usage.FlagGroup("This command", func(f *pflag.FlagSet) {
		f.BoolVar(&fromStdin, "password-stdin", false, "read the password from standard input, and keep it")
	})}, mountFlags(c)...)
	usage.GroupFlags(cmd, groups...)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		return addProfile(c, args[0], groups[1:], fromStdin)
	}
	return cmd
}

func addProfile(c *Config, name string, groups []*pflag.FlagSet, fromStdin bool) error {
	f, err := profile.Load(c.configFile())
	if err == nil {
		err = f.CheckNew(name)
	}
	if err != nil {
		return &usage.Error{Err: err}
	}
	asking := c.URL == "" && c.Data == NewConfig().Data && !fromStdin && onTerminal()
	if asking {
		if err := askService(c, groups); err != nil {
			return err
		}
	}
	if _, err := c.checkedSettings(); err != nil {
		return err
	}
	if err := checkAdded(c); err != nil {
		return err
	}
	password, err := newPassword(c, asking, fromStdin)
	if err != nil {
		return err
	}
	err = profile.Add(c.configFile(), name, func() ([]profile.Named, error) {
		keep, err := keepPassword(c, name, password)
		return append(added(c, groups), keep...), err
	})
	if err != nil {
		return &usage.Error{Err: err}
	}
	fmt.Fprintf(os.Stderr, "paperfs: %s has the profile %s. To try it, run: paperfs config test%s %s\n", c.configFile(), name, profile.Option(c.configFile()), name)
	return nil
}

// checkAdded refuses what no mount would take.
func checkAdded(c *Config) error {
	if c.URL == "" {
		if c.Username != "" || c.hasPassword() {
			return &usage.Error{Err: errors.New("there is a user name or password, but no --url: give all, or none for the embedded service")}
		}
		return nil
	}
	if c.Username == "" {
		return &usage.Error{Err: errors.New("--username is missing")}
	}
	client, err := newClient(c.clientOptions(mountSettings{}))
	if err == nil {
		client.Close()
	}
	return err
}

// askService asks for the service and the account.
func askService(c *Config, groups []*pflag.FlagSet) error {
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
			return errUnanswered
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

// readLine reads no further than the line: the next may be a password.
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

// newPassword is the one to keep, "" for none.
func newPassword(c *Config, asking, fromStdin bool) (string, error) {
	switch {
	case c.URL == "":
		return "", nil
	case fromStdin && (c.PasswordFile != "" || c.PasswordCommand != ""):
		return "", &usage.Error{Err: errors.New("give one of --password-file, --password-command and --password-stdin")}
	case !fromStdin && c.hasPassword():
		return "", nil
	case fromStdin:
		text, err := io.ReadAll(os.Stdin)
		if err == nil && oneLine(text) == "" {
			err = &usage.Error{Err: errors.New("--password-stdin: standard input is empty")}
		}
		return oneLine(text), err
	case asking || onTerminal():
		return askPassword("Password (empty to keep none): ")
	}
	return "", nil
}

// added are the settings that flags gave, in the order of the help.
func added(c *Config, groups []*pflag.FlagSet) (all []profile.Named) {
	for _, g := range groups {
		settings(g, func(f *pflag.Flag) {
			if f.Changed {
				all = append(all, profile.Named{Key: keyOf(f.Name), Value: typed(f)})
			}
		})
	}
	return all
}

// typed is the value of a flag as a profile has it. A path does not depend on
// where the command runs.
func typed(f *pflag.Flag) any {
	text := f.Value.String()
	switch kind := f.Value.Type(); {
	case kind == "bool":
		return text == "true"
	case kind == "int" || kind == "int64":
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	case slices.Contains(paths, keyOf(f.Name)) && text != journal:
		if abs, err := filepath.Abs(text); err == nil {
			return abs
		}
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return text
}

// passwordFileOf is where the password of a profile is kept that was asked for.
func passwordFileOf(c *Config, name string) string {
	path, err := filepath.Abs(c.configFile())
	if err != nil {
		path = c.configFile()
	}
	return filepath.Join(filepath.Dir(path), name+".password")
}

// keepPassword keeps a password in the keyring, else in a file, and returns what
// the profile has to say of that. With --keyring there is no else.
func keepPassword(c *Config, name, password string) ([]profile.Named, error) {
	if password == "" {
		return nil, nil
	}
	err := intoKeyring(c.URL, c.Username, password)
	switch {
	case err == nil && c.Keyring:
		return nil, nil // the flag is in the profile
	case err == nil:
		return []profile.Named{{Key: "keyring", Value: true}}, nil
	case c.Keyring:
		return nil, fmt.Errorf("--keyring: %w", err)
	}
	path := passwordFileOf(c, name)
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%s exists, and the password would be stored there: move it away", path)
	}
	if err := writePassword(path, password); err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "paperfs: the password is in %s, not in the desktop's keyring: %v\n", path, err)
	return []profile.Named{{Key: "password_file", Value: path}}, nil
}

func writePassword(path, password string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".password.*")
	if err != nil {
		return err
	}
	_, err = draft.WriteString(password + "\n")
	return durable.Replace(path, draft, err)
}

// dropPassword removes the password that was kept for a profile.
func dropPassword(c *Config, p *profile.Profile, others *profile.File) error {
	if path := passwordFileOf(c, p.Name); p.Settings["password_file"].Value == path && !namedByOthers(path, p, others) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if p.Settings["keyring"].Value != true {
		return nil
	}
	url, username := accountOfProfile(p)
	for _, name := range others.Names() {
		other, _ := others.Profile(name)
		if u, n := accountOfProfile(other); name != p.Name && keyringName(u) == keyringName(url) && n == username {
			return nil // its password, too
		}
	}
	if err := outOfKeyring(url, username); err != nil {
		return fmt.Errorf("the profile is gone, but its password stays in the desktop's keyring: %w", err)
	}
	return nil
}

func namedByOthers(passwordFile string, p *profile.Profile, others *profile.File) bool {
	return slices.ContainsFunc(others.Names(), func(name string) bool {
		other, _ := others.Profile(name)
		return name != p.Name && other.Settings["password_file"].Value == passwordFile
	})
}

func accountOfProfile(p *profile.Profile) (url, username string) {
	url, _ = p.Settings["url"].Value.(string)
	username, _ = p.Settings["username"].Value.(string)
	return url, username
}
