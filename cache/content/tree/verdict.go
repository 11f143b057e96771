package tree

import "paperfs/cache/content/refusal"

// Verdict says why content must not be published. The zero Verdict says that it is whole.
type Verdict struct {
	Reason error
	Gen    uint64 // the newest generation that it is about
	// Final says that it is about newer generations, too, until the file is emptied: a write failed.
	Final   bool
	Partial bool // the content may be incomplete
}

// Partial is the verdict on content that may be incomplete.
func Partial(reason error) Verdict { return Verdict{Reason: reason, Partial: true} }

// Spoils reports whether generation gen must not be published.
func (v Verdict) Spoils(gen uint64) bool { return v.Reason != nil && (v.Final || v.Gen == gen) }

// Worthless reports whether the content is only what a write left when it ran out of room. The
// writer knows of the failure, and keeping the content would take room from others.
func (v Verdict) Worthless() bool {
	return refusal.Is(v.Reason, refusal.Full) || refusal.Is(v.Reason, refusal.OverQuota)
}

// Verdict returns the last verdict on b. It waits for nothing.
func (b *Body) Verdict() Verdict {
	if v := b.verdict.Load(); v != nil {
		return *v
	}
	return Verdict{}
}

// SetVerdict replaces the verdict; b.Mu must be held.
func (b *Body) SetVerdict(v Verdict) { b.verdict.Store(&v) }

// Judge records that generation gen could not be published; b.Mu must be held. It does not replace
// the verdict on content that lacks a write, or on newer content: that would let it pass for whole.
func (b *Body) Judge(gen uint64, reason error) {
	if v := b.Verdict(); !v.Final && (v.Reason == nil || gen >= v.Gen) {
		b.SetVerdict(Verdict{Reason: reason, Gen: gen})
	}
}
