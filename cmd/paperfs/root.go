package main

import (
	"paperfs/cmd/paperfs/administer"
	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/configure"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/cmd/paperfs/inspect"
	"paperfs/cmd/paperfs/mount"
	"paperfs/cmd/paperfs/serving"

	"github.com/spf13/cobra"
)

func init() { cobra.EnableCommandSorting = false } // the help lists the commands in the order of use

// newRootCommand returns the command with all subcommands and topics.
func newRootCommand(c *config.Config) *cobra.Command {
	root := &cobra.Command{
		Use:   "paperfs",
		Short: "Mount a publication-management web service as a directory tree",
		Example: `paperfs mount ~/ipaper      # mounts the embedded service; ^C unmounts
paperfs help start          # first steps
paperfs doctor              # if a mount does not work`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       release,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cli.FlagError(err) })
	root.CompletionOptions.DisableDefaultCmd = true // config.NewCommand replaces it
	addHelp(root)
	for _, group := range []struct {
		id       string
		commands []*cobra.Command
	}{
		{groupMounts, []*cobra.Command{mount.NewCommand(c, release), mount.NewUmountCommand(), inspect.NewMounts(),
			serving.Isolated(inspect.NewStatus()), serving.Isolated(inspect.NewWhy()), serving.Isolated(inspect.NewStat()), serving.Isolated(inspect.NewURL()), inspect.NewOpen(),
			serving.Isolated(inspect.NewWait()), serving.Isolated(inspect.NewEvents()), serving.Isolated(inspect.NewRefresh()), serving.Isolated(inspect.NewRetry()), serving.Isolated(inspect.NewDiscard()), inspect.NewUndo()}},
		{groupService, []*cobra.Command{newServeCommand(), administer.NewCommand(c.Data), newHealthCommand()}},
		{groupSelf, []*cobra.Command{doctor.NewCommand(c), configure.NewCommand(c), newCompletionCommand(), newVersionCommand()}},
	} {
		for _, command := range group.commands {
			command.GroupID = group.id
			root.AddCommand(command)
		}
	}
	root.AddCommand(serving.NewAnswersCommand()) // hidden: paperfs runs it itself
	addCompletion(root)
	return root
}
