package body

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"paperfs/cache/content/reading"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
)

// A program that changes a part of published content which is not on this machine goes on at once: its
// draft gets the rest in the background, from the Source that readers use, and never what the
// program has written by then. A read of what has not come waits for that alone. The closes, and
// whatever else needs all of the draft, wait until all of the published content has come and has the right
// SHA-256, unless a program has cut its end off. If that fails, the verdict on the draft says so.

// PrepareChange waits until a change of a part of n's content can begin: until the service has told what the
// rest is.
func (s *Bodies) PrepareChange(ctx context.Context, n *tree.Node) error {
	source, err := s.OpenSource(ctx, n)
	if source == nil {
		return err
	}
	defer source.Release()
	if err = source.Begin(ctx); err == nil && !source.Ready() {
		err = s.LoadWhole(ctx, source)
	}
	return s.Explain(ctx, n, err)
}

// Lacking returns why the draft of b, which lacks something, cannot be sent or queued; b.Mu must be held.
func Lacking(b *tree.Body) error {
	return cmp.Or(b.Verdict().Reason, errors.New("not all of what the file held before has come"))
}

// fillPiece is how much comes at a time.
const fillPiece = 128 << 10

// fillBodyLocked lets what the draft of n lacks come; Body.Mu must be held.
func (s *Bodies) fillBodyLocked(n *tree.Node) {
	b := n.Body()
	sp, source := b.Spool, b.Source
	lack := sp.Lack
	ctx, stop := context.WithCancel(s.names.Base)
	lack.Stop = stop
	open := source.Reopen()
	s.Reads.Go(func() {
		defer close(lack.Done)
		err := source.Err()
		if open {
			err = s.fill(ctx, b, sp, source)
			source.Release()
		}
		err = s.Explain(ctx, n, err)
		b.Mu.Lock()
		defer b.Mu.Unlock()
		switch {
		case sp.Lack == nil || ctx.Err() != nil: // emptied, or closed
		case err != nil:
			b.SetVerdict(tree.Verdict{Reason: fmt.Errorf("the rest of what the file held before cannot be fetched: %w", err), Final: true, Partial: true})
		default:
			sp.Whole()
		}
		if b.Spool == sp && sp.Lack == nil {
			b.CloseSource()
		}
	})
}

// fill fetches what a draft lacks, and judges its source.
func (s *Bodies) fill(ctx context.Context, b *tree.Body, sp *spool.File, source *reading.Source) error {
	piece := make([]byte, fillPiece)
	for {
		b.Mu.RLock()
		from, to := sp.Rest()
		whole := sp.Lack != nil && sp.Lack.End == source.Size()
		b.Mu.RUnlock()
		switch {
		case from < to:
			to = min(to, from-from%fillPiece+fillPiece)
			if err := s.fillPart(ctx, b, sp, source, piece[:to-from], from); err != nil {
				return err
			}
		case whole:
			return source.Load(ctx)
		default:
			return nil
		}
	}
}

// fillPart fetches a part of what a draft lacks. It uses p.
func (s *Bodies) fillPart(ctx context.Context, b *tree.Body, sp *spool.File, source *reading.Source, p []byte, from int64) error {
	if _, err := source.ReadAt(ctx, p, from); err != nil && err != io.EOF {
		return err
	}
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return s.Spools.Fill(sp, p, from)
}

// ReadDraft reads what programs have written to n, or that n is empty. It waits for what has not come.
func (s *Bodies) ReadDraft(ctx context.Context, n *tree.Node, p []byte, off int64) (int, error) {
	b := n.Body()
	for {
		b.Mu.RLock()
		sp, source := b.Spool, b.Source
		if sp == nil {
			b.Mu.RUnlock()
			return 0, io.EOF
		}
		from, to := sp.Hole(off, off+int64(len(p)))
		if from == to {
			defer b.Mu.RUnlock()
			return sp.F.ReadAt(p, off)
		}
		open := source != nil && source.Reopen()
		b.Mu.RUnlock()
		if !open {
			return 0, s.explained(n, reading.ErrSuperseded)
		}
		err := s.fillPart(ctx, b, sp, source, p[:to-from], from)
		source.Release()
		b.Mu.Lock()
		sp.Waited(from, to)
		b.Mu.Unlock()
		if err != nil {
			return 0, s.Explain(ctx, n, err)
		}
	}
}

// Complete waits until the draft of n lacks nothing, or a verdict says why it always will.
func (s *Bodies) Complete(n *tree.Node) {
	b := n.Body()
	b.Mu.RLock()
	var lack *spool.Lack
	if b.Spool != nil {
		lack = b.Spool.Lack
	}
	b.Mu.RUnlock()
	if lack != nil {
		<-lack.Done
	}
}

// Fetch makes all of n's content available in a local file, also what its draft lacks.
func (s *Bodies) Fetch(ctx context.Context, n *tree.Node) error {
	source, err := s.OpenSource(ctx, n)
	if source == nil {
		s.Complete(n)
		return err
	}
	defer source.Release()
	return s.Explain(ctx, n, s.LoadWhole(ctx, source))
}
