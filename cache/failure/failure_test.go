package failure

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEventAsLine(t *testing.T) {
	at := time.Date(2026, 12, 1, 10, 30, 0, 0, time.FixedZone("", 3600))
	require.Equal(t,
		`2026-12-01T09:30:00.000Z mkdir "papers/Spring sale" EEXIST code=ERROR id=12 request=7 "The URL is taken."`,
		Event{Time: at, Op: "mkdir", Path: "papers/Spring sale", ID: 12, Errno: "EEXIST", Code: "ERROR", Message: "The URL is taken.", Request: 7}.String())
	require.Equal(t,
		`2026-12-01T09:30:00.000Z write media/日本.svg ENOSPC "say \"when\"\tand\nwhere"`,
		Event{Time: at, Op: "write", Path: "media/日本.svg", Errno: "ENOSPC", Message: "say \"when\"\tand\nwhere"}.String())
	require.Equal(t, `2026-12-01T09:30:00.000Z connect "" EHOSTDOWN ""`,
		Event{Time: at, Op: "connect", Errno: "EHOSTDOWN"}.String())
}

func TestLineLeadsBackToTheEvent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		e := Event{
			Time: time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "time")).UTC(),
			Op:   text.Draw(t, "op"), Path: text.Draw(t, "path"), Errno: text.Draw(t, "errno"),
			ID: rapid.Int64().Draw(t, "id"), To: text.Draw(t, "to"), Code: text.Draw(t, "code"), Message: text.Draw(t, "message"),
			Request: rapid.Uint64().Draw(t, "request"),
		}
		if rapid.Bool().Draw(t, "mended") {
			e.Mended = e.Time.Add(time.Second)
		}
		line := e.String()
		require.NotContains(t, line, "\n")
		require.NotContains(t, line, "\t")
		back, err := Parse(line)
		require.NoError(t, err, line)
		require.Equal(t, e, back)
	})
}

func FuzzParse(f *testing.F) {
	f.Add(`2026-12-01T09:30:00.000Z mkdir "a b" EEXIST code=ERROR id=12 request=7 "x"`)
	f.Fuzz(func(t *testing.T, line string) {
		if e, err := Parse(line); err == nil {
			again, err := Parse(e.String())
			require.NoError(t, err)
			require.Equal(t, e, again)
		}
	})
}

func TestParseRefusesOtherLines(t *testing.T) {
	for _, line := range []string{
		"", "hello", "2026-12-01T09:30:00.000Z", "2026-12-01T09:30:00.000Z a b c",
		`2026-12-01T09:30:00.000Z a b c size=1 "x"`, `2026-12-01T09:30:00.000Z a b c id=x "x"`,
		`2026-12-01T09:30:00.000Z a b c "x`, `2026-12-01T09:30:00.000Z a "b"c d "x"`,
	} {
		_, err := Parse(line)
		require.Error(t, err, line)
	}
}

func TestLogKeepsTheLast(t *testing.T) {
	var out bytes.Buffer
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	l := New(slog.New(slog.NewTextHandler(&out, nil)), func() time.Time { return at })
	require.Empty(t, l.Events())
	for i := range 1203 {
		l.Report(Event{Op: "write", Path: fmt.Sprint("p", i%10), Errno: "EIO", Message: fmt.Sprint(i), Request: uint64(i)})
	}
	require.EqualValues(t, 1203, l.Count())
	events := l.Events()
	require.Len(t, events, 500)
	for i, e := range events {
		require.EqualValues(t, 703+i, e.Request)
	}
	last, ok := l.Last("p7")
	require.True(t, ok)
	require.EqualValues(t, 1197, last.Request)
	require.Equal(t, at, last.Time)
	_, ok = l.Last("p")
	require.False(t, ok)
	require.Equal(t, 1203, strings.Count(out.String(), "\n"))
}

func TestASuccessIsNotedWithTheFailuresBefore(t *testing.T) {
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	l := New(nil, func() time.Time { return at })
	l.Succeeded("write", "p", at)
	l.Report(Event{Op: "write", Path: "p", Errno: "EIO"})
	l.Report(Event{Op: "write", Path: "q", Errno: "EIO"})
	l.Report(Event{Op: "read", Path: "p", Errno: "EIO"})
	l.Succeeded("read", "p", at.Add(time.Millisecond)) // what the write should have done is not done
	l.Succeeded("write", "p", at.Add(time.Second))
	l.Succeeded("write", "p", at.Add(time.Minute))
	l.Report(Event{Op: "write", Path: "p", Errno: "EIO"})
	var mended []time.Time
	for _, e := range l.Events() {
		mended = append(mended, e.Mended)
	}
	require.Equal(t, []time.Time{at.Add(time.Second), {}, at.Add(time.Millisecond), {}}, mended)
}

// TestAnEqualFailureOfAPathIsTheSame checks that what is told again soon is one line and one entry, with the later time,
// whatever fails between.
func TestAnEqualFailureOfAPathIsTheSame(t *testing.T) {
	var out bytes.Buffer
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	l := New(slog.New(slog.NewTextHandler(&out, nil)), func() time.Time { return at })
	for i := range 50 {
		at = at.Add(again - 1)
		l.Report(Event{Op: "rm", Path: "p", Errno: "EPERM", Request: uint64(i)})
		l.Report(Event{Op: "rm", Path: "q", Errno: "EPERM"})
	}
	require.EqualValues(t, 2, l.Count())
	require.Equal(t, 2, strings.Count(out.String(), "\n"))
	last, _ := l.Last("p")
	require.Equal(t, at, last.Time)
	l.Report(Event{Op: "rm", Path: "p", To: "r", Errno: "EPERM"})
	l.Report(Event{Op: "rm", Path: "p", Errno: "EPERM"})
	l.Succeeded("rm", "p", at)
	l.Report(Event{Op: "rm", Path: "p", Errno: "EPERM"})
	at = at.Add(again)
	l.Report(Event{Op: "rm", Path: "p", Errno: "EPERM"})
	require.EqualValues(t, 6, l.Count())
}

func TestReportersAtTheSameTime(t *testing.T) {
	l := New(nil, nil)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i := range 200 {
				l.Report(Event{Path: "p", Message: fmt.Sprint(n, i)})
				l.Last("p")
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1600, l.Count())
	require.Len(t, l.Events(), 500)
}

// TestALongMessage checks that the log and the list keep both ends of a long message, which
// contain the reason.
func TestALongMessage(t *testing.T) {
	var text bytes.Buffer
	l := New(slog.New(slog.NewTextHandler(&text, nil)), nil)
	l.Report(Event{Op: "write", Path: "url", Message: "invalid value: " + strings.Repeat("é", 100_000) + " is longer than 4000 characters"})
	last, ok := l.Last("url")
	require.True(t, ok)
	for _, told := range []string{last.Message, text.String()} {
		require.Less(t, len(told), 2500)
		require.Contains(t, told, "invalid value: éé")
		require.Contains(t, told, "éé is longer than 4000 characters")
	}
	require.True(t, utf8.ValidString(last.Message))
	l.Report(Event{Op: "write", Path: "short", Message: strings.Repeat("x", 2000)})
	last, _ = l.Last("short")
	require.Equal(t, strings.Repeat("x", 2000), last.Message)
}
