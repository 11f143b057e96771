// Package drain ends the requests of a service that is shutting down. [Requests] are
// those under way; each has the [Deadlines] of its connection.
//
// A stranger is a sender whose credentials are not known to be good. [Requests.Drain]
// gives strangers' requests a last deadline. All other requests are finished, however
// long they take.
//
// # Lock order
//
// Requests.mu before Deadlines.mu. Neither is held while a request is read or answered.
package drain
