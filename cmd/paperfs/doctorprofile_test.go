package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/doctor"
	"paperfs/remote"
	"paperfs/remote/service/servicetest"
)

// TestDoctorOfAMountTakesItsProfile checks that doctor finds the profile of a mount by service and
// user name, and sends no other profile's password.
func TestDoctorOfAMountTakesItsProfile(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	e := newEnvironment(t)
	profiles := func(username, more string) {
		e.profiles(fmt.Sprintf("[a]\nurl = 'https://a.example'\n\n[b]\nurl = %q\nusername = 'another'\npassword = 'wrong'\n\n[c]\nurl = %q\nusername = %q\n%s\n",
			proxy.URL, proxy.URL, username, more))
	}
	profiles(f.Username, "password = '"+f.Password+"'")
	e.detachLater()
	e.start("mount", "--root-url", "/", "c", e.path("ipaper")).says("paperfs: mounted ")
	e.must("ls papers") // from now on, the mount knows its root's address
	credentials := func() doctor.Finding {
		t.Helper()
		return e.doctor(e.path("ipaper"))("credentials")[0]
	}
	profiles(f.Username, "password = '"+f.Password+"'\nroot_url = '/none/'") // the profile has another root than the mount
	require.Equal(t, doctor.Finding{Check: "credentials", Level: doctor.OK, Says: "accepted; the root is /"}, credentials())

	profiles(f.Username, "password = 'wrong'")
	found := credentials()
	require.Equal(t, doctor.Failure, found.Level)
	require.Contains(t, found.Mend, "Check username of profile c (")

	asked := proxy.Count(remote.GetPaperIDFromUrl)
	profiles(f.Username, "")
	require.Equal(t, "Run in a terminal, which asks for the password: paperfs doctor c", credentials().Mend)
	profiles("somebody", "password = 'wrong'")
	require.Equal(t, "If it was mounted from profile b, run: paperfs doctor b", credentials().Mend)
	require.Equal(t, asked, proxy.Count(remote.GetPaperIDFromUrl), "no password was sent")

	profiles(f.Username, "tree_tl = '5m'")
	require.Contains(t, e.doctor(e.path("ipaper"))("settings")[0].Says, "there is no such setting: did you mean tree_ttl?")
}
