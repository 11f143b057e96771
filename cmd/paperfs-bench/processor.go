package main

import (
	"slices"
	"time"

	"github.com/prometheus/procfs"
)

// ticksPerSecond is the unit of times in /proc/PID/stat.
const ticksPerSecond = 100

// processorTime returns the processor time of a peer's mount and server, and of their
// children: sshfs, for example, encrypts in a second process and stores in a third.
func (at *place) processorTime() time.Duration {
	ours := map[int]bool{}
	for _, p := range slices.Concat(at.mount, at.server) {
		ours[p.cmd.Process.Pid] = true
	}
	stats := map[int]procfs.ProcStat{}
	for _, p := range got(procfs.AllProcs()) {
		if s, err := p.Stat(); err == nil { // otherwise it has ended
			stats[p.PID] = s
		}
	}
	var ticks uint
	for pid, s := range stats {
		if ours[pid] || ours[s.PGRP] || descends(s, ours, stats) {
			ticks += s.UTime + s.STime + uint(s.CUTime+s.CSTime)
		}
	}
	return time.Duration(ticks) * time.Second / ticksPerSecond
}

func descends(s procfs.ProcStat, from map[int]bool, stats map[int]procfs.ProcStat) bool {
	for s.PPID != 0 {
		if from[s.PPID] {
			return true
		}
		s = stats[s.PPID]
	}
	return false
}
