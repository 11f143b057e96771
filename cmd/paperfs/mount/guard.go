package mount

import (
	"errors"

	"paperfs/fs/guard"
	"paperfs/fs/mountpoint"
)

// guardConnection starts the guard of the mount, and records the mount's kernel connection
// next to the account's lock. Without fusectl, the mount runs without a guard;
// paperfs doctor says what that means.
func (a *account) guardConnection() {
	m, ok, err := mountpoint.At(a.dir)
	if err == nil && !ok {
		err = errors.New("the mount is not in the mount table")
	}
	var c guard.Connection
	if err == nil {
		c, err = guard.Of(m.Device)
	}
	if err == nil {
		err = errors.Join(a.state.NoteConnection(c.String()), guard.Start(c))
	}
	if err != nil {
		a.settings.Log.Debug("nothing ends the connection if this process is killed while it waits in the kernel", "reason", err)
	}
}
