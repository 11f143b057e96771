// Package systemd writes to the service manager and its journal, if there are any.
package systemd
