// Package administer has the command paperfs admin, which changes a service's data directly.
package administer
