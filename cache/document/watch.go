package document

import (
	"context"
	"time"

	"paperfs/remote"
)

// While a job of this machine is under way, Watch polls every watchPause. After a failed
// request the pause doubles, up to maxWatchPause.
const (
	watchPause    = 3 * time.Second
	maxWatchPause = time.Minute
)

// Watch notices that jobs of this machine end, even if no program asks, and calls ended
// then. Its requests give way to those that programs wait for. end stops it.
func (c *Cache) Watch(ended func(paper int64, job Job)) (end func()) {
	ctx, cancel := context.WithCancel(remote.Background(context.Background()))
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.watch(ctx, ended)
	}()
	return func() {
		cancel()
		<-done
	}
}

func (c *Cache) watch(ctx context.Context, ended func(int64, Job)) {
	pause := watchPause
	for {
		if jobs, err := c.JobsUnderWay(); err == nil && len(jobs) == 0 {
			select {
			case <-c.began:
			case <-ctx.Done():
				return
			}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		if err := c.lookAtJobs(ctx, ended); err != nil {
			pause = min(2*pause, maxWatchPause)
		} else {
			pause = watchPause
		}
	}
}

// lookAtJobs polls the oldest job under way and, if that has ended, the next. A job whose
// state cannot be had holds up no other.
func (c *Cache) lookAtJobs(ctx context.Context, ended func(int64, Job)) (failed error) {
	jobs, err := c.JobsUnderWay()
	for _, j := range jobs {
		job, err := c.Job(ctx, j.GUID)
		switch {
		case err != nil:
			failed = err
		case job.Status == remote.JobPending:
			return failed
		default:
			ended(j.Paper, job)
		}
	}
	if err != nil {
		return err
	}
	return failed
}
