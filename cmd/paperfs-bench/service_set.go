package main

import (
	"time"

	"paperfs/cmd/paperfs-bench/measure"
)

// serviceSet is a service to measure: its processes and its callers.
type serviceSet struct {
	name      string
	processes []*process
	caller    *measure.Caller   // for the tenant with the papers
	tenants   []*measure.Caller // for changes
}

// openDataDir starts a service with a data directory.
func openDataDir(r *rig) (*serviceSet, *records, error) {
	served, err := servePaperfs(r, "", 0, "--jobs=1")
	if err != nil {
		return nil, nil, err
	}
	p := &records{words: []string{"--data", served.data}}
	keys, err := p.addTenants(r)
	if err != nil {
		return nil, nil, err
	}
	urls := []string{served.env.URL}
	s := &serviceSet{name: dataDirectory, processes: []*process{served.process}, tenants: callers(urls, keys)}
	s.caller = &measure.Caller{Nodes: urls, Name: served.env.Username, Key: served.env.Password}
	return s, p, nil
}

// measure measures everything that is timed in this service alone.
func (s *serviceSet) measure(r *rig, o serviceOptions, f *figures) error {
	for _, step := range []func(*rig, serviceOptions, *figures) error{
		s.measureMedia, s.measureTree, s.measureSearches, s.measureChanges, s.measurePDFs,
	} {
		if err := step(r, o, f); err != nil {
			return err
		}
	}
	return nil
}

// measureMedia runs first, while the processes have used little memory.
func (s *serviceSet) measureMedia(r *rig, o serviceOptions, f *figures) error {
	u := measure.NewUpload(o.size)
	rest, err := s.rest()
	if err != nil {
		return err
	}
	f.add(s.name, restRow, figure{value: rest})
	for _, way := range []struct {
		time, memory string
		do           func() (time.Duration, error)
	}{
		{upRow, upMemoryRow, func() (time.Duration, error) { return u.Up(r.ctx, s.caller) }},
		{downRow, downMemoryRow, func() (time.Duration, error) { return u.Down(r.ctx, s.caller) }},
	} {
		r.say(s.name, way.time)
		for _, p := range s.processes {
			if err := p.forgetPeak(); err != nil {
				return err
			}
		}
		took, err := way.do()
		if err != nil {
			return err
		}
		f.add(s.name, way.time, figure{value: took.Seconds(), places: 2, ratio: true})
		peak, err := s.most("VmHWM")
		if err != nil {
			return err
		}
		f.add(s.name, way.memory, figure{value: peak})
	}
	return u.Remove(r.ctx, s.caller)
}

// most returns the highest value of a status line among the processes, in MiB.
func (s *serviceSet) most(line string) (MiB float64, err error) {
	for _, p := range s.processes {
		kB, err := p.status(line)
		if err != nil {
			return 0, err
		}
		MiB = max(MiB, float64(kB)/1024)
	}
	return MiB, nil
}

// rest returns the memory of the idle processes.
func (s *serviceSet) rest() (MiB float64, err error) {
	for _, p := range s.processes {
		if _, err := p.resident(); err != nil {
			return 0, err
		}
	}
	return s.most("VmRSS")
}

func (s *serviceSet) measureTree(r *rig, _ serviceOptions, f *figures) error {
	r.say(s.name, "tree")
	cold, kept, err := measure.Tree(r.ctx, s.caller)
	f.add(s.name, coldRow, milliseconds(cold))
	f.add(s.name, keptRow, milliseconds(kept))
	return err
}

func (s *serviceSet) measureSearches(r *rig, _ serviceOptions, f *figures) error {
	r.say(s.name, "searches")
	for _, q := range measure.Searches {
		took, err := q.Time(r.ctx, s.caller)
		if err != nil {
			return err
		}
		f.add(s.name, q.Name+", ms", milliseconds(took))
	}
	return nil
}

func (s *serviceSet) measureChanges(r *rig, o serviceOptions, f *figures) error {
	for _, tenants := range []int{1, mostTenants} {
		for _, writers := range []int{1, 8, 32} {
			row := changesRow(writers, tenants)
			r.say(s.name, row)
			rate, err := measure.Changes(r.ctx, s.tenants[:tenants], writers, o.span)
			if err != nil {
				return err
			}
			if writers == 1 && tenants == 1 {
				f.add(s.name, changeRow, milliseconds(rate.Median))
			}
			f.add(s.name, row, figure{value: rate.PerSecond, ratio: true})
		}
	}
	return nil
}

func (s *serviceSet) measurePDFs(r *rig, o serviceOptions, f *figures) error {
	r.say(s.name, pdfRow)
	if _, err := measure.PDFs(r.ctx, s.caller, 2*len(s.processes), 1); err != nil { // this warms the programs up
		return err
	}
	rate, err := measure.PDFs(r.ctx, s.caller, o.pdfs, o.pages)
	f.add(s.name, pdfRow, figure{value: rate, places: 1, ratio: true})
	return err
}

// stop ends the processes regularly.
func (s *serviceSet) stop(r *rig) error { return (&place{server: s.processes}).takeDown(r) }
