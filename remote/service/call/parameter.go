package call

import (
	"fmt"
	"net/http"
	"slices"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
	"paperfs/remote/xmlscan"
)

// ID reads a parameter that names a record: 1 to 2147483647.
func (c *Call) ID(name string) (int64, error) { return c.Integer(name, 1, store.MaxID) }

// Integer reads a parameter of digits only, leading zeros allowed.
func (c *Call) Integer(name string, least, most int64) (int64, error) {
	v, ok := rules.IDOrZero(c.Param(name))
	if !ok || v < least || v > most {
		return 0, answer.Invalid("%s has to be a number from %d to %d.", name, least, most)
	}
	return v, nil
}

// Boolean reads a parameter that may be empty for its default.
func (c *Call) Boolean(name string, byDefault bool) (bool, error) {
	v, ok := rules.Bool(c.Param(name), byDefault)
	if !ok {
		return false, answer.Invalid("%s has to be true or false.", name)
	}
	return v, nil
}

func (c *Call) has(name string) bool {
	if name == c.op.Bulk {
		present, _ := c.Form.Bulk()
		return present
	}
	_, present := c.Form.Get(name)
	return present
}

func (c *Call) hasPair(p remote.Pair) bool { return c.has(p.Username) && c.has(p.Password) }

// pairSeen finds the credentials among the parameters that have arrived.
func (c *Call) pairSeen() (remote.Pair, bool) {
	if c.signedIn != nil {
		return remote.Pair{}, c.tokenSeen()
	}
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
func (c *Call) checkPresence() (remote.Pair, error) {
	if c.signedIn != nil {
		return remote.Pair{}, c.checkParams(c.op.Params)
	}
	pair := c.op.Pair
	if c.op.Extended && !c.hasPair(pair) {
		for _, other := range []remote.Pair{remote.PL, remote.Plain} {
			if c.hasPair(other) {
				pair = other
			}
		}
	}
	if c.SOAP != nil { // an absent element is a null, which counts as empty
		return pair, nil
	}
	return pair, c.checkParams(append([]string{pair.Username, pair.Password}, c.op.Params...))
}

func (c *Call) checkParams(names []string) error {
	for _, name := range names {
		if !c.has(name) && !slices.Contains(c.op.Optional, name) {
			return &answer.Failure{Status: http.StatusInternalServerError, Line: fmt.Sprintf("Missing parameter: %s.", name)}
		}
	}
	return nil
}

// Malformed returns the refusal of a body that is not as multipart/form-data has to be; nil if it is.
func (c *Call) Malformed() error {
	if err := c.Form.Malformed(); err != nil {
		return answer.Invalid("The multipart/form-data is malformed: %v.", err)
	}
	return nil
}

// params returns the parameters that this service knows, without those of the credentials.
func (c *Call) params() []string { return c.Service.Documented(c.op).All() }

// names returns the parameters that are text.
func (c *Call) names() []string {
	names := append([]string{remote.PL.Username, remote.PL.Password, remote.Plain.Username, remote.Plain.Password}, c.params()...)
	if c.signedIn != nil {
		names = append(names, TokenField, BackField)
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == c.op.Bulk })
}

// checkText refuses characters that XML cannot carry, except in ignored parameters: an
// answer never contains those.
func (c *Call) checkText() error {
	for _, name := range c.params() {
		if name != c.op.Bulk && !slices.Contains(c.op.Ignored, name) && !xmlscan.Carries(c.Param(name)) {
			return answer.Invalid("%s contains a character that XML cannot carry.", name)
		}
	}
	return nil
}
