package tree

import (
	"context"

	"paperfs/cache/content/inode"
)

// PDF is what is known of a node that is no file of media/, but a paper's PDF on its way to the
// service. Store.mu guards it.
type PDF struct {
	Paper int64  // 0: it may have to be created
	Dir   int64  // category of a PDF next to a paper's directory, 0 for source.pdf
	Path  string // intended path as it was then, from the mount's root, with a leading slash

	// Of the queued content, for the next mount, too.
	Again  bool   // it has the size of what was sent before, so that this does not tell whether it was sent
	New    bool   // no paper had its name
	Making bool   // an attempt may have created it
	Seen   string // what the paper was known to have; "": anything

	MayBeThere bool  // the service may have queued content without having confirmed it
	Heir       *Node // has what was queued, if the path has let go of this one
	Publisher  Publisher
}

// Publisher sends the queued content of a PDF. It is called without locks.
type Publisher interface {
	Publish(ctx context.Context) error // sends it with Draft.SendQueued
	Delayed(why error)                 // called after each failed attempt that is retried
	// Published is called when the queued content was sent (nil) or permanently refused.
	Published(refused error)
}

// Settled returns the newest generation of n's content that the service has or that is queued;
// Store.mu must be held.
func (n *Node) Settled() uint64 {
	if b := n.Body(); n.Queued() {
		return max(b.Sent, b.Queued)
	}
	return n.Body().Sent
}

// Untried reports whether a PDF has content that nobody has tried to send; Store.mu must be held.
func (n *Node) Untried() bool {
	b, v := n.Body(), n.Body().Verdict()
	return b.Gen != n.Settled() && (v.Reason == nil || !v.Final && b.Gen > v.Gen) && n.Size > 0
}

// SentPDF returns the version of a PDF that was sent: the service has no number for it.
func SentPDF(sha256 string, size int64) Version {
	return Version{ID: -1, Size: size, KB: -1, SHA256: inode.DigestOf(sha256)}
}
