// Package configure has the commands that write down a configuration: paperfs config ([NewCommand]),
// which adds, lists, shows, tests and removes profiles, one file for each of the subcommands that
// change or test something; and paperfs systemd-unit ([NewUnitCommand]), which prints a unit for a
// mount or for the service from systemd-unit.tmpl.
//
// Package profile reads and writes the file of profiles and the passwords, and package
// config resolves the settings. No command prints a password or takes one as an argument, and a unit
// holds none.
package configure
