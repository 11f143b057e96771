package serving

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"paperfs/cache/state"
	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
	"paperfs/remote/clock"
	"paperfs/remote/shellword"
)

const (
	// leavingLimit bounds the wait for a process that has unmounted: it soon leaves its account, however
	// busy the machine is.
	leavingLimit = 5 * time.Second
	// endingLimit bounds the wait for a process that was killed.
	endingLimit = 20 * time.Second
	leavingLook = 50 * time.Millisecond // between two looks
)

// TakeState is state.Open. It waits a moment for a process that has unmounted the account. If a
// killed process that cannot end holds the account, TakeState frees it first, even if its mount
// was removed already. The end of ctx ends the wait.
func TakeState(ctx context.Context, dirs state.Dirs, dir string) (*state.State, error) {
	for began := time.Now(); ; {
		st, err := state.Open(dirs, dir)
		held, ok := errors.AsType[*state.HeldError](err)
		if !ok {
			return st, err
		}
		if err := leaves(held, time.Since(began)); err != nil {
			return nil, err
		}
		if err := clock.Sleep(ctx, leavingLook); err != nil {
			return nil, err
		}
	}
}

// leaves returns nil while the process that holds an account may still leave it, so that it is
// worth waiting longer. It ends a killed process.
func leaves(held *state.HeldError, waited time.Duration) error {
	switch {
	case held.PID != 0 && guard.Dying(held.PID):
		if err := abort(held.Holder); waited > endingLimit {
			return fmt.Errorf("%w, and that process was killed and cannot end: %v", held, err)
		}
	case held.PID != 0 && (mounted(held.Holder) || len(keptOf(held.Holder)) > 0), waited > leavingLimit:
		return heldWords(held)
	}
	return nil
}

// abort ends what a killed process waits for. The error says why the process may exist for
// longer.
func abort(h state.Holder) error {
	connection, ok := guard.Parse(h.Connection)
	if !ok {
		return errors.New("its kernel connection is not recorded, so its mount cannot be ended")
	}
	if err := connection.Abort(); err != nil {
		return err
	}
	return fmt.Errorf("it still exists after %s", endingLimit)
}

// mounted reports whether the mount of an account is in its place. Another mount may be there by
// now.
func mounted(h state.Holder) bool {
	m, there, err := mountpoint.At(h.Mountpoint)
	connection, known := guard.Parse(h.Connection)
	return err != nil || there && (!known || m.Device == connection.Device())
}

// keptOf returns what other mount namespaces have of the mount of an account.
func keptOf(h state.Holder) []mountpoint.Holder {
	connection, known := guard.Parse(h.Connection)
	if !known {
		return nil
	}
	return mountpoint.InOtherNamespaces(connection.Device())
}

// heldError is a HeldError of a mount that is not in its place.
type heldError struct {
	*state.HeldError

	words string
}

func (e *heldError) Error() string { return e.words }
func (e *heldError) Unwrap() error { return e.HeldError }

// heldWords says what to do about an account that a live process holds.
func heldWords(held *state.HeldError) error {
	if held.PID == 0 {
		return held
	}
	if mounted(held.Holder) {
		return fmt.Errorf("%w. An account can be mounted only once: use that mount, or run: paperfs umount %s", held, shellword.Quote(held.Mountpoint))
	}
	words := fmt.Sprintf("%s is being unmounted: process %d finishes what is under way, or a mount namespace that cannot be seen from here still has the mount. Try again when that process has ended; to end it, run: kill %[2]d", held.Mountpoint, held.PID)
	if kept := keptOf(held.Holder); len(kept) > 0 {
		words = fmt.Sprintf("%s is unmounted here, but process %d still serves it, and has the account. To end that process, run: kill %[2]d. %s", held.Mountpoint, held.PID, KeptBy(kept))
	} else if held.Connection == "" {
		words = fmt.Sprintf("%s is being mounted or unmounted by process %d, and an account can be mounted only once. Try again when that process has ended; to end it, run: kill %[2]d", held.Mountpoint, held.PID)
	}
	return &heldError{held, words}
}

// KeptBy says what keeps the process of an unmounted mount alive.
func KeptBy(kept []mountpoint.Holder) string {
	var b strings.Builder
	for _, h := range kept {
		b.WriteString("\n  " + h.String())
	}
	return fmt.Sprintf("other mount namespaces (such as a container's) still have the mount, and programs may use it there%s", b.String())
}
