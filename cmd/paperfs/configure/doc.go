// Package configure has the commands that write down a configuration: paperfs config ([NewCommand]),
// which adds, lists, shows, tests and removes profiles, one file for each of the subcommands that
// change or test something.
//
// Package profile reads and writes the file of profiles and the passwords, and package
// config resolves the settings. No command prints a password or takes one as an argument.
package configure
