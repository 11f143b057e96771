// Package pending holds the PDFs that are on their way from an open file to the service,
// under any of their names: source.pdf, the PDF beside a paper, another name in the
// paper's directory, or a temporary name that a rename may change. It knows no nodes: the
// tree of papers tells it where a PDF goes (Place) and which paper is there (Tree).
//
//   - A PDF is the content: a draft of the media store, shared by all handles under any
//     name. Once a close has told that it is incomplete, its names let go of it: they show what is queued, or else
//     what was sent, and it goes to failed/ with its last writer.
//   - A Handle is an open file with all duplicates of its descriptor, and the media store's
//     handle of the draft. The close of the last handle that has written sends the PDF to
//     its Place or, with write-back, queues it.
//   - A File is one inode of a PDF's name. It shows what is written through it, or a PDF that
//     was sent. A change of the name in any other way gives the name another File.
//   - A Reader is an open file that only reads what its File shows.
//   - A Set holds all pending PDFs, with the truncations that no write has followed. It also
//     remembers the papers that this mount is creating or has created, and the papers
//     whose pages on the service it cannot be sure of.
//   - OtherNames are the names other than source.pdf under which PDFs were put into
//     papers' directories.
//
// Invariants: written content is sent once: by a close, by a rename after that close, or
// after the last release. Content that was removed, replaced or cut short by a kill is not
// sent. A truncation alone sends nothing. A PDF with a temporary name is in no list of the
// Set until a rename adds it.
//
// Locks: PDF.mu and Reader.mu are taken before Set.mu, and may be held over
// access to the local disk only. Set.mu and OtherNames.mu are held for a moment. While
// OtherNames.mu is held, no other lock of this package is taken. While Set.mu is held, the
// Tree may be called, which must not call the Set. No lock is held over a request or a
// notice to the kernel.
package pending
