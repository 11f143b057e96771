package main

import (
	"paperfs/cmd/paperfs/administer"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/complete"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/configure"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/cmd/paperfs/inspect"
	"paperfs/cmd/paperfs/isolate"
	"paperfs/cmd/paperfs/mount"

	"github.com/spf13/cobra"
)

func init() { cobra.EnableCommandSorting = false } // the help lists the commands in the order of use

// newRootCommand returns the command with all subcommands and topics.
func newRootCommand(c *config.Config) *cobra.Command {
	root := &cobra.Command{
		Use:   "paperfs",
		Short: "Mount a publication-management web service as a directory tree",
		Example: `paperfs mount ~/ipaper      # mounts the embedded service; ^C unmounts
paperfs help tree           # what a mount shows
paperfs doctor              # if a mount does not work`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cli.FlagError(err) })
	root.CompletionOptions.DisableDefaultCmd = true // complete.NewCommand replaces it
	addHelp(root)
	for _, group := range []struct {
		id       string
		commands []*cobra.Command
	}{
		{groupMounts, []*cobra.Command{mount.NewCommand(c, version()), mount.NewUmountCommand(),
			isolate.Command(inspect.NewStatus()), isolate.Command(inspect.NewWhy()), isolate.Command(inspect.NewStat()), isolate.Command(inspect.NewURL()), inspect.NewOpen(),
			isolate.Command(inspect.NewWait()), isolate.Command(inspect.NewRefresh()), isolate.Command(inspect.NewRetry()), isolate.Command(inspect.NewDiscard())}},
		{groupService, []*cobra.Command{newServeCommand(), administer.NewCommand(c.Data), newHealthCommand()}},
		{groupSelf, []*cobra.Command{doctor.NewCommand(c), configure.NewCommand(c), configure.NewUnitCommand(c), complete.NewCommand(), newVersionCommand()}},
	} {
		for _, command := range group.commands {
			command.GroupID = group.id
			root.AddCommand(command)
		}
	}
	root.AddCommand(isolate.NewAnswersCommand(), isolate.NewContradictionsCommand()) // hidden: paperfs runs them itself
	addCompletion(root)
	return root
}
