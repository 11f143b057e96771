package property

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/rules"
)

// form checks a value beyond its type, and says what it has to be.
type form struct {
	words string
	check func(text string) bool
}

func pattern(words, expression string) form {
	r := regexp.MustCompile(expression)
	return form{words, r.MatchString}
}

func oneOf(values ...string) form {
	return form{"one of " + strings.Join(values, ", "), func(text string) bool { return slices.Contains(values, text) }}
}

func between(least, most int) form {
	return form{"from " + strconv.Itoa(least) + " to " + strconv.Itoa(most), func(text string) bool {
		n, err := strconv.Atoi(text)
		return err == nil && n >= least && n <= most
	}}
}

// Values of these stand in the markup of a page.
var (
	languageTag = pattern("empty or a language such as en or de-CH", `^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$`)
	color       = pattern("empty, the name of a colour, or #rrggbb", `^(#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[A-Za-z]{1,30})?$`)
)

// Accepts returns a value in the form in which it is kept; false where it does
// not fit the setting.
func (s Setting) Accepts(text string) (string, bool) {
	text, ok := rules.Typed(s.Type, text)
	if !ok || s.form.check == nil {
		return text, ok
	}
	return text, s.form.check(text)
}

// Form says what a value has to be.
func (s Setting) Form() string {
	if s.form.words == "" {
		return "of the type " + s.Type
	}
	return s.form.words
}
