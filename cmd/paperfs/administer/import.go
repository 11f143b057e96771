package administer

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
)

func newImportCommand(c *call) *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Add papers from an XML file of another system",
		Long: `The file has papers with pages, texts, links, orders, jobs and fields. FILE - stands for standard
input. See paperfs help tenants.`,
		Example: `paperfs admin --data /srv/paperfs import papers.xml`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := os.Stdin
			if args[0] != "-" {
				var err error
				if file, err = os.Open(args[0]); err != nil {
					return err
				}
				defer file.Close()
			}
			return administer(c, func(a *admin.Admin) error {
				read := &counted{file: file}
				done := cli.Shown(cmd.ErrOrStderr(), read.words)
				report, err := a.Import(read, tenant)
				done()
				if err != nil {
					return err
				}
				return c.show(cmd, report, printed(cmd, summary(report)))
			})
		},
	}
	cmd.Flags().StringVar(&tenant, "tenant", defaultTenant, "`TENANT` that gets the papers")
	return cmd
}

// counted is a file that counts the bytes read.
type counted struct {
	file *os.File
	read atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.file.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// words describes the progress.
func (c *counted) words() string {
	info, err := c.file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return fmt.Sprintf("importing %s", c.file.Name())
	}
	return fmt.Sprintf("importing %s, %d %% read", c.file.Name(), min(100, c.read.Load()*100/info.Size()))
}

// summary describes an import's result.
func summary(r admin.Report) string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{r.Categories, "new categories"}, {r.Papers, "new papers"}, {r.Pages, "pages"}, {r.Links, "links"}, {r.Orders, "orders"},
		{r.Jobs, "jobs"}, {r.Fields, "fields"}, {r.FieldValues, "field values"}, {r.Settings, "settings"}, {r.Periods, "publication periods"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", part.what, part.n))
		}
	}
	if parts == nil {
		return "nothing to import"
	}
	return "imported " + strings.Join(parts, ", ")
}
