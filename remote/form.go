package remote

import "unicode/utf8"

const upperHex = "0123456789ABCDEF"

// unreserved are the bytes that need no escape in a form body.
var unreserved = func() (t [utf8.RuneSelf * 2]bool) {
	for b := range t {
		t[b] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' ||
			b == '-' || b == '_' || b == '.' || b == '~'
	}
	return t
}()

// appendPair appends name=value to a form body.
func appendPair(body []byte, name, value string) []byte {
	if len(body) > 0 {
		body = append(body, '&')
	}
	body = append(body, name...)
	body = append(body, '=')
	return appendEscaped(body, value)
}

// appendEscaped appends value in application/x-www-form-urlencoded form.
func appendEscaped[T string | []byte](body []byte, value T) []byte {
	for {
		n := 0
		for n < len(value) && unreserved[value[n]] {
			n++
		}
		body = append(body, value[:n]...)
		if n == len(value) {
			return body
		}
		if c := value[n]; c == ' ' {
			body = append(body, '+')
		} else {
			body = append(body, '%', upperHex[c>>4], upperHex[c&15])
		}
		value = value[n+1:]
	}
}

// form returns the body of a call of op. The credentials come first, so that a service
// can check them before anything else, then the parameters in the table's order, and own: names and
// values of further ones. A bulk parameter comes last; the caller streams it.
func (c *Client) form(op *Operation, params, own []string) []byte {
	body := make([]byte, 0, 256)
	pairs := []Pair{op.Pair}
	if op.Extended {
		pairs = []Pair{PL, Plain}
	}
	for _, pair := range pairs {
		body = appendPair(body, pair.Username, c.username)
		body = appendPair(body, pair.Password, c.password)
	}
	for i, name := range op.Params {
		if name != op.Bulk {
			body = appendPair(body, name, params[i])
		}
	}
	for i := 0; i < len(own); i += 2 {
		body = appendPair(body, own[i], own[i+1])
	}
	if op.Bulk != "" {
		body = appendPair(body, op.Bulk, "")
	}
	return body
}
