// Package pdf takes PDF files apart: page images in three sizes, text in
// reading order and where its lines lie, links, bookmarks and attached tables.
//
// Files come from anybody, so none is read in the service's own process. A
// Processor starts the same program again as a worker, which runs PDFium as
// WebAssembly without any file system: it has the PDF as an open file, and a
// pipe to send its results through, page by page. A worker that takes too long
// or says nothing is killed, one that wants too much memory dies by itself;
// whatever happens to it is one failed job.
//
// A program that uses the package runs Work where its only argument is
// WorkerArgument.
package pdf
