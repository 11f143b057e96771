package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAFullDiskOfTheStateChangesNothing checks that, while the state's disk is full, mkdir and mv
// report it and have no effect, even after the next mount, and that rm still works. Once there is
// free space, mkdir and mv work again.
func TestAFullDiskOfTheStateChangesNothing(t *testing.T) {
	t.Parallel()
	for name, prefix := range map[string]string{"queued": "d", "local": ".d"} {
		t.Run(name, func(t *testing.T) {
			m, fill, free := onSmallDisk(t, writeBack)
			m.sh(`ls`)
			m.proxy.Down()
			m.sh(`mkdir ` + prefix + `; touch ` + prefix + `-file`)
			fill()
			// Repeat until the spare space of the database's log, and the ballast, are used up.
			said := m.fails(`python3 -c 'import os, sys
for i in range(1, 100000):
    try: os.mkdir(f"` + prefix + `/{i}")
    except OSError as e:
        open("../stopped", "w").write(str(i))
        sys.exit(e.strerror)'`)
			require.Contains(t, said, "No space left on device")
			shown := m.sh(`ls -A | sort; ls ` + prefix + ` | sort -n`)
			require.NotContains(t, m.sh(`ls `+prefix), m.sh(`cat ../stopped`))
			for _, gesture := range []string{`mkdir ` + prefix + `2`, `mv ` + prefix + `/1 ` + prefix + `/one`, `mv ` + prefix + `-file ` + prefix + `/file`} {
				require.Contains(t, m.fails(gesture), "No space left on device")
				require.Equal(t, shown, m.sh(`ls -A | sort; ls `+prefix+` | sort -n`))
			}
			m.sh(`rmdir ` + prefix + `/2; rm ` + prefix + `-file; test ! -e ` + prefix + `/2; test ! -e ` + prefix + `-file`)
			free()
			m.sh(`mkdir ` + prefix + `/2; mv ` + prefix + `/1 ` + prefix + `/one; rmdir ` + prefix + `/3`)
			shown = m.sh(`ls -A | sort; ls ` + prefix + ` | sort -n`)
			m.remount()
			require.Equal(t, shown, m.sh(`ls -A | sort; ls `+prefix+` | sort -n`))
		})
	}
}
