package main

import "time"

// workload is one piece of work that copies files to a server.
type workload struct {
	title string
	name  string // of the target; the run's number is appended
	want  files
	// words returns the command that writes to target.
	words func(target string) []string
	// posts returns the same work as single posts; nil if that is not possible.
	posts func(name string) []post
	again bool // the target exists already and is written again
}

// post is one file and its target.
type post struct{ source, target string }

// took has the times of an upload.
type took struct {
	returned  time.Duration // until the program ended
	held      time.Duration // until the server had everything
	processor time.Duration // of the program, the mount and the server
}
