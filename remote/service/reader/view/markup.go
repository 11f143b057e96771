package view

import (
	"fmt"
	"strconv"
)

// markup is HTML written by code instead of a template, for speed. It escapes as html/template
// does.
type markup []byte

// add adds HTML.
func (m *markup) add(parts ...string) {
	for _, p := range parts {
		*m = append(*m, p...)
	}
}

func (m *markup) number(n int) { *m = strconv.AppendInt(*m, int64(n), 10) }

// text adds foreign text, escaped for use between elements and in quoted attributes.
func (m *markup) text(s string) {
	from := 0
	for i := range len(s) {
		if instead := escapes[s[i]]; instead != "" {
			*m = append(append(*m, s[from:i]...), instead...)
			from = i + 1
		}
	}
	*m = append(*m, s[from:]...)
}

var escapes = [256]string{0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;"}

// address adds an address as a quoted attribute. The caller has checked its scheme. Bytes that
// are invalid in an address are percent-encoded.
func (m *markup) address(s string) {
	from := 0
	for i := range len(s) {
		if inAddress[s[i]] && (s[i] != '%' || i+2 < len(s) && hexDigit[s[i+1]] && hexDigit[s[i+2]]) {
			continue
		}
		m.text(s[from:i])
		*m = fmt.Appendf(*m, "%%%02x", s[i])
		from = i + 1
	}
	m.text(s[from:])
}

var (
	inAddress = set("%!#$&*+,/:;=?@[]-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	hexDigit  = set("0123456789abcdefABCDEF")
)

func set(of string) (all [256]bool) {
	for i := range len(of) {
		all[of[i]] = true
	}
	return all
}
