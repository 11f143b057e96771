package remote

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"
)

// logCall writes the one line of a call.
func (c *Client) logCall(ctx context.Context, r *request, attempts int, began time.Time, err error) {
	c.counters.sent.Add(r.sent.Load())
	c.counters.received.Add(r.got.Load())
	switch {
	case err != nil && attempts > 0 && !r.isHeld():
		c.counters.count(r.op.Name, OperationStats{Failures: 1})
	case heldBack(err):
		c.counters.count(r.op.Name, OperationStats{HeldBack: 1})
	}
	if !c.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{
		slog.String("op", r.op.Name), slog.Uint64("request", r.number), slog.Int("attempts", attempts),
		slog.Duration("duration", time.Since(began)), slog.String("code", string(r.code)),
		slog.Int64("sent", r.sent.Load()), slog.Int64("received", r.got.Load()),
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		attrs = append(attrs, slog.Int("status", e.Status), slog.String("failure", kindWords[e.Kind]))
	case r.unchanged:
		attrs = append(attrs, slog.Int("status", http.StatusPreconditionFailed))
	default:
		attrs = append(attrs, slog.Int("status", http.StatusOK))
	}
	c.log.LogAttrs(ctx, slog.LevelDebug, "call", attrs...)
}

// heldBack reports whether a call sent nothing, because of the budget or because the
// service was known to be away.
func heldBack(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Kind == OverBudget || e.Kind == Unreachable)
}
