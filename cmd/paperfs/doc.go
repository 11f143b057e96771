// Command paperfs mounts a publication-management web service as a directory
// tree, and contains that service. The README says what it does, and `paperfs
// help` has everything else in topics, which are the files in topic/.
//
// # Where the code is
//
//	cmd/paperfs/     the program: main, its exit codes' table, paperfs serve, health and version; every other subcommand is a package below it
//	  config, profile, password     what a mount is configured with: flags, environment, the file of profiles, the password
//	  mount, ask, doctor            paperfs mount and umount; the commands that ask a mount (status, why, wait, retry ...); paperfs doctor
//	  configure, unit, administer   paperfs config, systemd-unit and admin
//	  aside, serving                mounts that may not answer
//	  complete, topic, usage, exit, terminal, systemd   completion, topics, flags and usage errors, exit codes, the terminal, the service manager
//	cmd/paperfs-bench/ compares with other mounts, and measures the service
//	fs/              what the kernel asks: nodes, names, errno
//	cache/           what stands in front of the service: catalogue, document (documents and values), media, state, failures
//	remote/          the service as Go: the operation table, the client; its rules for names, the request limit and the reader of XML below it
//	remote/service/  the embedded service: routing, admission, operations; below it its pages (reader), data (datadir, store), commands (admin), PDFs
//
// Imports point one way: cmd → fs → cache → remote, and remote/service →
// remote. Each package's documentation begins in its doc.go.
//
// # How it is tested
//
// Tests run real programs on real mounts against a real service, with a proxy
// between them that counts requests and makes them fail. A tool that is missing
// skips its tests; with PAPERFS_TEST_STRICT=1 it fails them.
//
//	go test ./...
//	PAPERFS_TEST_KILLS=100 go test -timeout 60m ./cache/media -run Killed
//
// The second kills the media store's process at every step of its work and 200
// times besides. .ci/run installs everything and runs all of it with the race
// detector.
package main
