package configure

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unitForm is a unit. A line that begins with a word and a tab is only in units of that kind.
//
//go:embed unit.form
var unitForm string

// unit is what a systemd unit is for.
type unit struct {
	Name        string // of its file, without .service
	Description string
	Manual      string   // a man page
	UserManager bool     // the unit is for a user's service manager
	User        string   // the user that runs it, for the system's manager
	Command     []string // the command that it starts
	Serve       bool     // the unit is for the service alone, not for a mount
	Secrets     string   // environment file with the secrets; "" for none
}

// NewUnitCommand returns paperfs systemd-unit.
func NewUnitCommand(c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "systemd-unit [PROFILE | URL] DIR",
		Short: "Print a systemd unit for a mount or the service",
		Long: `The unit mounts at DIR, with the flags that the command is given. Its first lines say how to install
it. Without --user it is for the system's service manager, and runs as the user who prints it.

A stop unmounts, and sends what is queued. A unit holds no password: for a URL,
put the password into a file of mode 0600, and name that file with --password-file.`,
		Example: `paperfs systemd-unit --user acme ~/acme
paperfs systemd-unit --read-only acme /srv/acme`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: config.CompleteProfileAndDirectory(c),
	}
	groups := c.MountFlags
	forUser, manager := unitFlags()
	cli.GroupFlags(cmd, append([]*pflag.FlagSet{manager}, groups...)...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		u, err := mountUnit(c, args, cmd.Flags(), groups)
		if err != nil {
			return err
		}
		return u.print(cmd, *forUser)
	}
	cmd.AddCommand(newServeUnitCommand())
	return cmd
}

func newServeUnitCommand() *cobra.Command {
	s := config.NewServe()
	groups := s.Flags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Print a systemd unit for the service alone",
		Long: `The unit runs paperfs serve with the flags that the command is given. A stop finishes the requests under way; a reload reads the certificate
again. The unit of a node reads its secrets from a file that it names.`,
		Example: `paperfs systemd-unit serve --data /srv/paperfs --listen :8080`,
		Args:    cobra.NoArgs,
	}
	forUser, manager := unitFlags()
	cli.GroupFlags(cmd, append([]*pflag.FlagSet{manager}, groups...)...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		u := &unit{Name: "paperfs-serve", Manual: "paperfs-serve(1)", Serve: true}
		u.Command = append([]string{"serve"}, given(groups, "data")...)
		if s.Database != "" {
			if err := s.CheckShared(); err != nil {
				return err
			}
			if u.Secrets = "/etc/paperfs/node.env"; *forUser {
				u.Secrets = "%h/.config/paperfs/node.env"
			}
			u.Description = "paperfs: a node of the service, records in " + s.Database
			return u.print(cmd, *forUser)
		}
		data := absolute(s.Data)
		u.Description = "paperfs: the service, data in " + data
		u.Command = append(u.Command, "--data="+data)
		return u.print(cmd, *forUser)
	}
	return cmd
}

// unitFlags returns the flags of the unit itself.
func unitFlags() (forUser *bool, group *pflag.FlagSet) {
	forUser = new(bool)
	return forUser, cli.FlagGroup("The unit", func(f *pflag.FlagSet) {
		f.BoolVar(forUser, "user", false, "for the service manager of your user")
	})
}

// mountUnit returns the unit of a mount.
func mountUnit(c *config.Config, args []string, flags *pflag.FlagSet, groups []*pflag.FlagSet) (*unit, error) {
	dir, name := absolute(args[len(args)-1]), ""
	if len(args) == 2 && strings.Contains(args[0], "://") {
		if err := flags.Set("url", args[0]); err != nil {
			return nil, &cli.UsageError{Err: err}
		}
	} else if len(args) == 2 {
		name = args[0]
	}
	if err := c.Resolve(flags, name); err != nil {
		return nil, err
	}
	u := &unit{Name: "paperfs-" + unitName(cmp.Or(name, filepath.Base(dir))), Manual: "paperfs-mount(1)"}
	u.Command = append([]string{"mount"}, given(groups, "url", "username", "password-file")...)
	what := cmp.Or(name, c.URL, "the embedded service")
	if file := os.Getenv("PAPERFS_CONFIG"); name != "" && file != "" && c.ConfigFile == "" {
		u.Command = append(u.Command, "--config="+absolute(file))
	}
	if name != "" {
		u.Command = append(u.Command, name)
	} else if c.URL != "" {
		if c.Username == "" || c.PasswordFile == "" {
			return nil, &cli.UsageError{Err: errors.New("a unit for a URL needs --username, and --password-file with a file of mode 0600 that has the password: units hold none, since everybody can read them")}
		}
		u.Command = append(u.Command, "--url="+c.URL, "--username="+c.Username, "--password-file="+absolute(c.PasswordFile))
	}
	u.Command = append(u.Command, dir)
	u.Description = "paperfs: " + what + " on " + dir
	return u, nil
}

// given returns the flags of groups that the command line sets, as arguments, except those
// named in but. Directories and files become absolute, because a unit has another working
// directory.
func given(groups []*pflag.FlagSet, but ...string) (args []string) {
	for _, group := range groups {
		group.VisitAll(func(f *pflag.Flag) {
			if !f.Changed || slices.Contains(but, f.Name) {
				return
			}
			values := []string{f.Value.String()}
			if list, ok := f.Value.(pflag.SliceValue); ok {
				values = list.GetSlice()
			}
			for _, value := range values {
				args = append(args, "--"+f.Name+"="+config.Absolute(f, value, absolute(".")))
			}
		})
	}
	return args
}

// absolute returns a path that works from another working directory.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// print prints the unit.
func (u *unit) print(cmd *cobra.Command, forUser bool) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	u.Command = append([]string{self}, u.Command...)
	if u.UserManager = forUser; !forUser {
		me, err := user.Current()
		if err != nil {
			return err
		}
		u.User = me.Username
	}
	_, err = io.WriteString(cmd.OutOrStdout(), u.text())
	return err
}

// text returns the unit as systemd reads it.
func (u *unit) text() string {
	of := map[string]bool{
		"system": !u.UserManager, "user": u.UserManager, "secrets": u.Secrets != "", "mount": !u.Serve, "serve": u.Serve,
		"serve-system": u.Serve && !u.UserManager, "serve-user": u.Serve && u.UserManager,
	}
	var form strings.Builder
	for line := range strings.Lines(unitForm) {
		if kind, rest, some := strings.Cut(line, "\t"); !some {
			form.WriteString(line)
		} else if of[kind] {
			form.WriteString(rest)
		}
	}
	words := make([]string, len(u.Command))
	for i, word := range u.Command {
		words[i] = unitQuote(word)
	}
	return strings.NewReplacer("{name}", u.Name, "{description}", strings.ReplaceAll(cli.Printable(u.Description), "%", "%%"), "{manual}", u.Manual, "{user}", u.User,
		"{command}", strings.Join(words, " "), "{secrets}", u.Secrets).Replace(form.String())
}

// unitName converts text to part of a file name that never needs quotes.
func unitName(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, text)
}

// unitQuote quotes a word of a unit's command line: systemd interprets %, dollars, quotes and
// backslashes, and ignores a line that is not UTF-8.
func unitQuote(word string) string {
	quoted := cli.Printable(strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`).Replace(word))
	if quoted == word && !strings.ContainsAny(word, " \t'();#") && word != "" {
		return word
	}
	return fmt.Sprintf(`"%s"`, quoted)
}
