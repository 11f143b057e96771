// Package pdf processes PDF files. It extracts page images in three sizes, text
// in reading order with the positions of its lines, links, bookmarks and
// attached tables.
//
// Files are not trusted, so the service's own process reads none. A Processor
// starts the same program as a worker, which runs PDFium as WebAssembly without
// a file system. The worker gets the PDF as an open file and sends its results
// through a pipe, page by page. The processor kills a worker that takes too long
// or stops sending. A worker that needs too much memory dies by itself. In every
// case only this one job fails.
//
// A program that uses the package must call Work if its only argument is
// WorkerArgument.
package pdf
