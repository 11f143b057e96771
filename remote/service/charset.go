package service

import (
	"fmt"
	"net/http"
	"strings"

	"paperfs/remote/service/fault"
)

// charsets returns every charset that a request's Content-Type names, in lower case. It
// also reads malformed and repeated headers: if it overlooked a charset there, the
// service would misread the text.
func charsets(h http.Header) (all []string) {
	for _, part := range strings.FieldsFunc(strings.Join(h.Values("Content-Type"), ";"), func(r rune) bool { return r == ';' || r == ',' }) {
		name, value, _ := strings.Cut(part, "=")
		// A charset never has the form name*=UTF-8''VALUE or name*0=: its value is refused.
		name, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), "*")
		if name == "charset" {
			all = append(all, strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`)))
		}
	}
	return all
}

func wrongCharset(charset, right string) error {
	return &fault.Failure{Status: http.StatusUnsupportedMediaType, Line: fmt.Sprintf("The charset %s is not accepted: send %s.", nameText(charset), right)}
}
