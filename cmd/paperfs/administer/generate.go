package administer

import (
	"fmt"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/generate"
)

func newGenerateCommand(c *call) *cobra.Command {
	spec := generate.Spec{Papers: 1000, Categories: 50, Depth: 3, Seed: 1}
	var tenant string
	cmd := &cobra.Command{
		Use:     "generate",
		Short:   "Fill a tenant with invented data",
		Long:    "The same seed makes the same categories, papers and media files.",
		Example: `paperfs admin --data /tmp/try generate --papers 100 --pages 20 --media 50`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := spec.Check(); err != nil {
				return &cli.UsageError{Err: err}
			}
			return administerContent(c, func(a *admin.Admin) error {
				done := cli.Shown(cmd.ErrOrStderr(), cli.Always("making them"))
				made, err := a.Generate(spec, tenant)
				done()
				if err != nil {
					return err
				}
				return c.show(cmd, made, printed(cmd, fmt.Sprintf("made categories: %d, papers: %d, pages: %d, media directories: %d, media files: %d",
					made.Categories, made.Papers, made.Pages, made.Directories, made.Files)))
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&spec.Papers, "papers", spec.Papers, "`NUMBER` of papers")
	f.IntVar(&spec.Categories, "categories", spec.Categories, "`NUMBER` of categories that the papers are spread over")
	f.IntVar(&spec.Depth, "depth", spec.Depth, "`LEVELS` of categories below the root")
	f.Uint64Var(&spec.Seed, "seed", spec.Seed, "`NUMBER` that selects the data; each can be used once in a tenant")
	f.IntVar(&spec.Pages, "pages", spec.Pages, "`NUMBER` of pages of each paper, with text")
	f.IntVar(&spec.Media, "media", spec.Media, "`NUMBER` of media files")
	f.BoolVar(&spec.Awkward, "awkward-names", spec.Awkward, "make names that are hard to show: duplicates, names that differ in case, very long names, odd characters")
	f.StringVar(&tenant, "tenant", defaultTenant, "`TENANT` that gets them")
	return cmd
}
