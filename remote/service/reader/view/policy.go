package view

import "strings"

// Policy returns the Content-Security-Policy of a page. It allows only this host, and the
// origin export as a target of forms ("" for none). It does not restrict frame-ancestors:
// shops may embed a page in a frame.
func Policy(export string) string {
	return strings.Replace(policy, "form-action 'self'", strings.TrimSpace("form-action 'self' "+export), 1)
}

const policy = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
