package mount

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/clock"
)

func (a *account) newFollower() *follower {
	return &follower{service: a.client, begin: func() func(context.Context, remote.News) error {
		t := a.trees()
		return func(ctx context.Context, n remote.News) error {
			return a.described(n, func() error { return a.takeNews(ctx, n, t) })
		}
	}, saved: a.state, catchUp: a.catchUp, rpm: func() int { return a.client.Stats().Budget.Limit },
		away: func() time.Time { return a.client.Stats().AskedAgain }, back: func() { a.media.RetryNow() }, slept: clock.Slept, log: a.settings.Log}
}

// catchUp fetches the trees again that lack changes of which the follower is not told.
func (a *account) catchUp(ctx context.Context, told bool) error {
	var papers error
	if !told {
		papers = a.catalogue.CatchUp(ctx)
	}
	return errors.Join(papers, a.media.CatchUp(ctx, told))
}

// watch has the mount learn what happens at the service, until end is called. It returns when the mount shows what others have
// changed since the mount before: who has called it looks at that next.
func (a *account) watch() (end func()) {
	jobs, news := a.documents.Watch(a.hooks.JobEnded), a.follower.start()
	select {
	case <-a.follower.seen:
	case <-time.After(longestFirst):
	}
	return func() {
		news()
		jobs()
	}
}

// trees are the trees from before a request to which news answer, and its time.
type trees struct {
	papers *catalogue.Snapshot
	media  media.Moment
	asked  time.Time
}

func (a *account) trees() trees { return trees{a.catalogue.Peek(), a.media.Moment(), time.Now()} }

// takeNews brings the mount up to date. What is told of single things goes into the trees as they were before the
// request. If one of them is not the same any more, it is fetched: its fetch knows which of this mount's own changes are
// newer than the answer. Both tell the kernel what differs.
func (a *account) takeNews(ctx context.Context, n remote.News, before trees) error {
	papers, library := slices.Contains(n.Trees, "papers"), slices.Contains(n.Trees, "media")
	var nodes, files, jobs []remote.Event
	if papers { // settings and jobs are not told one by one
		a.documents.DropAll()
	}
	var work sync.WaitGroup
	var failures [4]error
	for _, e := range n.Events {
		switch e.Kind {
		case "node":
			nodes = append(nodes, e)
			a.documents.Drop(e.ID)
		case "file", "directory":
			files = append(files, e)
		case "setting":
			a.documents.SettingChanged(e.Name)
		case "job":
			jobs = append(jobs, e)
		}
	}
	if n.Lost {
		work.Go(func() { failures[3] = a.documents.RecordsLost(ctx) })
	}
	work.Go(func() { failures[0] = a.documents.JobsTold(ctx, jobs, before.asked, a.hooks.JobEnded) })
	if papers || len(nodes) > 0 && !a.nodesTold(before.papers, nodes) {
		work.Go(func() { failures[1] = a.catalogue.Refresh(ctx) })
	}
	if library || len(files) > 0 && !a.media.Hear(before.media, files) {
		work.Go(func() { failures[2] = a.media.Refresh(ctx) })
	}
	work.Wait()
	return errors.Join(failures[:]...)
}

// nodesTold has told nodes put into the tree of before, and reports whether that is possible. The time of that tree's
// fetch is that from which the editions of papers count (Catalogue.Edition): a paper that this mount may have changed
// since then needs a later one.
func (a *account) nodesTold(before *catalogue.Snapshot, nodes []remote.Event) bool {
	if before == nil {
		return false
	}
	for _, e := range nodes {
		if e.Paper && !a.documents.SameEdition(e.ID, before.Fetched()) {
			return false
		}
	}
	return a.catalogue.Hear(before, nodes, a.follower.knows(before.Fetched()))
}
