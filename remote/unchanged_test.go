package remote

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// trees calls both operations that support validators.
var trees = map[string]func(c *Client, known Validator) (Validator, error){
	"GetAllPapers": func(c *Client, known Validator) (Validator, error) {
		return c.GetAllPapersIfChanged(ctx, 1, known, func(Node) error { return nil })
	},
	"GetTree": func(c *Client, known Validator) (Validator, error) {
		_, now, err := c.GetTreeIfChanged(ctx, known)
		return now, err
	},
}

const noTree = `<category id="1" name="r" url="/"/>`

func TestUnchangedTrees(t *testing.T) {
	t.Parallel()
	for name, ask := range trees {
		t.Run(name, func(t *testing.T) {
			var seen []http.Header
			s, c := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
				seen = append(seen, r.Header)
				switch n {
				case 0, 4:
					w.Header().Set("ETag", `W/"a"`)
				case 1:
					w.Header().Set("ETag", `"a"`)
					w.WriteHeader(http.StatusPreconditionFailed)
				case 2:
					w.WriteHeader(http.StatusNotModified)
				case 3: // the ETag of another tree: the client asks again without a validator
					w.Header().Set("ETag", `W/"b"`)
					w.WriteHeader(http.StatusPreconditionFailed)
				}
				if n == 0 || n > 3 {
					_, _ = w.Write([]byte(result(Success, noTree)))
				}
			})
			tag, err := ask(c, "")
			require.NoError(t, err)
			require.Equal(t, Validator(`W/"a"`), tag)
			for range 2 {
				tag, err = ask(c, tag)
				require.ErrorIs(t, err, ErrUnchanged)
				require.Equal(t, Validator(`W/"a"`), tag)
			}
			tag = testrun.Must(ask(c, tag))(t)
			require.Equal(t, Validator(`W/"a"`), tag)
			tag = testrun.Must(ask(c, tag))(t)
			require.Empty(t, tag, "the service supports no validators")
			for n, known := range []string{"", `W/"a"`, `W/"a"`, `W/"a"`, "", `W/"a"`} {
				require.Equal(t, known, seen[n].Get("If-None-Match"), n)
				require.Equal(t, known != "", seen[n].Get("Prefer") == "unchanged=412", n)
			}
			require.Len(t, seen, 6)
			require.EqualValues(t, 1, c.Stats().Operations[name].Failures, "the failure that was about another tree")
			require.Contains(t, s.log.String(), "status=412")
		})
	}
}

// TestNoConfirmation checks that a 304 or 412 that confirms nothing is a failure, even if no
// validator was sent.
func TestNoConfirmation(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotModified, http.StatusPreconditionFailed} {
		for _, ask := range trees {
			requests := 0
			_, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				requests++
				w.Header().Set("ETag", `W/"b"`)
				w.WriteHeader(status)
			})
			for _, known := range []Validator{"", `W/"a"`} {
				tag, err := ask(c, known)
				require.Equal(t, status, fails(t, err, Status).Status)
				require.Empty(t, tag)
			}
			require.Equal(t, 3, requests)
		}
	}
	require.Empty(t, validatorOf(http.Header{"Etag": {strings.Repeat("x", maxValidator+1)}}))
}

// TestFailuresHaveNoValidator checks that a failed call returns no validator, whatever its
// headers.
func TestFailuresHaveNoValidator(t *testing.T) {
	t.Parallel()
	for _, ask := range trees {
		_, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `W/"a"`)
			_, _ = w.Write([]byte(result(PaperDoesNotExist, "")))
		})
		tag, err := ask(c, `W/"x"`)
		fails(t, err, Refused)
		require.Empty(t, tag)
	}
}
