// Package administer is paperfs admin: what is done to a service's data, beside the service.
package administer
