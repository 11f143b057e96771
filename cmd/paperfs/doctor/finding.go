package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Level is how bad a finding is.
type Level string

// The levels.
const (
	OK      Level = "ok"
	Warning Level = "warning" // it works, but not as well as it could, or it cannot be told
	Failure Level = "failure" // it does not work
)

// Finding is what a check says about one thing.
type Finding struct {
	Check string `json:"check"` // what was looked at
	Level Level  `json:"level"`
	Says  string `json:"says"`           // a sentence, without its full stop
	Mend  string `json:"mend,omitempty"` // what mends it: a command where there is one
}

func fine(format string, args ...any) Finding {
	return Finding{Level: OK, Says: fmt.Sprintf(format, args...)}
}

func warning(mend, format string, args ...any) Finding {
	return Finding{Level: Warning, Says: fmt.Sprintf(format, args...), Mend: mend}
}

func failure(mend, format string, args ...any) Finding {
	return Finding{Level: Failure, Says: fmt.Sprintf(format, args...), Mend: mend}
}

// of gives a finding another check than that of its Look.
func (f Finding) of(check string) Finding {
	f.Check = check
	return f
}

// Check is something to look at.
type Check struct {
	Name  string
	Limit time.Duration // 0: DefaultLimit
	Look  func(ctx context.Context) []Finding
}

// DefaultLimit is how long a check may take.
const DefaultLimit = 10 * time.Second

// one is a check with one finding.
func one(name string, look func() Finding) Check {
	return Check{Name: name, Look: func(context.Context) []Finding { return []Finding{look()} }}
}

// Run runs checks one after the other and tells each finding at once. begin is told
// the name of each check, and what it returns is called at its end. Run reports
// whether none is a failure.
func Run(ctx context.Context, checks []Check, begin func(check string) (end func()), tell func(Finding)) (sound bool) {
	sound = true
	for _, c := range checks {
		end := begin(c.Name)
		found := c.run(ctx)
		end()
		for _, f := range found {
			if f.Check == "" {
				f.Check = c.Name
			}
			sound = sound && f.Level != Failure
			tell(f)
		}
	}
	return sound
}

// run looks, up to the limit.
func (c Check) run(ctx context.Context) []Finding {
	limit := c.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found := make(chan []Finding, 1)
	go func() { found <- c.Look(ctx) }()
	select {
	case all := <-found:
		return all
	case <-ctx.Done():
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return []Finding{warning("", "interrupted")}
	}
	return []Finding{warning("", "no answer within %s: it may be looking at a network disk that does not answer", limit)}
}
