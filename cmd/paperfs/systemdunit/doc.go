// Package systemdunit has the command paperfs systemd-unit, which prints a unit for a mount or for
// the service. The text is in systemd-unit.tmpl. A unit holds no password.
package systemdunit
