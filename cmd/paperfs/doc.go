// Command paperfs mounts a publication-management web service as a directory tree, and
// contains that service. The README describes it; `paperfs help` has everything else in
// topics, which are the files in topic/.
//
// The program is main, the table of exit codes, the topics, paperfs serve, health and version; every other
// subcommand is a package below this one:
//
//	config, profile         the configuration of a mount: flags, environment, the file of profiles, the password
//	mount, inspect, doctor  paperfs mount and umount; the commands on a mounted tree (status, why, wait, retry ...); paperfs doctor
//	configure, administer   paperfs config; paperfs admin
//	serving                 the processes of mounts, and mounts that may not answer
//	cli                     help, flags, exit codes, output and log of a command, the service manager
//
// CONTRIBUTING.md has the map of the whole house, and how its tests are run. The tests of this package
// and of paperfs-bench run their own test binary as the program: under the program's name, it is the
// program.
package main
