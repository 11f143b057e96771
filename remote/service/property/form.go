package property

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/rules"
)

// form checks a value beyond its type, and describes valid values.
type form struct {
	words   string
	check   func(text string) bool
	choices []string // all values, or all parts of one
}

func pattern(words, expression string) form {
	r := rules.Pattern(expression)
	return form{words: words, check: func(text string) bool { return r().MatchString(text) }}
}

func oneOf(values ...string) form {
	return form{"one of " + strings.Join(values, ", "), func(text string) bool { return slices.Contains(values, text) }, values}
}

func between(least, most int) form {
	return form{words: "from " + strconv.Itoa(least) + " to " + strconv.Itoa(most), check: func(text string) bool {
		n, err := strconv.Atoi(text)
		return err == nil && n >= least && n <= most
	}}
}

// Values of these settings appear in the markup of pages.
var (
	languageTag = pattern("empty or a language such as en or de-CH", `^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$`)
	accent      = pattern("empty or a colour such as #0b57d0", `^(#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6})?$`)
	color       = pattern("empty, the name of a colour, or #rrggbb", `^(#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[A-Za-z]{1,30})?$`)
)

// Texts that people read.
var (
	title       = pattern("empty, or up to 100 characters in one line", `^\P{C}{0,100}$`)
	description = pattern("empty, or up to 300 characters in one line", `^\P{C}{0,300}$`)
)

// picture is the path of a picture in the media library. Whether there is such a file is not part of the form.
var picture = pattern("empty, or the path in the media library of a picture that ends in .png, .jpg, .jpeg, .gif, .webp, .svg or .ico", `(?i)^(\P{C}{1,500}\.(png|jpe?g|gif|webp|svg|ico))?$`)

// Settings that a reader's browser uses to pass on an order. Each is part of an address; the host
// of the export also appears in the page's Content-Security-Policy.
var (
	email     = pattern("empty or an e-mail address", `^([A-Za-z0-9.!#$*+/=^_{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?)?$`)
	phone     = pattern("empty or a telephone number such as +45 70 20 30 40", `^(\+?[0-9][0-9 ()./-]{2,30})?$`)
	currency  = pattern("empty, or up to 8 letters or signs such as EUR or €", `^[\p{L}\p{Sc}.]{0,8}$`)
	exportURL = form{words: "empty or an address that begins with https://", check: isExport}
	checkouts = form{"empty, or some of " + strings.Join(rules.CheckoutTypes, ", ") + ", each once, with blanks between them", areCheckouts, rules.CheckoutTypes}
)

// mediaHosts appear in the Content-Security-Policy of pages, which is a header: few.
var mediaHosts = form{words: "empty, or up to ten names of hosts in lower case such as cdn.shop.example, with blanks between them", check: func(text string) bool {
	all := strings.Fields(text)
	return len(all) <= 10 && text == strings.ToLower(text) && !slices.ContainsFunc(all, func(host string) bool { return !hostName().MatchString(host) })
}}

var hostName = rules.Pattern(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(:[0-9]{1,5})?$`)

func isExport(text string) bool {
	if text == "" {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && len(text) <= 1000 && u.Scheme == "https" && u.User == nil && u.Fragment == "" && hostName().MatchString(u.Host)
}

func areCheckouts(text string) bool {
	types := strings.Fields(text)
	for i, kind := range types {
		if !slices.Contains(rules.CheckoutTypes, kind) || slices.Contains(types[:i], kind) {
			return false
		}
	}
	return true
}

// Accepts returns a value in its canonical form; false if it is not valid for the setting.
func (s Setting) Accepts(text string) (string, bool) {
	text, ok := rules.Typed(s.Type, text)
	if !ok || s.form.check == nil {
		return text, ok
	}
	return text, s.form.check(text)
}

// Choices are the values that there are, or the parts of which a value is some; nil for others.
func (s Setting) Choices() []string { return s.form.choices }

// Form describes valid values.
func (s Setting) Form() string {
	if s.form.words == "" {
		return "of the type " + s.Type
	}
	return s.form.words
}
