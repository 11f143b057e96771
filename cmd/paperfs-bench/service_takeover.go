package main

import (
	"fmt"
	"strconv"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"paperfs/cmd/paperfs-bench/measure"
)

// takeoverPages is enough to kill a node while it processes them.
const takeoverPages = 2000

// measureTakeover kills one of two nodes while it processes a PDF.
func measureTakeover(r *rig, f *figures, c *cluster) error {
	r.say(takeoverRow)
	s, err := c.open(r, "takeover", 2)
	if err != nil {
		return err
	}
	took, err := measure.Takeover(r.ctx, s.caller, workers{r, s.processes}, takeoverPages)
	if err != nil {
		return fmt.Errorf("takeover: %w", err)
	}
	f.add(twoNodes, takeoverRow, figure{value: took.Seconds(), places: 1})
	return s.stop(r)
}

// workers are nodes; each has a child process while it processes a PDF.
type workers struct {
	rig   *rig
	nodes []*process
}

// Works implements measure.Nodes.
func (w workers) Works(node int) (bool, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return false, err
	}
	for _, p := range all {
		if s, err := p.Stat(); err == nil && s.PPID == w.nodes[node].cmd.Process.Pid && s.State != "Z" {
			return true, nil
		}
	}
	return false, nil
}

// Kill implements measure.Nodes.
func (w workers) Kill(node int) error {
	p := w.nodes[node]
	if err := unix.Kill(-p.cmd.Process.Pid, unix.SIGKILL); err != nil {
		return err
	}
	<-p.ended
	return w.rig.guard.watch(guardedGone, guardedPID+" "+strconv.Itoa(p.cmd.Process.Pid))
}
