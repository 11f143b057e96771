// Command paperfs-bench compares paperfs with other ways to reach files of a server. It runs the
// same work on each, all on this machine over loopback, one after the other, and prints the times
// as a Markdown table.
//
//	go build -o DIR ./cmd/paperfs ./cmd/paperfs-bench
//	DIR/paperfs-bench compare uploads       # or: reads, listings
//	DIR/paperfs-bench service --papers 100000
//	DIR/paperfs-bench generate --data DATA --papers 100000
//
// compare runs the same work on the local disk, on a mount beside `paperfs serve`, on a mount that
// contains the service, and on rclone, checks the content, and prints medians, spread and ratios.
// Compare only ratios of one run. Flags: --peers, --runs, --large, --small, --small-size, --entries,
// --limit, --dir, --paperfs.
//
// service measures the service itself over HTTP: with a data directory, and as one and two nodes over
// its own PostgreSQL and versitygw. The table shows them one below the other. Flags: --papers, --size,
// --span, --limit, --dir, --paperfs. Nodes beside their database have these budgets, on a calm machine:
// a small change in 5 ms, 1000 changes/s, a cold tree of 100,000 papers in three times what the data
// directory takes, and 64 MiB of memory while 1 GiB goes up or down.
//
// generate fills a tenant of a data directory with invented papers and media.
//
// Peers that are not installed are skipped and named. The command connects to no other
// machine. When it ends, also by ^C, it unmounts and ends what it started and removes its
// directory. If it is killed, only the directory stays.
//
// A peer is a way to reach files, a place a peer that is set up, a work one piece of work that
// is timed in a place, and a session the work that is done in one place. All three comparisons
// are sessions that the same function goes through (compare.go). A rig is a directory with
// what was started in it: ending the rig ends that. A step that fails, and any answer other than
// SUCCESS, ends its attempt with an error (must.go): a fast failure is not a fast answer. There are
// no locks.
package main
