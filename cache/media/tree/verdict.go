package tree

// Verdict says why content must not be published. The zero Verdict says that it is whole.
type Verdict struct {
	Reason error
	Gen    uint64 // the newest generation that it is about
	// Final says that it is about newer generations, too, until the file is emptied: a write failed.
	Final   bool
	Killed  bool // nothing was sent, because the writer was killed
	Partial bool // the content may be incomplete
}

// Partial is the verdict on content that may be incomplete.
func Partial(reason error) Verdict { return Verdict{Reason: reason, Partial: true} }

// Spoils reports whether generation gen must not be published.
func (v Verdict) Spoils(gen uint64) bool { return v.Reason != nil && (v.Final || v.Gen == gen) }

// Spoiled returns why no close publishes the content, unless more is written (Killed) or the file
// is emptied (Final); nil if a close may try. b.Mu must be held.
func (b *Body) Spoiled() error {
	if b.Verdict.Killed && b.Verdict.Gen == b.Gen || b.Verdict.Final {
		return b.Verdict.Reason
	}
	return nil
}

// Judge records that generation gen could not be published; b.Mu must be held. It does not replace
// the verdict on content that may be incomplete: that would let newer content pass for whole.
func (b *Body) Judge(gen uint64, reason error) {
	if b.Spoiled() == nil {
		b.Verdict = Verdict{Reason: reason, Gen: gen}
	}
}
