package main

import (
	"errors"
	"slices"

	"paperfs/cmd/paperfs-bench/measure"
	"paperfs/remote/service/roundtrip"
)

// measureGrowth fills the records of a cluster, and counts the cost of calls when a tenth of
// the papers exists and when all do. A counting proxy is in front of PostgreSQL, so nothing is
// timed.
func measureGrowth(r *rig, o serviceOptions, f *figures, c *cluster) (err error) {
	r.say("round trips and rows")
	counter, err := roundtrip.Start(c.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, counter.Close()) }()
	if err := r.guard.watch(guardedDir, counter.Dir()); err != nil {
		return err
	}
	counted := *c
	counted.database = counter.Address()
	s, err := counted.open(r, "counted", 1, "--jobs=0")
	if err != nil {
		return err
	}
	at := 0
	for _, papers := range []int{o.papers / 10, o.papers} {
		if err := c.fill(r, at, papers); err != nil {
			return err
		}
		at = papers
		for _, q := range slices.Concat(measure.Listings, measure.Searches) {
			cost, err := q.Cost(r.ctx, s.caller, counter)
			if err != nil {
				return err
			}
			f.grows(q.Name, cost)
		}
		cost, err := measure.ChangesCost(r.ctx, s.caller, counter)
		if err != nil {
			return err
		}
		f.grows("four small changes", cost)
	}
	walks, err := measure.Walks(r.ctx, s.caller, counter)
	if err != nil {
		return err
	}
	f.add(oneNode, walksRow, figure{value: walks, places: 1})
	return s.stop(r)
}
