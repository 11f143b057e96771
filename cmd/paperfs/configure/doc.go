// Package configure has the command paperfs config, which adds, lists, shows, tests and removes
// profiles. Package profile reads and writes their file.
package configure
