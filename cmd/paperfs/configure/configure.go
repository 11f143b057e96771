package configure

import (
	"fmt"
	"os"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/profile"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func NewCommand(c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Add, list, show, change and remove profiles",
		Long:  "A profile is a service with the settings of its mount, under a name: see paperfs help profiles.",
		Example: `paperfs config add acme
paperfs config set acme tree_ttl=10m`,
	}
	return cli.Group(cmd, newConfigAddCommand(c), newConfigListCommand(c), newConfigShowCommand(c), newConfigSetCommand(c), newConfigRemoveCommand(c))
}

// configFlag adds --config to a command without settings.
func configFlag(c *config.Config, cmd *cobra.Command) {
	c.BindConfigFile(cmd.Flags())
}

func newConfigListCommand(c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the profiles and the services they name",
		Example: `paperfs config list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := profile.Load(c.ProfileFile())
			if err != nil {
				return &cli.UsageError{Err: err}
			}
			if len(f.Names()) == 0 {
				fmt.Fprintf(os.Stderr, "paperfs: there are no profiles in %s. To make one, run: paperfs config add%s NAME\n", c.ProfileFile(), profile.Option(c.ProfileFile()))
				return nil
			}
			return cli.Table(cmd, func(line func(...any)) {
				for _, name := range f.Names() {
					p, _ := f.Profile(name)
					service := "embedded service"
					if url, ok := p.Settings["url"]; ok {
						service = fmt.Sprint(url.Value)
					}
					line(name, service)
				}
			})
		},
	}
	configFlag(c, cmd)
	return cmd
}

func newConfigShowCommand(c *config.Config) *cobra.Command {
	groups := c.MountFlags
	cmd := &cobra.Command{
		Use:   "show [PROFILE]",
		Short: "Show each setting of a mount, and where it comes from",
		Long: `A value comes from a flag, the environment, the profile or the defaults. The command takes the flags
of paperfs mount, and does not show passwords.`,
		Example: `paperfs config show acme
paperfs config show acme --tree-ttl 10m`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: config.CompleteProfile(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Resolve(cmd.Flags(), cli.First(args)); err != nil {
				return err
			}
			return cli.Table(cmd, func(line func(...any)) {
				line("SETTING", "VALUE", "FROM")
				for _, group := range groups {
					config.VisitSettings(group, func(f *pflag.Flag) {
						key := config.KeyOf(f.Name)
						line(key, shown(c, f), c.Sources[key].Name)
						if key == "username" {
							line(profile.PasswordKey, hidden(c.Password), c.Sources[profile.PasswordKey].Name)
						}
					})
				}
			})
		},
	}
	cli.GroupFlags(cmd, groups...)
	return cmd
}

// shown returns the value of a setting for config show.
func shown(c *config.Config, f *pflag.Flag) string {
	if f.Name == "rpm" {
		return fmt.Sprint(c.RequestLimit())
	}
	if text := f.Value.String(); text != "" && text != "[]" {
		return text
	}
	return "-"
}

// hidden returns what config show prints for a password.
func hidden(password string) string {
	if password == "" {
		return "-"
	}
	return "(not shown)"
}
