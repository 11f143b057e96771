package view

import "strings"

// Policy is the Content-Security-Policy of a page: files of this host and
// nothing else, but for the origin that its forms may be sent to ("" for none).
// Shops may show a page in a frame.
func Policy(export string) string {
	return strings.Replace(policy, "form-action 'self'", strings.TrimSpace("form-action 'self' "+export), 1)
}

const policy = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
