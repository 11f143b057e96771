package media

import (
	"maps"
	"strings"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media/body"
)

// promised is what must survive a power loss: contents by path.
type promised struct {
	closed map[string]string // at the service, when the queue is empty
	synced map[string]string // local: in scratch, or in failed/
	pdf    string            // queued for a paper, "" if none is
}

func (p *promised) clone() *promised {
	return &promised{maps.Clone(p.closed), maps.Clone(p.synced), p.pdf}
}

// cutAct is an operation of a program, and what the operation promises.
type cutAct struct {
	do   func(*cutPlayer)
	then func(*promised)
}

// large returns a content that is synced in the spool; the database has a small content in its
// row.
func large(text string) string { return strings.Repeat(text, body.SmallCopy/len(text)+100) }

func closing(at, content string) cutAct {
	return cutAct{
		func(p *cutPlayer) { p.write(at, content); p.close(at) },
		func(w *promised) { w.closed[at] = content },
	}
}

// refusing is a close whose content the service refuses, so that it moves to failed/.
func refusing(at, content string) cutAct {
	return cutAct{closing(at, content).do, func(w *promised) { w.synced[at] = content }}
}

// queuing is the close of a paper's PDF, which stays queued.
func queuing(content string) cutAct {
	return cutAct{
		func(p *cutPlayer) { require.NoError(p.t, p.queuePDF(content)) },
		func(w *promised) { w.pdf = content },
	}
}

func cutScript() []cutAct {
	return []cutAct{
		{func(p *cutPlayer) { require.NoError(p.t, p.store.Refresh(ctx)); p.service.goAway(unreachable) }, func(*promised) {}},
		closing("a", "a1"),
		closing("b", large("b1")),
		closing("b", large("b2")),
		closing("a", "a2"),
		{func(p *cutPlayer) { p.mkdir("d") }, func(*promised) {}},
		closing("d/c", large("c")),
		{
			func(p *cutPlayer) { p.write("e", large("e")); require.NoError(p.t, p.open["e"].Fsync()) },
			func(w *promised) { w.synced["e"] = large("e") },
		},
		{
			func(p *cutPlayer) {
				p.write(".s.swp", "s")
				require.NoError(p.t, p.open[".s.swp"].Fsync())
				p.close(".s.swp")
			},
			func(w *promised) { w.synced[".s.swp"] = "s" },
		},
		{func(p *cutPlayer) { p.write(".f.swp", large("f")); p.close(".f.swp") }, func(*promised) {}},
		{func(p *cutPlayer) { p.rename(".f.swp", "f") }, func(w *promised) { w.closed["f"] = large("f") }},
		{func(p *cutPlayer) { p.mkdir(".work"); p.write(".work/x", large("x")); p.close(".work/x") }, func(*promised) {}},
		{func(p *cutPlayer) { p.rename(".work", "work") }, func(w *promised) { w.closed["work/x"] = large("x") }},
		{
			func(p *cutPlayer) { require.NoError(p.t, p.store.Unlink(ctx, Root, "a")) },
			func(w *promised) { delete(w.closed, "a") },
		},
		{
			func(p *cutPlayer) { p.rename("b", "g") },
			func(w *promised) { w.closed["g"] = w.closed["b"]; delete(w.closed, "b") },
		},
		{func(p *cutPlayer) { p.close("e") }, func(w *promised) { w.closed["e"] = large("e"); delete(w.synced, "e") }},
		{func(p *cutPlayer) { p.service.goAway(nil); require.NoError(p.t, p.store.Drain(ctx)) }, func(*promised) {}},
		closing("g", large("g2")),
		closing("f", "f2"),
		{func(p *cutPlayer) { require.NoError(p.t, p.store.Drain(ctx)) }, func(*promised) {}},
		refusing("bad", "small"),
		refusing("bad-large", large("bad")),
		{func(p *cutPlayer) { require.NoError(p.t, p.store.Drain(ctx)) }, func(*promised) {}},
		{func(p *cutPlayer) { require.NoError(p.t, p.store.Sync()) }, func(*promised) {}},
		queuing("%PDF of one"),
		queuing("%PDF of two" + large("2")), // the same paper's, while the first one is queued
	}
}
