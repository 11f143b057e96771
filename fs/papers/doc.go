// Package papers implements the nodes of papers/. They answer the kernel from the
// catalogue and the document cache, and take what programs write there.
//
// A Tree is what the nodes share. It creates the root of papers/ itself, and those of
// by-id/, by-url/ and jobs/ through package generated. category is the directory of a
// category and paperDir that of a paper. PDFs, and files with temporary names, are files of
// the media store, served by the nodes and handles of package fs/media: pdfName is what a
// name of a PDF stands for, and process.go and makepaper.go send it. The packages below:
//
//	generated    nodes that stand for no stored file: pages/, settings/, .search, by-id/ …
//	names        maps the service's names to file names and back
//	period       reads and writes publication periods
//	fieldsearch  parses the names of searches on fields
//
// The last three know no nodes.
//
// Invariants:
//
//   - A PDF beside a paper (pdfname.go) is the paper's source.pdf under another name, and
//     creates the paper if there is none.
//   - A file with a temporary name (scratch.go) is scratch in the twin of its category or
//     paper, and the next mount puts it into failed/. A rename to the name of a PDF sends
//     it, but while a program has it open for writing, the close of that program does.
//   - Listing and stat use the catalogue alone; whatever needs a request about one paper
//     is requested when its file is opened.
//   - A name depends only on the catalogue.
//   - A category has the same node for as long as the mount lives.
//   - The kernel is notified of each name that now leads elsewhere (Invalidate), except
//     for names that it is about to enter itself.
//
// Locks: those of notice.Set, expectations and hiddenNames are held for a moment, and while one
// is held no other lock of this package is taken. None is held over a request or a notice.
package papers
