// Package host runs the service in this process: at an address for other HTTP clients, or on
// loopback for a mount in the same process.
//
// That mount's own calls do not use loopback: [Embedded.Transport] sends them to the same service
// over in-memory connections. They are still HTTP, with all limits and all ways to end a request,
// but the service takes the file of their content over instead of a copy where that can be linked (remote.FileContent,
// remote.PlainBody, call.WithContentFile). Requests over the network cannot use that.
package host
