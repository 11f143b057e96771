// Package measure measures a service by what it answers over HTTP. It sends plain forms:
// a client of its own would wait its turn.
//
// Each file measures one thing. Whatever is not answered SUCCESS ends a measurement with
// an error: what fails quickly is not fast.
package measure
