// Package host runs the embedded service in this process: at an address for
// programs that speak HTTP, or on loopback for a mount of its own.
package host
