package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"paperfs/remote"
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
	o := serviceOptions{papers: 10_000, size: 1 << 30, span: 3 * time.Second}
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Measure the service over HTTP: with a data directory, and as nodes over PostgreSQL and an object store",
		Long:  "The command starts PostgreSQL and versitygw. ^C ends the measurement, and prints what there is of it.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.within(cmd, func(r *rig) {
				t := &table{unit: dataDirectory}
				err := attempt(func() { measureAll(r, o, t) })
				must(errors.Join(err, t.write(cmd.OutOrStdout())))
				fmt.Fprintf(cmd.OutOrStdout(), "\n%d papers, a file of %s, changes for %v. This machine has processors: %d. The service, its engines and the callers share them.\n",
					o.papers, humanize.IBytes(uint64(o.size)), o.span, runtime.NumCPU())
			})
		},
	}
	o.bindCommon(cmd, 10*time.Minute)
	f := cmd.Flags()
	f.IntVar(&o.papers, "papers", o.papers, "how many papers the tree has, a hundred in each category; each has a page with text")
	f.Int64Var(&o.size, "size", o.size, "about how many bytes the file has that goes up and down")
	f.DurationVar(&o.span, "span", o.span, "for how long changes are made for each rate")
	return cmd
}

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

func measureAll(r *rig, o serviceOptions, t *table) {
	r.say(dataDirectory)
	must(r.part("data-directory").use(func(r *rig) { openDataDir(r, o).measure(r, o, t) }))
	must(r.part("nodes").use(func(r *rig) {
		c, err := newCluster(r, o.papers)
		if errors.Is(err, temporary.ErrMissing) {
			t.remarks = append(t.remarks, fmt.Sprintf("Skipped one and two nodes: %v", err))
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
	f := longFile{path: filepath.Join(r.dir, "long.bin")}
	f.content = makeFile(f.path, o.size, 1)
	last := connect(r.ctx, s.caller.nodes.urls[len(s.caller.nodes.urls)-1:], "", s.caller.name, s.caller.key)
	var there remote.Upload
	s.transfer(r, t, up, func() { there = got(last.UploadFile(r.ctx, 0, filepath.Base(f.path), f)) })
	s.transfer(r, t, down, func() { f.down(r.ctx, last, there) })
	must(last.DeleteFile(r.ctx, there.FileID))
	r.say(s.name, "tree")
	cold, kept := measureTree(r.ctx, s.caller)
	t.figure(s.name, coldTree, 1000*cold.Seconds())
	t.figure(s.name, keptTree, 1000*kept.Seconds())
	r.say(s.name, "changes")
	_, one := measureChanges(r.ctx, s.tenants[:1], 1, o.span)
	t.figure(s.name, changeTime, 1000*one.Seconds())
	rate, _ := measureChanges(r.ctx, s.tenants, 32, o.span)
	t.figure(s.name, changeRate, rate)
}

func (s *serviceSet) transfer(r *rig, t *table, way string, do func()) {
	r.say(s.name, way)
	for _, p := range s.processes {
		p.forgetPeak()
	}
	t.figure(s.name, way, timeOf(do).Seconds())
	most := 0.0
	for _, p := range s.processes {
		most = max(most, p.memory("VmHWM"))
	}
	t.figure(s.name, mostMemory+way, most)
}
