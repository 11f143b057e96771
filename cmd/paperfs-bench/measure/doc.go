// Package measure measures a service by its answers over HTTP. It sends plain forms, because
// the client of package remote waits for the request limit.
//
// Each file measures one thing, through a [Caller]. Any answer other than SUCCESS ends a
// measurement with an error, because a fast failure is not a fast answer.
package measure
