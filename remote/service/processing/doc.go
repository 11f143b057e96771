// Package processing turns queued PDFs into the pages of papers. A [Queue] claims jobs
// from the store, lets a worker of package pdf take each PDF apart, and replaces the
// paper's pages with the result.
//
//   - [Options] are a job's options; [ReadOptions] reads them from the parameter xmlOptions.
//   - A rendering collects the pages and links of one PDF.
//   - An enrichment turns the links of a PDF, and the Ids in its text, into links to
//     products from the job's tables.
//   - [MinutesLeft] checks a tenant's quota of PDF minutes.
//
// # Invariants
//
//   - The store is the queue. A process that dies loses no job: its leases end, or the
//     next process abandons them.
//   - A job belongs to the owner that claimed it for as long as its lease is renewed. Only
//     its owner completes or fails it.
//   - Readers see all old pages of a paper or all new ones: one change replaces them.
//   - The images of a rendering are on the disk before the change that names them. Before
//     the first is how they were made, but no password: [Queue.Larger] draws one like it.
//
// # Lock order
//
// Queue.mu is taken alone, within a Write or outside, and is held for no call of the store.
package processing
