// Package call is one call of an operation, from the request to the answer, whatever the operation: who calls, what was sent,
// and how the answer goes out. Package operation has what the operations do.
//
// The files call each other in one direction, down this list:
//
//   - serve.go: the evaluation order of the contract.
//   - request.go: the body: a form, JSON or SOAP. upload.go: the content in it, which hashingwriter.go takes.
//   - envelope.go: runs the operation, and writes its result document in XML or JSON. treeanswer.go: answers that are cached.
//     soap.go: answers in SOAP. reply.go: the bytes, in a string element and compressed.
//   - condition.go: versions of things, and changes that need one. transaction.go: reads and changes of the store.
//   - log.go: the answer's way out, and its line in the log. service.go: what all calls share. followers.go: who waits for changes.
//   - auth.go: key, role and rate of the account. parameter.go: what parameters may be.
//   - call.go and actor.go: the call, and who calls. turns.go: whose reads wait for whose. options.go and metrics.go.
package call
