package mounttest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote/testrun"
)

// TestAModeIsKept checks that the umask applies only to nodes without their own mode.
func TestAModeIsKept(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	testrun.Program(t, "rsync")
	m.sh(`mkdir -m 2775 ../s ../s/d; echo x > ../s/d/f; echo y > ../s/g; chmod 664 ../s/d/f; chmod 606 ../s/g; rsync -a ../s/ media/s/ && rsync -a ../s/ media/.s/`)
	assert.Empty(t, m.sh(`rsync -ai ../s/ media/s/; rsync -ai ../s/ media/.s/`))
	assert.Equal(t, "664 606", m.sh(`stat -c %a media/s/d/f media/s/g | tr '\n' ' '`)[:7])
	m.sh(`chmod 0 media/s/g media/.s/g; chmod 700 media/s`)
	assert.Equal(t, "0\n0\n2700", m.sh(`stat -c %a media/s/g media/.s/g media/s`))
	m.remount("--umask", "077")
	assert.Equal(t, "0\n0\n2700\n664\n700\n700", m.sh(`stat -c %a media/s/g media/.s/g media/s media/s/d/f media papers`))
	m.forgetState()
	m.start("--umask", "027")
	assert.Equal(t, "640\n750", m.sh(`stat -c %a media/s/g media/s`))
}

func TestALookUpOfTooLongAName(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls papers media; mkdir papers/P.paper media/.s`)
	long := strings.Repeat("n", 256)
	for _, dir := range []string{".", "papers", "papers/P.paper", "papers/.search/content", "media", "media/.s", "by-id", "by-url", "jobs", ".paperfs/failed"} {
		assert.Contains(t, m.fails(`stat `+dir+`/`+long), "File name too long", dir)
	}
	assert.NotContains(t, m.fails(`stat media/`+long[1:]), "too long")
}

// TestAWriteTakesTheSetuidBit checks that a write by a user other than root clears the set-user-ID and
// set-group-ID bits.
func TestAWriteTakesTheSetuidBit(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs another user")
	}
	m := newMount(t, "--allow-other")
	for _, file := range []string{"media/f", "media/.f"} {
		for _, flags := range []string{"O_WRONLY", "O_RDWR"} {
			m.sh(`echo content > ` + file + `; chmod 6777 ` + file + `; test $(stat -c %a ` + file + `) = 6777; python3 - <<'END'
import os
d = os.open(os.path.dirname("` + file + `"), os.O_RDONLY)
os.setgroups([]); os.setgid(65534); os.setuid(65534)
f = os.open(os.path.basename("` + file + `"), os.` + flags + `, dir_fd=d)
os.write(f, b"x")
os.close(f)
END`)
			m.eventually(`test "$(stat -c %a ` + file + `)" = 777`)
		}
	}
	assert.Equal(t, "6777", m.sh(`chmod 6777 media/.f; echo x >> media/.f; stat -c %a media/.f`), "a write by root keeps the bits")
}

func TestATruncationBeyondWhatAFileCanBe(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls media; echo x > media/f; mkdir media/.s; echo x > media/.s/f`)
	for _, file := range []string{"media/f", "media/.s/f"} {
		for _, size := range []string{"999999999999999", "9223372036854775807"} {
			assert.Contains(t, m.fails(`truncate -s `+size+` `+file), "File too large")
		}
		assert.Equal(t, "2", m.sh(`stat -c %s `+file))
	}
}

func TestADirectoryCountsItsSubdirectories(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	links := func() string { return m.sh(`stat -c %h media/.s`) }
	m.sh(`ls media; mkdir media/.s`)
	assert.Equal(t, "2", links())
	m.sh(`mkdir media/.s/a media/.s/b; touch media/.s/f; mkdir media/.t`)
	assert.Equal(t, "4", links())
	m.sh(`mv media/.s/a media/.t/; rmdir media/.s/b`)
	assert.Equal(t, "2", links())
	assert.Equal(t, "3", m.sh(`stat -c %h media/.t`))
	m.remount()
	assert.Equal(t, "3", m.sh(`stat -c %h media/.t`))
}
