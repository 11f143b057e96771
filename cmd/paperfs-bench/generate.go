package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"paperfs/remote/service/datadir"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/sqlitestore"
)

func newGenerateCommand() *cobra.Command {
	spec := generate.Spec{Papers: 1000, Categories: 50, Depth: 3, Seed: 1}
	var data, tenant string
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Fill a tenant with invented data",
		Long: `Fill a tenant with invented data. The same seed makes the same categories, papers
and media files. A service that serves the data directory sees them at once.`,
		Example: `paperfs-bench generate --data /tmp/try --papers 100 --pages 20 --media 50`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			made, err := fillData(data, spec, tenant)
			if err == nil {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "made categories: %d, papers: %d, pages: %d, media directories: %d, media files: %d\n",
					made.Categories, made.Papers, made.Pages, made.Directories, made.Files)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&data, "data", "", "`DIRECTORY` of a service's data, which `paperfs serve --data` has set up")
	_ = cmd.MarkFlagRequired("data")
	f.IntVar(&spec.Papers, "papers", spec.Papers, "`NUMBER` of papers")
	f.IntVar(&spec.Categories, "categories", spec.Categories, "`NUMBER` of categories that the papers are spread over")
	f.IntVar(&spec.Depth, "depth", spec.Depth, "`LEVELS` of categories below the root")
	f.Uint64Var(&spec.Seed, "seed", spec.Seed, "`NUMBER` that selects the data; each can be used once in a tenant")
	f.IntVar(&spec.Pages, "pages", spec.Pages, "`NUMBER` of pages of each paper, with text")
	f.IntVar(&spec.Media, "media", spec.Media, "`NUMBER` of media files")
	f.BoolVar(&spec.Awkward, "awkward-names", spec.Awkward, "make names that are hard to show: duplicates, names that differ in case, very long names, odd characters")
	f.StringVar(&tenant, "tenant", "default", "`TENANT` that gets them")
	return cmd
}

// fillData generates a Spec in a data directory.
func fillData(data string, spec generate.Spec, tenant string) (generate.Report, error) {
	s, err := sqlitestore.OpenExisting(context.Background(), filepath.Join(data, datadir.DatabaseFile))
	if err != nil {
		return generate.Report{}, err
	}
	made, err := generate.Fill(s, spec, tenant)
	return made, errors.Join(err, s.Close())
}
