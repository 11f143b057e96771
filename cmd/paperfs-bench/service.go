package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"paperfs/remote/service/kit/temporary"
)

func newServiceCommand() *cobra.Command {
	o := serviceOptions{options: options{limit: 10 * time.Minute}, papers: 10_000, size: 1 << 30, span: 3 * time.Second, pdfs: 6, pages: 20}
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Measure the service over HTTP: with a data directory, and as nodes over PostgreSQL and an object store",
		Long: `Measure the service over HTTP: with a data directory, and as one, two and three
nodes over PostgreSQL and an object store, in one run. The table has ratios to the
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
			return o.prepare(func() error {
				if o.paperfs == "" {
					return errors.New(hasPaperfs(&rig{}))
				}
				return withRig(cmd, o.options, func(r *rig) error { return measureService(r, o, cmd.OutOrStdout()) })
			})
		},
	}
	o.bindCommon(cmd)
	f := cmd.Flags()
	f.IntVar(&o.papers, "papers", o.papers, "how many papers the tree has, a hundred in each category; each has a page with text")
	f.Int64Var(&o.size, "size", o.size, "about how many bytes the file has that goes up and down")
	f.DurationVar(&o.span, "span", o.span, "for how long changes are made for each rate")
	f.IntVar(&o.pdfs, "pdfs", o.pdfs, "how many PDFs are sent, one right after the other")
	f.IntVar(&o.pages, "pages", o.pages, "pages of each PDF")
	return cmd
}

// measureService prints its results, even if engines are missing or the measurement is
// interrupted.
func measureService(r *rig, o serviceOptions, out io.Writer) error {
	f := newFigures()
	err := measureAll(r, o, f)
	return errors.Join(err, f.write(out, o))
}

func measureAll(r *rig, o serviceOptions, f *figures) error {
	if err := measureDataDir(r, o, f); err != nil {
		return fmt.Errorf("%s: %w", dataDirectory, err)
	}
	e, err := startEngines(r)
	if errors.Is(err, temporary.ErrMissing) {
		f.skip("one, two and three nodes: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(measureNodes(r, o, f, e), e.close())
}

func measureDataDir(r *rig, o serviceOptions, f *figures) error {
	r.say(dataDirectory)
	s, records, err := openDataDir(r)
	if err != nil {
		return err
	}
	if err := records.fill(r, 0, o.papers); err != nil {
		return err
	}
	if err := s.measure(r, o, f); err != nil {
		return err
	}
	return s.stop(r)
}

// measureNodes measures one, two and three nodes over the same records.
func measureNodes(r *rig, o serviceOptions, f *figures, e *engines) error {
	c, err := newCluster(r, e)
	if err != nil {
		return err
	}
	if err := c.fill(r, 0, o.papers); err != nil {
		return err
	}
	for i, name := range nodeSets {
		r.say(name)
		s, err := c.open(r, name, i+1)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if i < 2 {
			err = s.measure(r, o, f)
		} else {
			err = s.measurePDFs(r, o, f)
		}
		if err == nil {
			err = s.stop(r)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
