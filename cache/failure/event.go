package failure

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Event is one failed operation.
type Event struct {
	Time    time.Time
	Op      string // what the user did: mkdir, rename, write, upload …
	Path    string // relative to the mount point, without a slash at either end
	To      string // of a rename: the path that was to be the new one, "" otherwise
	ID      int64  // id of the node or file, 0 if there is none
	Errno   string // EEXIST
	Code    string // the service's result code, "" if there is none
	Message string // for people; the service's own message if it sent one
	Request uint64 // number of the request in the log, 0 if none was sent

	Mended time.Time // when a later operation on the path succeeded, zero if none has
}

const timeLayout = "2006-01-02T15:04:05.000Z"

// String returns the event as one line without a line end, of fields separated by one
// space:
//
//	TIME OP PATH ERRNO [to=PATH] [code=CODE] [id=ID] [request=NUMBER] [fixed=TIME] MESSAGE
//	2026-12-01T09:30:00.000Z mkdir "papers/Spring sale" EEXIST code=ERROR id=12 request=7 "The URL is taken."
//
// The time is UTC. MESSAGE is always quoted. OP, the paths, ERRNO and CODE are quoted if they
// are empty or contain a space, a quote, a backslash, an equals sign or an unprintable
// character. The quoting is Go's, so the line contains no tabs or line ends. Parse parses
// it.
func (e Event) String() string {
	var b strings.Builder
	b.WriteString(e.Time.UTC().Format(timeLayout))
	for _, word := range []string{e.Op, e.Path, e.Errno} {
		b.WriteByte(' ')
		b.WriteString(quoteIfNeeded(word))
	}
	if e.To != "" {
		b.WriteString(" to=" + quoteIfNeeded(e.To))
	}
	if e.Code != "" {
		b.WriteString(" code=" + quoteIfNeeded(e.Code))
	}
	if e.ID != 0 {
		b.WriteString(" id=" + strconv.FormatInt(e.ID, 10))
	}
	if e.Request != 0 {
		b.WriteString(" request=" + strconv.FormatUint(e.Request, 10))
	}
	if !e.Mended.IsZero() {
		b.WriteString(" fixed=" + e.Mended.UTC().Format(timeLayout))
	}
	b.WriteString(" " + strconv.Quote(e.Message))
	return b.String()
}

func quoteIfNeeded(s string) string {
	if s == "" || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
		return r == ' ' || r == '"' || r == '\\' || r == '=' || !unicode.IsPrint(r)
	}) {
		return strconv.Quote(s)
	}
	return s
}

var errLine = errors.New("not a line of the list of failures")

// Parse is the inverse of String; times are in UTC to the millisecond.
func Parse(line string) (Event, error) {
	var e Event
	first, rest, _ := strings.Cut(line, " ")
	at, err := time.Parse(timeLayout, first)
	if err != nil {
		return Event{}, errLine
	}
	e.Time = at
	for _, word := range []*string{&e.Op, &e.Path, &e.Errno} {
		if *word, rest, err = cutWord(rest); err != nil {
			return Event{}, err
		}
	}
	for !strings.HasPrefix(rest, `"`) {
		if rest, err = e.parseField(rest); err != nil {
			return Event{}, err
		}
	}
	if e.Message, err = strconv.Unquote(rest); err != nil {
		return Event{}, errLine
	}
	return e, nil
}

func (e *Event) parseField(line string) (rest string, err error) {
	key, value, _ := strings.Cut(line, "=")
	if value, rest, err = cutWord(value); err != nil {
		return "", err
	}
	switch key {
	case "to":
		e.To = value
	case "code":
		e.Code = value
	case "id":
		e.ID, err = strconv.ParseInt(value, 10, 64)
	case "request":
		e.Request, err = strconv.ParseUint(value, 10, 64)
	case "fixed":
		e.Mended, err = time.Parse(timeLayout, value)
	default:
		err = fmt.Errorf("%w: unknown field %q", errLine, key)
	}
	return rest, err
}

// cutWord cuts one word, quoted or not, and the space after it.
func cutWord(line string) (word, rest string, err error) {
	if !strings.HasPrefix(line, `"`) {
		word, rest, found := strings.Cut(line, " ")
		if !found || word == "" {
			return "", "", errLine
		}
		return word, rest, nil
	}
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return "", "", errLine
	}
	if word, err = strconv.Unquote(quoted); err != nil {
		return "", "", errLine
	}
	rest, found := strings.CutPrefix(line[len(quoted):], " ")
	if !found {
		return "", "", errLine
	}
	return word, rest, nil
}
