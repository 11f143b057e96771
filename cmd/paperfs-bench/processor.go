package main

import (
	"maps"
	"os/exec"
	"slices"
	"time"

	"github.com/prometheus/procfs"
)

// ticksPerSecond is the unit of times in /proc/PID/stat.
const ticksPerSecond = 100

// processorTime returns the processor time of a peer's mount and server, and of their
// children: sshfs, for example, encrypts in a second process and stores in a third.
func (at *place) processorTime() (time.Duration, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return 0, err
	}
	ours := map[int]bool{}
	for _, p := range slices.Concat(at.mount, at.server) {
		ours[p.cmd.Process.Pid] = true
	}
	stats := map[int]procfs.ProcStat{}
	for _, p := range all {
		if s, err := p.Stat(); err == nil { // otherwise it has ended
			stats[p.PID] = s
		}
	}
	var ticks uint
	for _, pid := range slices.Sorted(maps.Keys(stats)) {
		if s := stats[pid]; ours[pid] || ours[s.PGRP] || descends(s, ours, stats) {
			ticks += s.UTime + s.STime + uint(s.CUTime+s.CSTime)
		}
	}
	return time.Duration(ticks) * time.Second / ticksPerSecond, nil
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

// programTime returns the processor time of a program that has ended.
func programTime(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
