package catalogue

import "strconv"

func (c *Catalogue) rootKey() string { return "catalogue root " + c.o.RootURL }

// rememberedRoot returns the root that the last mount found, or 0.
func (c *Catalogue) rememberedRoot() int64 {
	if c.o.RootID != 0 {
		return c.o.RootID
	}
	if c.o.State == nil {
		return 0
	}
	text, _, err := c.o.State.Value(c.rootKey())
	if err != nil {
		c.o.Log.Warn("cannot read the remembered root", "error", err)
		return 0
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// rememberRoot stores the id of the root for this mount and the next; 0 forgets it.
func (c *Catalogue) rememberRoot(id int64) {
	c.mu.Lock()
	same := c.rootID == id
	c.rootID = id
	c.mu.Unlock()
	if c.o.State == nil || same {
		return
	}
	if err := c.o.State.SetValue(c.rootKey(), strconv.FormatInt(id, 10)); err != nil {
		c.o.Log.Warn("the root cannot be remembered", "error", err)
	}
	if id != 0 {
		c.noteConnected()
	}
}

// connectedKey is the state's key for "the service has accepted this account once".
const connectedKey = "catalogue connected"

func (c *Catalogue) noteConnected() {
	if c.o.State == nil {
		return
	}
	if value, _, err := c.o.State.Value(connectedKey); err == nil && value != "" {
		return
	}
	if err := c.o.State.SetValue(connectedKey, "1"); err != nil {
		c.o.Log.Warn("cannot record that the service was reached", "error", err)
	}
}

// connectedBefore reports whether the service has accepted this account at an
// earlier mount.
func (c *Catalogue) connectedBefore() bool {
	if c.o.State == nil {
		return false
	}
	value, _, err := c.o.State.Value(connectedKey)
	return err == nil && value != "" || c.o.RootID == 0 && c.RootID() != 0
}
