// Package papers has the nodes of papers/: what the kernel asks of them, answered in terms of
// the catalogue and the document cache, and what is written there.
//
// A Tree is what they share, and makes their roots, those of by-id/, by-url/ and jobs/ by package
// generated. A category is a directory of papers/ and paperDir that of a paper; source is the PDF
// of a paper, and temp a file on the way to such a name. Of the packages below
//
//	generated  shows what stands for no stored file: pages/, settings/, .search, by-id/ …
//	pending    has the PDFs on their way to the service: sharing, closing, queueing, sending
//	names      maps the names of the service to file names, and back
//	period     reads and writes periods of publication
//	criteria   reads the names of searches on fields
//
// the last three need no node.
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
// Locks: those of a notice.Set, of expectations, temps and removed names are held for a moment, and no other
// lock of this package, and none of package pending, is taken under them. None is held over a request or a notice.
package papers
