package service

import (
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// id reads a parameter that names a record: 1 to 2147483647.
func (c *call) id(name string) (int64, error) { return c.integer(name, 1, store.MaxID) }

// integer reads a parameter of digits only, leading zeros allowed.
func (c *call) integer(name string, least, most int64) (int64, error) {
	v, ok := value.IDOrZero(c.param(name))
	if !ok || v < least || v > most {
		return 0, fault.Invalid("%s has to be a number from %d to %d.", name, least, most)
	}
	return v, nil
}

// boolean reads a parameter that may be empty for its default.
func (c *call) boolean(name string, byDefault bool) (bool, error) {
	v, ok := rules.Bool(c.param(name), byDefault)
	if !ok {
		return false, fault.Invalid("%s has to be true or false.", name)
	}
	return v, nil
}

// displayName reads a node's name.
func (c *call) displayName(param string) (string, error) {
	name := strings.TrimSpace(c.param(param))
	if rules.NodeName(name) != rules.None {
		return "", fault.Invalid("%s has to be 1 to 255 characters, without control characters.", param)
	}
	return name, nil
}

// urlName reads the last segment of a node's address.
func (c *call) urlName(param string) (string, error) {
	name := strings.TrimSpace(c.param(param))
	if !rules.Segment(name) {
		return "", fault.Invalid("%s has to be %s", param, rules.SegmentWords)
	}
	return name, nil
}

func (c *call) has(name string) bool {
	if name == c.op.Bulk {
		present, _ := c.form.Bulk()
		return present
	}
	_, present := c.form.Get(name)
	return present
}

func (c *call) hasPair(p remote.Pair) bool { return c.has(p.Username) && c.has(p.Password) }

// pairSeen finds the credentials among the parameters that have arrived.
func (c *call) pairSeen() (remote.Pair, bool) {
	for _, pair := range []remote.Pair{c.op.Pair, remote.PL, remote.Plain} {
		if (pair == c.op.Pair || c.op.Extended) && c.hasPair(pair) {
			return pair, true
		}
	}
	return remote.Pair{}, false
}
