// Package systemdunit has the command paperfs systemd-unit, which prints a unit for a mount or for
// the service.
package systemdunit
