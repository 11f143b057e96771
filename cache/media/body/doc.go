// Package body has the content of files on this machine: in the spool what programs write, in a cache what the service has, in
// failed/ what could not be published.
//
// A file is read from one Source, which fetches what a reader needs (fetch, pdf, own). The first write makes a spool (edit), which gets
// from there what it lacks (draft). What is sent is frozen meanwhile (freeze); what is queued does not change, and is durable (enqueue).
// detach takes a name away from content that must not be published, beside gives such content another name, and drop ends what no
// name shows. room says how much can be written.
package body
