package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/profile"
	"paperfs/fs/mountpoint"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ErrUnwell means that doctor found a failure.
var ErrUnwell = errors.New("something does not work: see the lines that say FAILURE")

func NewCommand(c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor [PROFILE | MOUNTPOINT]",
		Short: "Check what a mount needs, and show how to fix it",
		Long: `The command checks this machine, the directories that paperfs uses, the service and the mounts. With MOUNTPOINT, it checks
that mount, which asks its service whether it still accepts the account; with PROFILE, the service of that profile; in a
mount, without either, that mount. It changes nothing and sends the service at most two requests. The exit code is 22 if there
is a FAILURE.`,
		Example: `paperfs doctor
paperfs doctor ~/ipaper
paperfs doctor acme`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: config.CompleteProfileOrDirectory(c),
	}
	v := visit{config: c}
	cli.GroupFlags(cmd, c.Pick("Service"), c.Pick("Tree", "root-url", "root-id"), c.Pick("Profiles"), cli.FlagGroup("Output", func(f *pflag.FlagSet) {
		f.BoolVar(&v.json, "json", false, "print the findings as JSON")
	}))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if here, _, err := mountpoint.Find("."); len(args) == 0 && err == nil {
			args = []string{here.Dir}
		}
		name := cli.First(args)
		if !c.HasProfile(name) {
			name = ""
		}
		v.unsettled = c.Resolve(cmd.Flags(), name)
		if len(args) > 0 && name == "" {
			if err := mustBePlace(c, args[0]); err != nil {
				return &cli.UsageError{Err: err}
			}
			if err := v.at(args[0]); err != nil {
				return err
			}
		}
		return v.report(cmd)
	}
	return cmd
}

// mustBePlace refuses a word that names neither a profile nor a directory.
func mustBePlace(c *config.Config, word string) error {
	f, err := profile.Load(c.ProfileFile())
	if _, there := os.Lstat(word); err != nil || there == nil || strings.Contains(word, "/") {
		return nil
	}
	_, err = f.Profile(word)
	return fmt.Errorf("there is no directory %s (to have mount create it, write ./%s), and %w", word, word, err)
}

func (v *visit) report(cmd *cobra.Command) error {
	found, printed := []Finding{}, error(nil)
	begin := func(check string) (end func()) {
		return cli.Shown(cmd.ErrOrStderr(), cli.Always("looking at: "+check))
	}
	sound := Run(cmd.Context(), v.checks(), begin, func(f Finding) {
		found = append(found, f)
		if !v.json {
			printed = cmp.Or(printed, printFinding(cmd.OutOrStdout(), f))
		}
	})
	if v.json {
		printed = cli.ShowJSON(cmd, found)
	}
	if printed != nil {
		return printed
	}
	if !sound {
		return ErrUnwell
	}
	return nil
}

var levelWords = map[Level]string{OK: "OK", Warning: "warning", Failure: "FAILURE"}

func printFinding(w io.Writer, f Finding) error {
	text := fmt.Sprintf("%-7s  %s: %s\n", levelWords[f.Level], f.Check, cli.Printable(f.Says))
	if f.Fix != "" {
		text += fmt.Sprintf("         %s\n", cli.Printable(f.Fix))
	}
	_, err := io.WriteString(w, text)
	return err
}
