// Package systemd speaks to the service manager and its journal, where there are any.
package systemd
