// Package pending has the PDFs that are on their way from an open file to the service, by whatever name a
// program writes them: source.pdf, the PDF beside a paper, another name in the paper's directory, or a
// temporary name that a rename may change. It knows no nodes: the tree tells it where a PDF goes (Place)
// and which paper is there (Tree).
//
//   - A PDF is the content: a draft of the media store, shared by all handles, by any name.
//   - A Handle is an open file with all duplicates of its descriptor. The close of the last
//     handle that has written sends the PDF to its Place, or queues it with write-back.
//   - Sent is the handle of a PDF that was sent, for reading.
//   - The Set has all PDFs that are pending. It also remembers, for papers, what truncations have left, which papers
//     this mount is making or has made, and of which papers it does not know what the service has.
//   - OtherNames are the names other than source.pdf under which PDFs were put into papers' directories.
//
// Invariants: what is written is sent once, by a close, by a rename that comes after the close, or after the
// last release. What was removed, replaced or cut short by a kill is not sent. A truncation alone sends nothing.
// A PDF with a temporary name is in no list of the set: a rename adds it.
//
// Locks: PDF.mu, Handle.mu and Sent.mu are taken before Set.mu, and held over local disk alone. Set.mu and the lock of
// OtherNames are held for a moment. No other lock of this package is taken under OtherNames' lock; under Set.mu the
// Tree is asked, which must not call the set. None is held over a request or a notice.
package pending
