package main

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"paperfs/remote/service/kit/temporary"
)

// serviceOptions are the flags of the command service.
type serviceOptions struct {
	options
	papers int
	size   int64
	span   time.Duration
}

func newServiceCommand() *cobra.Command {
	o := serviceOptions{options: options{limit: 10 * time.Minute}, papers: 10_000, size: 1 << 30, span: 3 * time.Second}
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Measure the service over HTTP: with a data directory, and as nodes over PostgreSQL and an object store",
		Long: `Measure the service over HTTP: with a data directory, and as one and two nodes
over PostgreSQL and an object store, in one run. The table has ratios to the
service with a data directory, and the budgets that nodes are held to.

The command starts a PostgreSQL and a versitygw of its own, and removes them again.
PostgreSQL writes its log to the disk before it answers, as it does for an operator;
versitygw does not wait for the disk. Where one of them is not installed, only the
service with a data directory is measured.

^C ends the measurement, and prints what there is of it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return o.within(cmd, func(r *rig) {
				if r.paperfs == "" {
					must(errors.New(hasPaperfs(r)))
				}
				t := &table{unit: dataDirectory}
				err := attempt(func() { measureAll(r, o, t) })
				for column, budget := range budgets {
					t.cell("budget", column).note = budget
				}
				must(errors.Join(err, t.write(cmd.OutOrStdout())))
				fmt.Fprintf(cmd.OutOrStdout(), "\n%d papers, a file of %s, changes for %v. "+aboutTheMachine, o.papers, size(o.size), o.span, runtime.NumCPU())
			})
		},
	}
	o.bindCommon(cmd)
	f := cmd.Flags()
	f.IntVar(&o.papers, "papers", o.papers, "how many papers the tree has, a hundred in each category; each has a page with text")
	f.Int64Var(&o.size, "size", o.size, "about how many bytes the file has that goes up and down")
	f.DurationVar(&o.span, "span", o.span, "for how long changes are made for each rate")
	return cmd
}

func (o *serviceOptions) check() error {
	switch {
	case o.papers < 100:
		return fmt.Errorf("--papers %d: at least a hundred", o.papers)
	case o.size < 1:
		return fmt.Errorf("--size %d: at least one byte", o.size)
	case o.span <= 0:
		return fmt.Errorf("--span %v: give a time such as 3s", o.span)
	}
	return nil
}

const aboutTheMachine = `Budgets are for a calm
machine with PostgreSQL and the object store beside it. This machine
has processors: %d. The service, its engines and the callers share them: a rate that
does not rise with nodes shows the limit of this machine, not that of nodes on machines
of their own. The tree is asked of each node at the same time: what is cold is walked
by both of two.
`

// Rows and columns.
const (
	dataDirectory = "data directory"
	changeTime    = "one small change, ms"
	changeRate    = "changes/s, 32 writers, 8 tenants"
	coldTree      = "the tree, cold, ms" // all nodes walk the tree at the same time
	keptTree      = "the tree, kept, ms"
	up            = "a file up, s"
	down          = "a file down, s"
	mostMemory    = "most memory, MiB: "
)

// budgets come from the design.
var budgets = map[string]string{
	changeTime:        "≤ 5",
	changeRate:        "≥ 1000",
	coldTree:          "≤ × 3 at 100,000 papers",
	mostMemory + up:   "≤ 64 for 1 GiB",
	mostMemory + down: "≤ 64 for 1 GiB",
}

func measureAll(r *rig, o serviceOptions, t *table) {
	r.say(dataDirectory)
	must(r.part("data-directory").use(func(r *rig) { openDataDir(r, o).measure(r, o, t) }))
	must(r.part("nodes").use(func(r *rig) {
		c, err := newCluster(r, o.papers)
		if errors.Is(err, temporary.ErrMissing) {
			t.skipped = append(t.skipped, fmt.Sprintf("one and two nodes: %v", err))
			return
		}
		must(err)
		for i, name := range []string{"one node", "two nodes"} {
			r.say(name)
			must(r.part("set").use(func(r *rig) { c.open(r, name, i+1).measure(r, o, t) }))
		}
	}))
}

// serviceSet is a service to measure: its processes and its callers.
type serviceSet struct {
	name      string
	processes []*process
	caller    *caller   // for the tenant with the papers
	tenants   []*caller // for changes
}

// measure begins with what memory is measured of, while the processes have used little.
func (s *serviceSet) measure(r *rig, o serviceOptions, t *table) {
	u := newLongFile(o.size)
	s.transfer(r, t, up, func() (time.Duration, error) { return u.up(r.ctx, s.caller) })
	s.transfer(r, t, down, func() (time.Duration, error) { return u.down(r.ctx, s.caller) })
	must(u.remove(r.ctx, s.caller))
	r.say(s.name, "tree")
	cold, kept, err := measureTree(r.ctx, s.caller)
	must(err)
	t.figure(s.name, coldTree, 1000*cold.Seconds())
	t.figure(s.name, keptTree, 1000*kept.Seconds())
	r.say(s.name, "changes")
	t.figure(s.name, changeTime, 1000*got(measureChanges(r.ctx, s.tenants[:1], 1, o.span)).Median.Seconds())
	t.figure(s.name, changeRate, got(measureChanges(r.ctx, s.tenants, 32, o.span)).PerSecond)
}

func (s *serviceSet) transfer(r *rig, t *table, way string, do func() (time.Duration, error)) {
	r.say(s.name, way)
	for _, p := range s.processes {
		p.forgetPeak()
	}
	t.figure(s.name, way, got(do()).Seconds())
	most := 0.0
	for _, p := range s.processes {
		most = max(most, p.memory("VmHWM"))
	}
	t.figure(s.name, mostMemory+way, most)
}
