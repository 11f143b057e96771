package media_test

import (
	"bufio"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDiscardingADirectoryWithAnOpenFile checks that a discard leaves nothing in the queue. A later
// close of the open file still publishes the file in the directory; without one, the directory
// disappears.
func TestDiscardingADirectoryWithAnOpenFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  string
		want map[string]string
	}{
		"closed":        {`f.close()`, map[string]string{"d/a": sum("half")}},
		"written again": {`f.write(b", and whole"); f.close()`, map[string]string{"d/a": sum("half, and whole")}},
		"killed":        {`os.kill(os.getpid(), 9)`, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t, writeBack)
			m.sh(`ls`)
			m.proxy.Down()
			writer := m.command(`cd media && mkdir d && exec python3 -uc 'import os
f = open("d/a", "wb", 0)
f.write(b"half")
print("open")
input()
` + c.end + `'`)
			tell, err := writer.StdinPipe()
			require.NoError(t, err)
			said, err := writer.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, writer.Start())
			line, err := bufio.NewReader(said).ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "open\n", line)
			require.NoError(t, m.store.DiscardQueued("d"))
			require.Empty(t, m.store.Queue())
			_, err = io.WriteString(tell, "go\n")
			require.NoError(t, err)
			_ = writer.Wait() // one of the writers is killed
			m.settled()
			m.proxy.Up()
			m.store.RetryNow()
			m.idle()
			require.NoError(t, m.store.Refresh(t.Context()))
			require.Equal(t, c.want, m.atService())
			if name == "killed" {
				require.Len(t, m.store.Failed(), 1)
				require.Equal(t, "half", m.content(m.store.Failed()[0].Name))
				m.fails(`test -e d`)
			}
		})
	}
}
