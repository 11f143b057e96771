package tree

import (
	"time"

	"paperfs/cache/content/inode"
	"paperfs/remote"
)

// PDF is what is known of a file below papers/. Scratch on its way to a PDF has the zero value. Tree.Mu guards it.
type PDF struct {
	Paper int64  // 0: it has to be created
	Dir   int64  // category of a PDF next to a paper's directory, 0 for source.pdf
	Path  string // where programs last wrote it, from the mount's root, with a leading slash; in a paper always source.pdf
	Other string // the name that they gave it in the paper instead, "" for source.pdf

	Emptied bool // a program has emptied it: it is as before until the next one writes it, and begins with nothing

	// The edition that the paper had when the content was begun, which it may replace; 0 if unknown.
	Over  remote.Version
	Since time.Time // when the paper is known to have had it

	// Of the queued content, for the next mount, too.
	Again  bool   // it has the size of what was sent before, so that this does not tell whether it was sent
	New    bool   // no paper had its name
	Making bool   // an attempt may have created it
	Seen   string // what the paper was known to have; "": anything

	MayBeThere bool // the service may have queued content without having confirmed it
}

// IsPDF reports whether n is the PDF of a paper, or of one that is to be created; Tree.Mu must be held.
func (n *Node) IsPDF() bool { return n.Extra != nil && n.PDF != nil && n.PDF.Path != "" }

// InPapers reports whether n is papers, the hidden directory, or below it; Tree.Mu must be held.
func (n *Node) InPapers(papers *Node) bool {
	return n.PDF != nil || n.Kind != inode.File && n.Within(papers)
}

// SentPDF returns the version of a PDF that was sent: the service has no number for it.
func SentPDF(sha256 string, size int64, written time.Time) Version {
	if sha256 == "" {
		return Version{}
	}
	return Version{ID: -1, Size: size, KB: -1, SHA256: inode.DigestOf(sha256), ModTime: inode.InstantOf(written)}
}
