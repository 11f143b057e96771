// Package upload sends content to the service, for a close, the queue, a rename or a retry, and records the answer.
//
// publish sends the newest content of a file to its present name; upload sends content to a name, and verifies it if an earlier upload
// may still take effect; early begins while a program still writes; directory makes the directories above; pdf sends the PDFs of
// papers/ with a Processor; enqueue has it sent later; show shows what was sent; failed reads entries of failed/.
package upload
