// Package papers has the nodes of papers/, by-id/, by-url/ and jobs/: what the
// kernel asks of them, answered in terms of the catalogue and the document cache.
//
// A Tree is what they share, and makes their roots. A category is the one node
// type of its own here. A paper, and everything in it, is generated: directories
// of package virtual whose Source says what is in them (paperFiles, settings,
// pages, searches, hits …). Package names maps names, package period writes periods of publication, package
// criteria reads the names of searches: all without the tree.
//
//   - A PDF beside a paper (beside.go) is the paper's source.pdf under another name, and
//     makes the paper where there is none.
//   - What is written is pending: a draft of the media store, shared by all who have it
//     open, by whatever name. Each of them has an opening. The close of the last
//     who has written to it sends it to its place, which is a pdfPlace.
//   - A file with a temporary name is a temp, in memory alone: pending content without a place, which
//     the next mount puts into failed/. A rename gives it the place: it is sent at once, or
//     by the close of who can write to it still.
//   - Listing and stat answer from the catalogue alone; what can only be known by
//     asking about one paper is asked when its file is opened.
//   - A name depends on nothing but the catalogue.
//   - One node stands for a category for as long as the mount lives.
//   - The kernel is told of each name that leads elsewhere (Invalidate), but for
//     those that it is about to enter by itself.
//
// Locks: those of a notice.Set, of expectations, drafts, temps, other names, walkers and removed
// names, pending.mu, opening.mu and reading.mu. These three are taken before that of drafts, and held
// over local disk alone, the others for a moment, and those take
// no other of this package. None is held over a request or a notice.
package papers
