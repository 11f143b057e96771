// Command paperfs-bench runs the same work on a paperfs mount and on other
// ways to bring files to a server, all on this machine over loopback, one
// after the other, and prints what each took as a Markdown table.
//
//	go build -o DIR ./cmd/paperfs ./cmd/paperfs-bench
//	DIR/paperfs-bench compare uploads       # or: listings
//	DIR/paperfs-bench memory --papers 10000,100000,1000000
//	DIR/paperfs-bench service --papers 100000
//
// compare runs the same work on every mount that is installed here (rclone,
// sshfs, davfs2, s3fs, curl against `paperfs serve`, a plain copy), checks the
// content, and prints medians, spread and ratios. Only ratios of one run mean
// something. Flags: --peers, --runs, --large, --small, --small-size, --entries,
// --within, --limit, --dir, --paperfs, --rclone.
//
// memory shows how much memory a paperfs mount takes by the size of the tree:
// with the tree, after a walk and in a refresh.
//
// service measures the service itself over HTTP: with a data directory, and as one,
// two and three nodes over a PostgreSQL and a versitygw of its own, side by side,
// with the budgets of nodes and with round trips to PostgreSQL. Flags: --papers,
// --size, --span, --pdfs, --pages, --limit, --dir, --paperfs.
//
// What is not installed is skipped and named. Other machines are never
// reached. Whatever happens to the command, a process of its own unmounts and
// ends what it started and removes its directory.
package main
