package service

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
	"paperfs/remote/xmlscan"
)

// id reads a parameter that names a record: 1 to 2147483647.
func (c *call) id(name string) (int64, error) { return c.integer(name, 1, store.MaxID) }

// integer reads a parameter of digits only, leading zeros allowed.
func (c *call) integer(name string, least, most int64) (int64, error) {
	v, ok := rules.IDOrZero(c.param(name))
	if !ok || v < least || v > most {
		return 0, answer.Invalid("%s has to be a number from %d to %d.", name, least, most)
	}
	return v, nil
}

// boolean reads a parameter that may be empty for its default.
func (c *call) boolean(name string, byDefault bool) (bool, error) {
	v, ok := rules.Bool(c.param(name), byDefault)
	if !ok {
		return false, answer.Invalid("%s has to be true or false.", name)
	}
	return v, nil
}

// displayName reads a node's name from the value of a parameter.
func displayName(param, value string) (string, error) {
	name := strings.TrimSpace(value)
	if rules.NodeName(name) != rules.None {
		return "", answer.Invalid("%s has to be 1 to 255 characters, without control characters.", param)
	}
	return name, nil
}

// urlName reads the last segment of a node's address.
func (c *call) urlName(param string) (string, error) {
	name := strings.TrimSpace(c.param(param))
	if !rules.Segment(name) {
		return "", answer.Invalid("%s has to be %s", param, rules.SegmentWords)
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

// checkPresence finds the first absent parameter (contract, 1.4 rule 2) and returns the
// pair of parameters that has the credentials. Extended operations take either pair,
// their own first.
func (c *call) checkPresence() (remote.Pair, error) {
	pair := c.op.Pair
	if c.op.Extended && !c.hasPair(pair) {
		for _, other := range []remote.Pair{remote.PL, remote.Plain} {
			if c.hasPair(other) {
				pair = other
			}
		}
	}
	if c.soap != nil { // an absent element is a null, which counts as empty
		return pair, nil
	}
	for _, name := range append([]string{pair.Username, pair.Password}, c.op.Params...) {
		if !c.has(name) && !slices.Contains(c.op.Optional, name) {
			return pair, &answer.Failure{Status: http.StatusInternalServerError, Line: fmt.Sprintf("Missing parameter: %s.", name)}
		}
	}
	return pair, nil
}

// malformed returns the refusal of a body that is not as multipart/form-data has to be; nil if it is.
func (c *call) malformed() error {
	if err := c.form.Malformed(); err != nil {
		return answer.Invalid("The multipart/form-data is malformed: %v.", err)
	}
	return nil
}

// params returns the parameters that this service knows, without those of the credentials.
func (c *call) params() []string { return c.service.documented(c.op).All() }

// names returns the parameters that are text.
func (c *call) names() []string {
	names := append([]string{remote.PL.Username, remote.PL.Password, remote.Plain.Username, remote.Plain.Password}, c.params()...)
	return slices.DeleteFunc(names, func(n string) bool { return n == c.op.Bulk })
}

// checkText refuses characters that XML cannot carry, except in ignored parameters: an
// answer never contains those.
func (c *call) checkText() error {
	for _, name := range c.params() {
		if name != c.op.Bulk && !slices.Contains(c.op.Ignored, name) && !xmlscan.Carries(c.param(name)) {
			return answer.Invalid("%s contains a character that XML cannot carry.", name)
		}
	}
	return nil
}
