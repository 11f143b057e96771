package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"
)

func newListingsCommand() *cobra.Command {
	var o options
	entries := 10_000
	cmd := &cobra.Command{
		Use:   "listings",
		Short: "List many files, a hundred in each directory",
		Long:  "Cold is the first walk of a new mount, after an ls that waits for the trees. The local disk is never cold.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.within(cmd, func(r *rig) {
				media := entries - entries%100
				compare(r, cmd.OutOrStdout(), func(r *rig) setup {
					from := setup{served: r.makeDir("served"), media: media}
					makeFiles(from.served, media, 12, 0)
					return from
				}, listingWork(media)...)
			})
		},
	}
	o.bind(cmd)
	cmd.Flags().IntVar(&entries, "entries", entries, "how many files, in hundreds; paperfs gets as many papers besides")
	return cmd
}

// listingWork has a session for each cold walk.
func listingWork(media int) [][]work {
	dir := func(at *place) string { return at.dir }
	papers := func(at *place) string { return at.papers }
	first := work{"first ls", walk(1, dir, "ls")}
	files := media + media/100
	return [][]work{
		{first, {"find, cold", walk(files, dir, "find")}, {"find, warm", walk(files, dir, "find")}, {"ls -lR, warm", walk(files, dir, "ls", "-lR")}},
		{first, {"ls -lR, cold", walk(files, dir, "ls", "-lR")}},
		{{"first ls of papers/", walk(media/100, papers, "ls")},
			{"find papers/, cold", walk(media, papers, "find", "-name", "*.paper", "-prune")},
			{"find papers/, warm", walk(media, papers, "find", "-name", "*.paper", "-prune")}},
	}
}

// walk runs a command on a directory, which must print at least a number of lines.
func walk(least int, where func(*place) string, words ...string) func(*place) took {
	return func(at *place) took {
		dir := where(at)
		if dir == "" {
			must(errNotHere)
		}
		took, printed := at.timed(at.command(append([]string{words[0], dir}, words[1:]...)...))
		if lines := bytes.Count(printed, []byte{'\n'}); lines < least {
			must(fmt.Errorf("%s shows %d lines, not %d", words[0], lines, least))
		}
		return took
	}
}
