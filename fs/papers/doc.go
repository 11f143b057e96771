// Package papers has the nodes of papers/, by-id/, by-url/ and jobs/: what the
// kernel asks of them, answered in terms of the catalogue and the document cache.
//
// A Tree is what they share, and makes their roots. A category is the one node
// type of its own here. A paper, and everything in it, is generated: directories
// of package virtual whose Source says what is in them (paperFiles, settings,
// pages, searches, hits …). The packages below need no node:
//
//	names     maps the names of the service to file names, and back
//	pending   has the PDFs on their way to the service: sharing, closing, queueing, sending
//	period    reads and writes periods of publication
//	criteria  reads the names of searches on fields
//
// Invariants:
//
//   - A PDF beside a paper (beside.go) is the paper's source.pdf under another name, and
//     makes the paper where there is none.
//   - A file with a temporary name is a temp, in memory alone: pending content without a place, which
//     the next mount puts into failed/. A rename to the name of a PDF sends it. While a program has it open for
//     writing, the close of that program sends it instead.
//   - Listing and stat answer from the catalogue alone; what can only be known by
//     asking about one paper is asked when its file is opened.
//   - A name depends on nothing but the catalogue.
//   - One node stands for a category for as long as the mount lives.
//   - The kernel is told of each name that leads elsewhere (Invalidate), but for
//     those that it is about to enter by itself.
//
// Locks: those of a notice.Set, of expectations, temps, walkers and removed names are held for a moment, and no other
// lock of this package, and none of package pending, is taken under them. None is held over a request or a notice.
package papers
