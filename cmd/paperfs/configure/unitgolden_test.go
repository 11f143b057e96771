package configure

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var record = flag.Bool("record", false, "write the units of TestUnitsAreAsRecorded to testdata")

// TestUnitsAreAsRecorded compares units with those in testdata. If a change is meant, record them:
// go test ./cmd/paperfs/configure -run Recorded -record
func TestUnitsAreAsRecorded(t *testing.T) {
	mount := unit{Name: "paperfs-acme", Description: "paperfs: 50% of\nacme", Manual: "paperfs-mount(1)", User: "me", Command: []string{"/usr/bin/paperfs", "mount", "acme", "/srv/my papers"}}
	serve := unit{Name: "paperfs-serve", Description: "paperfs: the service", Manual: "paperfs-serve(1)", User: "me", Command: []string{"/usr/bin/paperfs", "serve"}, Serve: true, Secrets: "/etc/paperfs/node.env"}
	for _, u := range []unit{mount, serve} {
		for _, forUser := range []bool{false, true} {
			name := u.Name
			if u.UserManager = forUser; forUser {
				u.User, name = "", name+"-user"
			}
			file := filepath.Join("testdata", name+".service")
			if *record {
				require.NoError(t, os.WriteFile(file, []byte(u.text()), 0o600))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), u.text(), name)
		}
	}
}
