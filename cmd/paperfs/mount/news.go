package mount

import (
	"context"
	"errors"
	"slices"
	"sync"

	"paperfs/remote"
	"paperfs/remote/clock"
)

func (a *account) newFollower() *follower {
	return &follower{service: a.client, take: func(ctx context.Context, n remote.News) error {
		return a.described(n, func() error { return a.takeNews(ctx, n) })
	}, rpm: func() int { return a.client.Stats().Budget.Limit },
		slept: clock.Slept, log: a.settings.Log}
}

// watch has the mount learn what happens at the service, until end is called.
func (a *account) watch() (end func()) {
	jobs, news := a.documents.Watch(a.hooks.JobEnded), a.follower.start()
	return func() {
		news()
		jobs()
	}
}

// takeNews brings the mount up to date. A tree in which something changed is fetched, by one request: its fetch
// knows which of this mount's own changes are newer than the answer, and tells the kernel what differs.
func (a *account) takeNews(ctx context.Context, n remote.News) error {
	papers, media := slices.Contains(n.Trees, "papers"), slices.Contains(n.Trees, "media")
	if papers { // settings and jobs are not told one by one
		a.documents.DropAll()
	}
	var work sync.WaitGroup
	failures := make([]error, len(n.Events)+2)
	for i, e := range n.Events {
		switch e.Kind {
		case "node":
			papers = true
			a.documents.Drop(e.ID)
		case "file", "directory":
			media = true
		case "setting":
			a.documents.SettingChanged(e.Name)
		case "job":
			if slices.ContainsFunc(n.Events[i+1:], func(later remote.Event) bool { return later.Kind == e.Kind && later.ID == e.ID }) {
				e.Status = "" // its pages may be replaced
			}
			work.Go(func() { failures[i] = a.takeJob(ctx, e) })
		}
	}
	if papers {
		work.Go(func() { failures[len(n.Events)] = a.catalogue.Refresh(ctx) })
	}
	if media {
		work.Go(func() { failures[len(n.Events)+1] = a.media.Refresh(ctx) })
	}
	work.Wait()
	return errors.Join(failures...)
}

func (a *account) takeJob(ctx context.Context, e remote.Event) error {
	job, known, err := a.documents.JobTold(ctx, e.ID, e.Job, e.Status)
	if known && err == nil && job.Status != remote.JobPending {
		a.hooks.JobEnded(e.ID, job)
	}
	return err
}
