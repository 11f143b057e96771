package media_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestChildrenThatInherit checks that a close by a child publishes nothing while the opener has the
// file open, and that the complete result costs one upload.
func TestChildrenThatInherit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, want string }{
		"exec":                {`bash -c 'exec > a; for i in 0 1 2 3 4 5 6 7 8 9; do ls -d .; done'`, ".\n.\n.\n.\n.\n.\n.\n.\n.\n.\n"},
		"a group of commands": {`{ /bin/echo a; /bin/echo b; echo c; } > a`, "a\nb\nc\n"},
		"subprocess": {`python3 -c '
import subprocess
f = open("a", "wb", 0)
for i in range(5): subprocess.run(["echo", str(i)], stdout=f, check=True)
f.write(b"end"); f.close()'`, "0\n1\n2\n3\n4\nend"},
		"the opener closes first": {`python3 -c '
import subprocess
f = open("a", "wb", 0)
p = subprocess.Popen(["sh", "-c", "read x; echo 1; echo 2"], stdin=subprocess.PIPE, stdout=f)
f.close(); p.communicate(b"go\n"); assert p.returncode == 0'`, "1\n2\n"},
		"the opener closes in the middle": {`python3 -c '
import os, subprocess, time
f = open("a", "wb", 0)
p = subprocess.Popen(["sh", "-c", "echo 1; read x; echo 2"], stdin=subprocess.PIPE, stdout=f)
while not os.stat("a").st_size: time.sleep(.01)
f.close(); p.communicate(b"go\n"); assert p.returncode == 0'`, "1\n2\n"},
		"the opener exits first": {`rm -f ../p; mkfifo ../p; bash -c '(read x < ../p; echo 1; echo > ../q) &' > a; mkfifo ../q; echo > ../p; read x < ../q; until test -s a; do sleep .01; done`, "1\n"},
		"a passed descriptor": {`python3 -c '
import os, socket
s, r = socket.socketpair()
if os.fork() == 0:
    s.close()
    _, fds, _, _ = socket.recv_fds(r, 1, 1)
    r.recv(1)
    os.write(fds[0], b"passed"); os.close(fds[0]); os._exit(0)
f = os.open("a", os.O_WRONLY | os.O_CREAT)
socket.send_fds(s, [b"x"], [f]); os.close(f); s.send(b"y")
assert os.wait()[1] == 0'`, "passed"},
		"threads": {`python3 -c '
import os, threading
def call(f, *a):
    t = threading.Thread(target=f, args=a); t.start(); t.join()
call(lambda: globals().update(f=os.open("a", os.O_WRONLY | os.O_CREAT)))
call(os.write, f, b"x"); call(os.close, f)'`, "x"},
		"an exec":             {`bash -c 'exec 3> a; echo 1 >&3; exec 3>&- sh -c "exit 0"'`, "1\n"},
		"an exec that writes": {`bash -c 'exec > a; exec sh -c "echo 1; /bin/echo 2"'`, "1\n2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls`)
			m.idle()
			m.proxy.Reset()
			m.sh(c.script)
			require.Equal(t, map[string]string{"a": sum(c.want)}, m.atService())
			require.Empty(t, m.store.Failed())
			require.Equal(t, 1, m.proxy.Count(remote.UploadFile))
		})
	}
}

// TestHalvesOfKilledChildren checks that the surviving processes do not publish what a killed child
// has written, whichever of them closes last. The content is in failed/ once.
func TestHalvesOfKilledChildren(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"timeout":                `timeout 600 sh -c 'echo half; sleep 600' > a 2> ../err & ` + half + waits + `kill -ALRM $!; wait $!; grep -q 'Input/output error' ../err`,
		"timeout cat":            fifo + `timeout 600 cat ../p > a 2> ../err & echo half >&9; ` + half + waits + `kill -ALRM $!; wait $!; grep -q 'Input/output error' ../err`,
		"a group of commands":    `{ sh -c 'echo half; kill -KILL $$'; true; } > a 2> /dev/null; true`,
		"a group that continues": `{ sh -c 'echo half; kill -KILL $$'; ls -d . > /dev/null; } > a 2> /dev/null; true`,
		"killed after the opener's close": popen + `
p = child("read x; echo half; kill -KILL $$")
f.close(); p.communicate(b"go\n"); assert p.returncode == -9'`,
		"killed after the opener's close in the middle": popen + `
p = child("echo half; read x; kill -KILL $$")
written(); f.close(); p.communicate(b"go\n"); assert p.returncode == -9'`,
		"killed before the opener's close": popen + `
p = child("echo half; kill -KILL $$")
p.wait(); closes_badly()'`,
		"killed while the opener closes": popen + `
p = child("echo half; kill -KILL $$")
written()
try: f.close()
except OSError as e: assert e.errno == errno.EIO, e
p.wait(); assert p.returncode == -9'`,
		"another child closed before": popen + `
subprocess.run(["echo", "whole"], stdout=f, check=True)
p = child("echo half; kill -KILL $$")
p.wait(); subprocess.run(["true"], stdout=f, check=True); closes_badly()'`,
		"the opener is killed, too": popen + `
p = child("echo half; kill -KILL $$")
p.wait(); os.kill(os.getpid(), 9)'; true`,
		"the opener is killed, but wrote nothing": popen + `
subprocess.run(["echo", "half"], stdout=f, check=True)
os.kill(os.getpid(), 9)'; true`,
	} {
		for kind, before := range map[string]string{"new": `ls`, "over a file": `echo old > a`} {
			if !testrun.OneWay(name, kind == "new") {
				continue
			}
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				m := newMount(t)
				m.sh(before)
				m.idle()
				m.proxy.Reset()
				m.sh(script)
				m.idle()
				require.Zero(t, m.proxy.Count(nil), "nothing is sent")
				require.Len(t, m.store.Failed(), 1, "the half is kept")
				require.Equal(t, "a", m.store.Failed()[0].Path)
				require.Contains(t, m.content(m.store.Failed()[0].Name), "half\n")
				require.Contains(t, m.store.Failed()[0].Reason, "was killed before it had written the whole file")
				if kind == "new" {
					m.fails(`test -e a`)
				} else {
					require.Equal(t, "old", m.sh(`cat a`))
				}
			})
		}
	}
}

// TestTheSessionOfAKilledOpener checks that a close by a process that goes on after the opener was
// killed fails, because nothing was published, whatever its session.
func TestTheSessionOfAKilledOpener(t *testing.T) {
	t.Parallel()
	for session, begin := range map[string]string{"its own": "True", "the opener's": "False"} {
		t.Run(session, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls`)
			m.idle()
			m.sh(`mkfifo ../p; exec 9<> ../p
python3 -c '
import os, subprocess, sys
f = open("a", "wb", 0)
subprocess.run(["echo", "half"], stdout=f, check=True)
subprocess.Popen([sys.executable, "-c", """
import os
os.read(0, 1)
os.write(1, b"more")
try: os.close(1); e = 0
except OSError as error: e = error.errno
open("../closed", "w").write(str(e) + chr(10))
"""], stdin=open("../p"), stdout=f, start_new_session=` + begin + `)
os.kill(os.getpid(), 9)'
echo >&9; until test -s ../closed; do sleep .01; done`)
			require.Equal(t, "5", m.sh(`cat ../closed`))
			m.settled()
			require.Empty(t, m.atService())
			require.Len(t, m.store.Failed(), 1)
			require.Equal(t, "half\nmore", m.content(m.store.Failed()[0].Name))
			require.Contains(t, m.store.Failed()[0].Reason, "python3 was killed before")
		})
	}
}

// popen is the start of a Python script that has opened a. The user adds the closing quote.
const popen = `python3 -c '
import errno, os, subprocess, time
f = open("a", "wb", 0)
def written():
    while not os.fstat(f.fileno()).st_size: time.sleep(.01)
def child(script): return subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, stdout=f)
def closes_badly():
    try: f.close()
    except OSError as e: assert e.errno == errno.EIO, e
    else: raise AssertionError("the close of half a file succeeded")
`

// TestMoreAfterAKilledChild checks that what is written after a killed child does not make the file
// whole, and that the next file of that name is another one.
func TestMoreAfterAKilledChild(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(popen + `
child("printf half; kill -KILL $$").wait()
subprocess.run(["printf", ", and more"], stdout=f); closes_badly()'`)
	m.settled()
	require.Empty(t, m.atService())
	require.Len(t, m.store.Failed(), 1)
	require.Equal(t, "half, and more", m.content("a"))
	m.sh(`{ sh -c 'echo 1; kill -KILL $$'; echo 2; } > b 2> /dev/null; test ! -e b; echo whole > b`)
	m.settled()
	require.Equal(t, map[string]string{"b": sum("whole\n")}, m.atService())
	require.Equal(t, "1\n2", strings.TrimSpace(m.content("b")))
}
