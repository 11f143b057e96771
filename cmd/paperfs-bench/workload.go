package main

import "time"

// workload is one piece of work that brings files to a server.
type workload struct {
	title string
	name  string // of what is written; the run's number is added
	want  files
	// words is the command that writes to target.
	words func(target string) []string
	// posts is the same work as single posts; nil where it has no meaning.
	posts func(name string) []post
	again bool // the name of the work before it is written once more
}

// post is one file and where it goes.
type post struct{ source, target string }

// took is how long an upload takes.
type took struct {
	returned  time.Duration // until the program ended
	held      time.Duration // until the server held all
	processor time.Duration // of the program, the mount and the server
}
