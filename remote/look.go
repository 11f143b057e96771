package remote

import (
	"context"
	"errors"
)

// maxLooks is how often a change that must not happen twice is sent, each
// time after it was seen that it had not happened.
const maxLooks = 3

// errNoLook: whether the change happened cannot be found out.
var errNoLook = errors.New("no way to look")

// changeWithLook sends a change that must not be sent twice. After a failure
// of unknown outcome look tells whether the effect is there; if it is not,
// the change is sent again. Where looking fails, the failure stays ambiguous.
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
		case n == maxLooks || !again:
			return settled(err)
		}
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

// settled is err after a look has shown that nothing happened.
func settled(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	known := *e
	known.Ambiguous = false
	return &known
}

// delete sends a deletion, which may be repeated. When the service refuses a
// repeat with ERROR or PAPER_DOES_NOT_EXIST, gone tells whether an attempt
// before it had its effect; then that is a success, else the refusal stands.
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
