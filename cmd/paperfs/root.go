package main

import (
	"paperfs/cmd/paperfs/administer"
	"paperfs/cmd/paperfs/complete"
	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/configure"
	"paperfs/cmd/paperfs/doctor"
	"paperfs/cmd/paperfs/inspect"
	"paperfs/cmd/paperfs/isolate"
	"paperfs/cmd/paperfs/mount"
	"paperfs/cmd/paperfs/systemdunit"
	"paperfs/cmd/paperfs/usage"

	"github.com/spf13/cobra"
)

// newRootCommand returns the command with all subcommands and topics.
func newRootCommand(c *config.Config) *cobra.Command {
	root := &cobra.Command{
		Use:           "paperfs",
		Short:         "Mount a publication-management web service as a directory tree",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage.FlagError(err) })
	root.CompletionOptions.DisableDefaultCmd = true // complete.NewCommand replaces it
	addHelp(root)
	for id, commands := range map[string][]*cobra.Command{
		groupMounts: {mount.NewCommand(c, version()), mount.NewUmountCommand(),
			isolate.Command(inspect.NewStatus()), isolate.Command(inspect.NewStat()), isolate.Command(inspect.NewURL()), inspect.NewOpen(), isolate.Command(inspect.NewWhy()), isolate.Command(inspect.NewRefresh()), isolate.Command(inspect.NewWait()), isolate.Command(inspect.NewRetry()), isolate.Command(inspect.NewDiscard())},
		groupService: {newServeCommand(c), newHealthCommand(), administer.NewCommand(c.Data)},
		groupSelf:    {configure.NewCommand(c), systemdunit.NewCommand(c, serveFlags(c)), doctor.NewCommand(c), complete.NewCommand(), newVersionCommand()},
	} {
		for _, command := range commands {
			command.GroupID = id
			root.AddCommand(command)
		}
	}
	root.AddCommand(newPDFWorkerCommand(), newGuardCommand(), isolate.NewAnswersCommand(), isolate.NewContradictionsCommand()) // hidden: paperfs runs them itself
	addCompletion(root)
	return root
}
