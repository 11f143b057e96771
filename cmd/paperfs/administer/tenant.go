package administer

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
)

func newTenantCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tenant",
		Short: "Add, change, list and remove tenants",
		Example: `paperfs admin --data /srv/paperfs tenant add acme --host acme.example
paperfs admin --data /srv/paperfs tenant list`,
	}
	return cli.Group(cmd, newTenantAddCommand(c), newTenantSetCommand(c), newTenantListCommand(c), newTenantRemoveCommand(c))
}

// tenantFlags are a tenant's settings as flags.
type tenantFlags struct {
	hosts              []string
	rootURL, publicURL string
	processings        int64
	orders             bool
	mediaBytes         string
	papers, pdfMinutes int64
	keepDays           int64
	keepBytes          string
}

// unlimited means no limit of processings, papers or minutes, anySize no limit of bytes, and ownSize
// as many as the tenant holds.
const (
	unlimited = -1
	anySize   = "any"
	ownSize   = "own"
)

func (t *tenantFlags) bind(f *pflag.FlagSet) {
	f.StringSliceVar(&t.hosts, "host", nil, "`HOST` name that selects the tenant; may be repeated")
	f.StringVar(&t.rootURL, "root-url", "/", "`ADDRESS` of the root category")
	f.StringVar(&t.publicURL, "public-url", "", "`URL` that addresses in answers begin with; empty: scheme and host of the request")
	f.Int64Var(&t.processings, "processings", unlimited, "`NUMBER` of PDFs that may still be processed; -1: any number")
	f.StringVar(&t.mediaBytes, "media-bytes", anySize, "quota of media files, a `SIZE` such as 10GiB; any: no quota")
	f.Int64Var(&t.papers, "papers", unlimited, "quota of papers, a `NUMBER`; -1: no quota")
	f.Int64Var(&t.pdfMinutes, "pdf-minutes", unlimited, "quota of `MINUTES` spent on PDFs in a calendar month (UTC); -1: no quota")
	f.Int64Var(&t.keepDays, "keep-deleted", store.DefaultKeepDays, "`DAYS` for which deleted and replaced things are kept; 0: not at all")
	f.StringVar(&t.keepBytes, "keep-bytes", ownSize, "how much of it is kept, a `SIZE` such as 10GiB; own: as much as the tenant holds, at least 1 GiB")
	f.BoolVar(&t.orders, "orders", true, "whether the licence includes the order queries")
}

// apply sets the settings that flags name.
func (t *tenantFlags) apply(f *pflag.FlagSet, s *admin.TenantSettings) error {
	var failed error
	f.Visit(func(given *pflag.Flag) {
		switch given.Name {
		case "host":
			s.Hosts = t.hosts
		case "root-url":
			s.RootURL = t.rootURL
		case "public-url":
			s.PublicURL = t.publicURL
		case "processings":
			s.Processings = limit(t.processings)
		case "media-bytes":
			s.Quota.MediaBytes, failed = size(given.Name, t.mediaBytes, anySize)
		case "keep-deleted":
			s.Keep.Days = &t.keepDays
		case "keep-bytes":
			s.Keep.Bytes, failed = size(given.Name, t.keepBytes, ownSize)
		case "papers":
			s.Quota.Papers = limit(t.papers)
		case "pdf-minutes":
			s.Quota.PDFMinutes = limit(t.pdfMinutes)
		case "orders":
			s.NoOrders = !t.orders
		}
	})
	return failed
}

func limit(n int64) *int64 {
	if n == unlimited {
		return nil
	}
	return &n
}

// size reads the value of a flag; other is the word for no figure.
func size(flag, text, other string) (*int64, error) {
	if text == other {
		return nil, nil
	}
	n, ok := cli.Size(text)
	if !ok {
		return nil, &cli.UsageError{Err: fmt.Errorf("--%s %q: give a size such as 10GiB or 1.5GiB, or %s", flag, text, other)}
	}
	return &n, nil
}

func newTenantAddCommand(c *call) *cobra.Command {
	var flags tenantFlags
	cmd := &cobra.Command{
		Use:     "add NAME",
		Short:   "Add a tenant with an empty root category",
		Example: `paperfs admin --data /srv/paperfs tenant add acme --media-bytes 10GiB`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings := admin.TenantSettings{Name: args[0]}
			if err := flags.apply(cmd.Flags(), &settings); err != nil {
				return err
			}
			return administer(c, func(a *admin.Admin) error {
				if err := a.AddTenant(settings); err != nil {
					return err
				}
				return c.showTenant(cmd, a, args[0])
			})
		},
	}
	flags.bind(cmd.Flags())
	return cmd
}

// noDefault has the default, by type, that the help of a flag leaves out: tenant set has no defaults.
var noDefault = map[string]string{"string": "", "int64": "0", "bool": "false", "stringSlice": "[]"}

func newTenantSetCommand(c *call) *cobra.Command {
	var flags tenantFlags
	cmd := &cobra.Command{
		Use:     "set NAME",
		Short:   "Change settings of a tenant",
		Long:    "Settings without a flag stay as they are.",
		Example: `paperfs admin --data /srv/paperfs tenant set acme --papers 500`,
		Args:    cobra.ExactArgs(1),
		RunE: c.on(func(cmd *cobra.Command, args []string, a *admin.Admin) error {
			err := a.ChangeTenant(args[0], func(t *admin.TenantSettings) error { return flags.apply(cmd.Flags(), t) })
			if err != nil {
				return err
			}
			return c.showTenant(cmd, a, args[0])
		}),
	}
	flags.bind(cmd.Flags())
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.DefValue = noDefault[f.Value.Type()] })
	return cmd
}

func newTenantListCommand(c *call) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List tenants with their settings, quotas and usage",
		Example: `paperfs admin --data /srv/paperfs tenant list`,
		Args:    cobra.NoArgs,
		RunE: c.on(func(cmd *cobra.Command, _ []string, a *admin.Admin) error {
			tenants, err := a.Tenants()
			if err != nil {
				return err
			}
			all := make([]tenantJSON, len(tenants))
			for i, t := range tenants {
				all[i] = tenantOf(t)
			}
			return c.show(cmd, all, func() error { return printTenants(cmd, all) })
		}),
	}
}

func printTenants(cmd *cobra.Command, all []tenantJSON) error {
	return cli.Table(cmd, func(line func(...any)) {
		line("ID", "NAME", "HOSTS", "ROOT URL", "PUBLIC URL", "PROCESSINGS", "ORDERS", "MEDIA", "PAPERS", "PDF MINUTES")
		for _, t := range all {
			line(t.ID, t.Name, cmp.Or(strings.Join(t.Hosts, ","), "-"), t.RootURL, cmp.Or(t.PublicURL, "-"), orAny(t.Processings), map[bool]string{true: "yes", false: "no"}[t.Orders],
				of(humanize.IBytes(uint64(t.Used.MediaBytes)), t.Quota.MediaBytes, func(n int64) string { return humanize.IBytes(uint64(n)) }),
				of(fmt.Sprint(t.Used.Papers), t.Quota.Papers, decimal), of(fmt.Sprintf("%.1f", t.Used.PDFMinutes), t.Quota.PDFMinutes, decimal))
		}
	})
}

// showTenant prints a changed tenant as JSON; without --json it prints nothing.
func (c *call) showTenant(cmd *cobra.Command, a *admin.Admin, name string) error {
	if !c.json {
		return nil
	}
	t, err := a.Tenant(name)
	if err != nil {
		return err
	}
	return cli.ShowJSON(cmd, tenantOf(t))
}

// of returns the used amount, with the quota if there is one.
func of(used string, quota *int64, format func(int64) string) string {
	if quota == nil {
		return used
	}
	return used + " of " + format(*quota)
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// orAny formats a limit; nil means no limit.
func orAny(n *int64) string {
	if n == nil {
		return "any"
	}
	return fmt.Sprint(*n)
}
