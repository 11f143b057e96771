// Command paperfs-bench compares paperfs with other ways to reach files of a server. It runs the
// same work on each, all on this machine over loopback, one after the other, and prints the times
// as a Markdown table.
//
//	go build -o DIR ./cmd/paperfs ./cmd/paperfs-bench
//	DIR/paperfs-bench compare uploads       # or: reads, listings
//	DIR/paperfs-bench service --papers 100000
//
// compare runs the same work on every installed peer (rclone, sshfs, s3fs, curl against `paperfs
// serve`, a plain copy), checks the content, and prints medians, spread and ratios. Compare only
// ratios of one run. Flags: --peers, --runs, --large, --small, --small-size, --entries, --limit,
// --dir, --paperfs, --rclone.
//
// service measures the service itself over HTTP: with a data directory, and as one and two
// nodes over its own PostgreSQL and versitygw. The table shows them one below the other, with
// the budgets of nodes. Flags: --papers, --size, --span, --limit, --dir, --paperfs.
//
// Peers that are not installed are skipped and named. The command connects to no other
// machine. When it ends, also by ^C, it unmounts and ends what it started and removes its
// directory. If it is killed, only the directory stays.
//
// A peer is a way to reach files, a place a peer that is set up, a work one piece of work that
// is timed in a place, and a session the work that is done in one place. All three comparisons
// are sessions that the same function goes through (compare.go). A rig is a directory with
// what was started in it: ending the rig ends that. The files service*.go measure the service by
// its answers, as callers that send plain forms, because the client of package remote waits for the
// request limit. Any answer other than SUCCESS ends a measurement with an error, because a fast
// failure is not a fast answer. A step that fails ends its attempt (must.go). There are no locks.
package main
