// Package administer has the command paperfs admin, which changes a service's data directly: one file
// for each subcommand. [NewCommand] returns the command with all of them. A call has the flags that
// they share and opens the data that these name: a directory, or the database of several nodes.
//
// The commands only read flags and print results; package remote/service/admin makes the changes. They
// may run while the service does.
package administer
