// Command paperfs mounts a publication-management web service as a directory tree, and
// contains that service. The README describes it; `paperfs help` has everything else in
// topics, which are the files in topic/.
//
// # Where the code is
//
//	cmd/paperfs/     the program: main, the table of exit codes, paperfs serve, health and version; every other subcommand is a package below it
//	  config, profile               the configuration of a mount: flags, environment, the file of profiles, the password
//	  mount, inspect, doctor        paperfs mount and umount; the commands on a mounted tree (status, why, wait, retry ...); paperfs doctor
//	  configure, administer         paperfs config and systemd-unit; paperfs admin
//	  serving                       the processes of mounts, and mounts that may not answer
//	  cli, topic                    help, flags, exit codes, output and log of a command, the service manager; topics of the help
//	cmd/paperfs-bench/ compares paperfs with other mounts, and measures the service
//	fs/              requests of the kernel: nodes, names, errno
//	cache/           between fs and the service: catalogue, document (documents and values), media, state, failures
//	remote/          the service as Go: the operation table, the client; below it the rules for names, the request limit and the XML reader
//	remote/service/  the embedded service: routing and operations; below it the bounds of callers (admission, drain), the XML of answers (xmldoc),
//	                 the PDF queue (processing, pdf), the pages of readers (reader), data (datadir, store), commands (admin)
//
// Imports point one way: cmd → fs → cache → remote, and remote/service →
// remote. The documentation of each package is in its doc.go.
//
// # How it is tested
//
// Tests run real programs on real mounts against a real service, through a proxy that
// counts requests and makes them fail. If a tool is missing, its tests are skipped; with
// PAPERFS_TEST_STRICT=1 they fail. The tests of this package and of paperfs-bench run their own
// test binary as the program: under the program's name, it is the program.
//
//	go test ./...
//	PAPERFS_TEST=all go test -timeout 60m ./...
//	PAPERFS_TEST_KILLS=100 go test -timeout 60m ./cache/media -run Killed
//
// The first command takes about five minutes. The second also runs what takes long, such as
// browsers and nodes on PostgreSQL: package testrun says how a test chooses. The third kills the
// media store's process at every step of its work and 200 more times. .ci/run installs everything
// and runs all tests with the race detector.
package main
