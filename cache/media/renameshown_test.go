package media

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/refusal"
	"paperfs/cache/media/reconcile"
	"paperfs/cache/media/waiter"
)

// waiting is a context that tells when somebody begins to wait.
type waiting struct {
	context.Context
	begins func()
}

func (w waiting) Done() <-chan struct{} {
	w.begins()
	return w.Context.Done()
}

// TestARenameReplacesWhatItsNameShowedAtTheCall has a rename wait for its turn while the target changes: by a colleague, who keeps
// what is there, and by a program here, which is replaced.
func TestARenameReplacesWhatItsNameShowedAtTheCall(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "before"} {
		for name, options := range map[string][]func(*Options){"sent": {}, "queued": {writingBack}, "moved": {moving}} {
			t.Run(name+" "+before, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, options...)
				src := ".mine"
				if name == "moved" {
					src = "mine"
				}
				if before != "" {
					f.service.set(0, "f", before)
				}
				_, err := f.create(Root, src, "mine")
				require.NoError(t, err)
				require.NoError(t, f.store.Refresh(t.Context()))
				during := func(change func()) error {
					unlock := f.store.Locks.Lock(waiter.NameOf(Root, src))
					begun, done := make(chan struct{}), make(chan error)
					go func() {
						done <- f.store.Rename(waiting{t.Context(), sync.OnceFunc(func() { close(begun) })}, Root, src, Root, "f", false, "mv")
					}()
					<-begun
					change()
					unlock()
					return <-done
				}
				require.True(t, refusal.Is(during(func() {
					f.service.set(0, "f", "theirs")
					require.NoError(t, f.store.Refresh(t.Context()))
				}), Newer))
				require.Equal(t, "theirs", f.service.all()["f"])
				f.lookup(Root, src)

				f.pass(reconcile.Protection)
				require.NoError(t, during(func() {
					require.NoError(t, f.overwrite(f.lookup(Root, "f").Ino, "here"))
				}))
				f.eventually(func() bool { return f.service.all()["f"] == "mine" })
			})
		}
	}
}
