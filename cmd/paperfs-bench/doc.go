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
// service measures the service itself over HTTP: with a data directory, and as one, two and
// three nodes over its own PostgreSQL and versitygw. The table shows them side by side, with
// the budgets of nodes. Flags: --papers, --size, --span, --pdfs, --pages, --limit, --dir,
// --paperfs.
//
// Peers that are not installed are skipped and named. The command connects to no other
// machine. However it ends, a separate guard process unmounts and ends what it started and
// removes its directory.
//
// A rig is one comparison, a peer a way to reach files, a place a peer that is set up, and a
// workload one piece of work. The files service_*.go measure the service with package
// measure. There are no locks.
package main
