// Package unit is paperfs systemd-unit: it prints a unit for a mount, or for the
// service.
package unit
