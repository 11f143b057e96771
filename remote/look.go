package remote

import (
	"context"
	"errors"
)

// maxLooks is how often a change that must not happen twice is sent. Each time the
// client has first seen that it has not happened.
const maxLooks = 3

// errNoLook: whether the change happened cannot be found out.
var errNoLook = errors.New("no way to look")

// changeWithLook sends a change that must not happen twice. After a failure of unknown
// outcome, look finds out whether the effect is there; if not, the change is sent
// again. If look fails, the failure stays ambiguous.
func (c *Client) changeWithLook(ctx context.Context, send func() error, look func() (bool, error)) error {
	for n := 1; ; n++ {
		err := send()
		again := ambiguous(err)
		// A repeat may be refused because the first, though late, went through.
		if err == nil || ctx.Err() != nil || !again && (n == 1 || !refused(err)) {
			return err
		}
		done, lookErr := look()
		switch {
		case lookErr != nil:
			return err
		case done:
			return nil
		case n == maxLooks || !again || enough(ctx, n):
			return settled(err)
		}
	}
}

// foundKey marks a context whose owner is told what a look has found.
type foundKey struct{}

// TellFound has found set where CreatePaper or CreateCategory take what a look has found, after
// a failure of unknown outcome, for what they have created. Others may have created it.
func TellFound(ctx context.Context, found *bool) context.Context {
	return context.WithValue(ctx, foundKey{}, found)
}

func tellFound(ctx context.Context) {
	if found, ok := ctx.Value(foundKey{}).(*bool); ok {
		*found = true
	}
}

func refused(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Refused
}

func ambiguous(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Ambiguous
}

// settled returns err for a change that, as a look has shown, did not happen.
func settled(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	known := *e
	known.Ambiguous = false
	return &known
}

// delete sends a deletion and may repeat it. If the service refuses a repeat with
// ERROR or PAPER_DOES_NOT_EXIST, gone finds out whether an earlier attempt has deleted
// it. If so, that is a success; if not, the refusal stands.
func (c *Client) delete(ctx context.Context, op *Operation, id int64, gone func() (bool, error)) error {
	repeated, err := c.do(ctx, &request{op: op, params: []string{decimal(id)}})
	var e *Error
	if !repeated || !errors.As(err, &e) || e.Kind != Refused || e.Code != Failure && e.Code != PaperDoesNotExist {
		return err
	}
	done, lookErr := gone()
	switch {
	case lookErr != nil:
		return err
	case done:
		return nil
	}
	return settled(err)
}
