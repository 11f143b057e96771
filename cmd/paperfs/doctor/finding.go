package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Level is the severity of a finding.
type Level string

// The levels.
const (
	OK      Level = "ok"
	Warning Level = "warning" // it works, but not as well as it could, or the check is not conclusive
	Failure Level = "failure" // it does not work
)

// Finding is the result of a check about one thing.
type Finding struct {
	Check string `json:"check"` // what was checked
	Level Level  `json:"level"`
	Says  string `json:"says"`          // a sentence, without its full stop
	Fix   string `json:"fix,omitempty"` // what to do: a command if there is one
}

func fine(format string, args ...any) Finding {
	return Finding{Level: OK, Says: fmt.Sprintf(format, args...)}
}

func warning(fix, format string, args ...any) Finding {
	return Finding{Level: Warning, Says: fmt.Sprintf(format, args...), Fix: fix}
}

func failure(fix, format string, args ...any) Finding {
	return Finding{Level: Failure, Says: fmt.Sprintf(format, args...), Fix: fix}
}

// of sets the check of a finding to another name than its Check's.
func (f Finding) of(check string) Finding {
	f.Check = check
	return f
}

// Check examines one thing.
type Check struct {
	Name  string
	Limit time.Duration // 0: DefaultLimit
	Look  func(ctx context.Context) []Finding
}

// DefaultLimit is the time limit of a check.
const DefaultLimit = 10 * time.Second

// one returns a check with one finding.
func one(name string, look func() Finding) Check {
	return Check{Name: name, Look: func(context.Context) []Finding { return []Finding{look()} }}
}

// Run runs checks one after the other and passes each finding to tell at once. It calls
// begin with the name of each check, and calls the returned function when the check ends.
// Run returns false if a finding is a failure.
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

// run runs the check, up to the limit.
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
	return []Finding{warning("", "no answer within %s: the check may be waiting for a network disk", limit)}
}
