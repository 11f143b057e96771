package configure

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/profile"

	"github.com/spf13/cobra"
)

func newConfigRemoveCommand(c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "remove PROFILE",
		Short:             "Remove a profile, and the password kept for it",
		Long:              `The command removes the password that config add kept for the profile. Mounts, caches and queues stay.`,
		Example:           `paperfs config remove acme`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: config.CompleteProfile(c),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := profile.Load(c.ProfileFile())
			if err != nil {
				return &cli.UsageError{Err: err}
			}
			p, err := f.Profile(args[0])
			if err != nil {
				return &cli.UsageError{Err: err}
			}
			if err := profile.Remove(c.ProfileFile(), args[0]); err != nil {
				return err
			}
			return dropPassword(c, p, f)
		},
	}
	configFlag(c, cmd)
	return cmd
}

// dropPassword removes the password that was stored for a profile.
func dropPassword(c *config.Config, p *profile.Profile, others *profile.File) error {
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
		if u, n := accountOfProfile(other); name != p.Name && profile.KeyringName(u) == profile.KeyringName(url) && n == username {
			return nil // the other profile uses the same password
		}
	}
	if err := profile.DropFromKeyring(url, username); err != nil {
		return fmt.Errorf("the profile is removed, but its password is still in the desktop's keyring: %w", err)
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
