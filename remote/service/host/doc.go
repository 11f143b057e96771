// Package host runs the embedded service in this process: at an address for
// programs that speak HTTP, or on loopback for a mount of its own.
//
// That mount's own calls need no loopback: [Embedded.Transport] takes them to the same
// service over connections in memory. The calls are HTTP there, too, with all limits and
// all ways to end a request, but their content is neither base64 nor escaped
// (remote.PlainBody, service.PlainContent). On a wire, no request can ask for that.
package host
