package configure

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/profile"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newConfigSetCommand(c *config.Config) *cobra.Command {
	var fromStdin bool
	cmd := &cobra.Command{
		Use:   "set PROFILE [KEY=VALUE]...",
		Short: "Change settings of a profile, or its password",
		Long: `KEY is a setting as paperfs config show lists it, for a list given once for each of its values, and an
empty VALUE takes the setting out of the profile. Without KEY=VALUE, paperfs asks for a new password, or
reads it from standard input with --password-stdin, and keeps it where the profile has its password.

A mount keeps the settings that it began with, until it is unmounted and mounted again.`,
		Example: `paperfs config set acme tree_ttl=10m allow_delete=true
paperfs config set acme
paperfs config set acme --password-stdin < key`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: config.CompleteProfile(c),
		RunE: func(_ *cobra.Command, args []string) error {
			return setProfile(c, args[0], args[1:], fromStdin)
		},
	}
	configFlag(c, cmd)
	cmd.Flags().BoolVar(&fromStdin, "password-stdin", false, "read the new password from standard input")
	return cmd
}

func setProfile(c *config.Config, name string, assignments []string, fromStdin bool) error {
	withoutVariables()
	groups := c.MountFlags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, g := range groups {
		config.VisitSettings(g, flags.AddFlag)
	}
	changed, err := assign(flags, assignments)
	if err != nil {
		return &cli.UsageError{Err: cli.FlagError(err)}
	}
	changed = append(changed, added(c, groups)...)
	if err = c.Resolve(flags, name); err == nil {
		err = checkAdded(c, false)
	}
	if err == nil && (len(assignments) == 0 || fromStdin) {
		var kept []profile.Named
		kept, err = newKey(c, name, fromStdin)
		changed = append(changed, kept...)
	}
	if err == nil {
		err = profile.Change(c.ProfileFile(), name, withoutOthers(changed))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "paperfs: the profile %s in %s is changed; what is mounted takes it when it is mounted again. To try it, run: paperfs doctor%s %s\n", name, c.ProfileFile(), profile.Option(c.ProfileFile()), name)
	return nil
}

// assign sets the flags that KEY=VALUE names, and returns the settings to take out.
func assign(flags *pflag.FlagSet, assignments []string) (out []profile.Named, err error) {
	for _, text := range assignments {
		key, value, given := strings.Cut(text, "=")
		f := flags.Lookup(strings.ReplaceAll(key, "_", "-"))
		if rest, home := strings.CutPrefix(value, "~/"); home {
			value = filepath.Join(xdg.Home, rest)
		}
		switch {
		case f == nil:
			return nil, fmt.Errorf("there is no setting %s for an argument: paperfs config show lists all, and a password is asked for without any", key)
		case !given:
			return nil, fmt.Errorf("write %s=VALUE", key)
		case value == "":
			out = append(out, profile.Named{Key: config.KeyOf(f.Name)})
		default:
			err = cmp.Or(err, flags.Set(f.Name, value))
		}
	}
	return out, err
}

// withoutOthers also takes out the other settings for the password where one is set, since a profile may have one.
func withoutOthers(changed []profile.Named) []profile.Named {
	for _, s := range changed {
		if s.Value == nil || s.Value == false || !slices.Contains(config.PasswordKeys, s.Key) {
			continue
		}
		for _, other := range config.PasswordKeys {
			if other != s.Key {
				changed = append(changed, profile.Named{Key: other})
			}
		}
		break
	}
	return changed
}

// withoutVariables takes the settings out of the environment: a profile is changed, and not what a mount would make of it here.
func withoutVariables() {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "PAPERFS_") && name != "PAPERFS_CONFIG" {
			_ = os.Unsetenv(name) // fails for an empty name alone
		}
	}
}

// newKey keeps a new password where the profile has the old one, and returns the settings that this changes.
func newKey(c *config.Config, name string, fromStdin bool) (_ []profile.Named, err error) {
	secret := ""
	switch {
	case c.Embedded():
		return nil, &cli.UsageError{Err: fmt.Errorf("the profile %s is one of the embedded service, which needs no password: give KEY=VALUE", name)}
	case c.PasswordCommand != "":
		return nil, &cli.UsageError{Err: fmt.Errorf("the password comes from %s: change it there", c.NameOf("password_command"))}
	case fromStdin:
		secret, err = readPassword()
	case profile.CanAsk():
		secret, err = profile.AskPassword("New password: ")
	default:
		err = &cli.UsageError{Err: errors.New("give KEY=VALUE or --password-stdin: there is no terminal to ask for a password on")}
	}
	switch {
	case err != nil:
		return nil, err
	case secret == "":
		return nil, profile.ErrUnanswered
	case c.Password != "":
		return []profile.Named{{Key: profile.PasswordKey, Value: secret}}, nil
	case c.PasswordFile != "":
		return nil, writePassword(c.PasswordFile, secret)
	}
	return keepPassword(c, name, secret)
}
