package remote

import (
	"context"
	"errors"
	"strings"
)

// maxLooks is how often the client sends a change that must not happen twice. Before each
// repeat it has checked that the change has not happened.
const maxLooks = 3

// errNoLook means that the client cannot check whether the change happened.
var errNoLook = errors.New("no way to check whether the change happened")

// changeWithLook sends a change that must not happen twice. After a failure of unknown
// outcome, look finds out whether the effect is there; if not, the change is sent
// again. If look fails, the failure stays ambiguous.
func (c *Client) changeWithLook(ctx context.Context, send func() error, look func() (bool, error)) error {
	for n := 1; ; n++ {
		err := send()
		again := ambiguous(err)
		// The service may refuse a repeat because the first change took effect late.
		if err == nil || ctx.Err() != nil || !again && (n == 1 || !refused(err)) {
			return err
		}
		done, lookErr := look()
		switch {
		case errors.Is(lookErr, errWhichJob):
			return explained(err, lookErr)
		case lookErr != nil:
			return err
		case done:
			return nil
		case n == maxLooks || !again || enough(ctx, n):
			return settled(err)
		}
	}
}

// foundKey marks a context made by TellFound.
type foundKey struct{}

// TellFound returns a context for CreatePaper and CreateCategory. They set found if, after a failure
// of unknown outcome, they found a node and take it for their own. Another client may have created it.
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

// explained returns err with the reason why its outcome stays unknown.
func explained(err, reason error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	if told.Message == "" && told.Err != nil {
		told.Message = told.Err.Error()
	}
	told.Message = strings.TrimPrefix(strings.TrimSuffix(told.Message, ".")+"; "+reason.Error(), "; ")
	return &told
}

// settled returns err for a change that did not happen, as a check has shown.
func settled(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	known := *e
	known.Ambiguous = false
	return &known
}

// delete sends a deletion and may repeat it. If the service refuses a repeat with ERROR or
// PAPER_DOES_NOT_EXIST, gone checks whether an earlier attempt has succeeded. If so, the
// deletion is a success; if not, the refusal stands.
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
