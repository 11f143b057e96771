package apitest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
)

// TestTooManyRequestsDuringMaintenance checks that a caller who asks too often is told so during a
// maintenance window, too, whether the service remembers it or not, whatever it asks for.
func TestTooManyRequestsDuringMaintenance(t *testing.T) {
	t.Parallel()
	for name, remembered := range map[string]bool{"remembered": true, "not remembered": false} {
		for kind, call := range map[string]func(c *server) reply{
			"a change":             func(c *server) reply { return c.call(remote.CreateDirectory, "parentID", "0", "name", "d") },
			"a change that is bad": func(c *server) reply { return c.call(remote.CreateDirectory, "parentID", "x", "name", "d") },
			"an upload": func(c *server) reply {
				return c.call(remote.UploadFile, "parentID", "0", "name", "n", "base64File", "aGk=")
			},
			"an upload that is bad": func(c *server) reply {
				return c.call(remote.UploadFile, "parentID", "0", "name", "n", "base64File", "*")
			},
			"some fields": func(c *server) reply {
				return c.call(remote.SetMultipleCustomFieldValues, "paperID", "1", "fieldsXml", "<fields/>")
			},
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				s := start(t, func(o *service.Options) { o.RPM = 2 })
				if remembered {
					s.must(remote.GetTree)
				} else {
					require.NoError(t, s.admin().SetReadOnly(true))
					s.fails(remote.ReadOnly, remote.CreateDirectory, "parentID", "0", "name", "d")
				}
				require.NoError(t, s.admin().SetReadOnly(true))
				require.Equal(t, remote.ReadOnly, call(s).code)
				r := call(s)
				require.Equal(t, http.StatusTooManyRequests, r.status, r.body)
				require.NotEmpty(t, r.header.Get("Retry-After"))
			})
		}
	}
}
