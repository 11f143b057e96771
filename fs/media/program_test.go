package media_test

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"
)

func sum(s string) string {
	digest := sha256.Sum256([]byte(s))
	return hex.EncodeToString(digest[:])
}

func deleting(o *media.Options) { o.AllowDelete = true }

// still is a service that offers nothing that others do not have.
type still struct{ media.Service }

func (still) Offers() (remote.Offers, bool) { return remote.Offers{}, true }

func withoutMoves(o *media.Options) { o.Service = still{o.Service} }

const upload = "UploadFile"

// TestGestures checks the cost of each gesture, and its result on the service.
func TestGestures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, before, script string
		cost                 []string
		files                map[string]string // all files on the service afterwards
	}{
		{name: "cp", before: `echo one > ../f`, script: `cp ../f a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "cp over a file", before: `echo one > ../f; echo two > a`, script: `cp ../f a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "cp -p", before: `echo one > ../f; touch -d 2001-02-03 ../f; chmod 640 ../f`,
			script: `cp -p ../f a && test "$(stat -c '%a %Y' a)" = "$(stat -c '%a %Y' ../f)"`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "cp -r", before: `mkdir -p ../s/d; echo one > ../s/a; echo two > ../s/d/b`, script: `cp -r ../s t`,
			cost: ops("CreateDirectory", "CreateDirectory", upload, upload), files: map[string]string{"t/a": "one\n", "t/d/b": "two\n"}},
		{name: "tar x", before: `mkdir ../s; echo one > ../s/a; chmod 600 ../s/a; touch -d 2001-02-03 ../s/a; tar cf ../s.tar -C .. s`,
			script: `tar xf ../s.tar && test "$(stat -c '%a %Y' s/a)" = "$(stat -c '%a %Y' ../s/a)"`, cost: ops("CreateDirectory", upload), files: map[string]string{"s/a": "one\n"}},
		{name: "redirection", script: `echo one > a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "redirection of several programs", script: `(/bin/echo one; /bin/echo two) > a`, cost: ops(upload), files: map[string]string{"a": "one\ntwo\n"}},
		{name: "appending", before: `echo one > a`, script: `echo two >> a`, cost: ops(upload), files: map[string]string{"a": "one\ntwo\n"}},
		{name: "touch", script: `touch a`, cost: ops(upload), files: map[string]string{"a": ""}},
		{name: "emptying", before: `echo one > a`, script: `: > a`, cost: ops(upload), files: map[string]string{"a": ""}},
		{name: "touch of what is there", before: `echo one > a`, script: `o=$(id -u):$(id -g); test "$o" != 0:0 || o=12:13; touch -d 2001-02-03 a; chmod 600 a; chown $o a; stat -c '%u:%g %a' a | grep -qx "$o 600"`, files: map[string]string{"a": "one\n"}},
		{name: "truncate", before: `echo one > a`, script: `truncate -s 2 a`, cost: ops(upload), files: map[string]string{"a": "on"}},
		{name: "truncate(2) by path", before: `echo one > a`, script: `python3 -c 'import os; os.truncate("a", 1)'`, cost: ops(upload), files: map[string]string{"a": "o"}},
		{name: "dd in the middle", before: `echo one > a`, script: `printf X | dd of=a bs=1 seek=1 conv=notrunc status=none`, cost: ops(upload), files: map[string]string{"a": "oXe\n"}},
		{name: "dd with a hole", script: `printf X | dd of=a bs=1 seek=3 status=none`, cost: ops(upload), files: map[string]string{"a": "\x00\x00\x00X"}},
		{name: "sed -i", before: `echo one > a`, script: `sed -i s/one/two/ a`, cost: ops(upload), files: map[string]string{"a": "two\n"}},
		{name: "busybox sed -i", before: `echo one > a`, script: `busybox sed -i s/one/two/ a`, cost: ops(upload), files: map[string]string{"a": "two\n"}},
		{name: "vi", before: `echo one > a`, script: `vi -u NONE -es -c 's/one/two/' -c wq a < /dev/null`, cost: ops(upload), files: map[string]string{"a": "two\n"}},
		{name: "vi with a backup", before: `echo one > a`, script: `vi -u NONE -es -c 'set backup backupcopy=yes backupskip=' -c 's/one/two/' -c wq a < /dev/null; grep -q one a~`, cost: ops(upload), files: map[string]string{"a": "two\n"}},
		{name: "rsync -a", before: `mkdir ../s; echo one > ../s/a; echo two > ../s/b`, script: `rsync -a ../s/ .`, cost: ops(upload, upload), files: map[string]string{"a": "one\n", "b": "two\n"}},
		{name: "rsync -a again", before: `mkdir ../s; echo one > ../s/a; rsync -a ../s/ .`, script: `rsync -a ../s/ . && rsync -ac --itemize-changes ../s/ . | wc -l | grep -qx 0`, files: map[string]string{"a": "one\n"}},
		{name: "rsync -a of a changed file", before: `mkdir ../s; echo one > ../s/a; rsync -a ../s/ .; echo three > ../s/a`, script: `rsync -a ../s/ .`, cost: ops(upload), files: map[string]string{"a": "three\n"}},
		{name: "rsync --inplace", before: `echo one > ../f`, script: `rsync -a --inplace ../f a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "rsync --delay-updates", before: `echo one > ../f`, script: `rsync -a --delay-updates ../f a && test ! -e .~tmp~`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "rsync --inplace of a changed file", before: `seq 1 9999 > ../f; cp ../f a; seq 5 9999 > ../f`, script: `rsync -a --inplace --no-whole-file ../f a && cmp ../f a && printf x > a`,
			cost: ops(upload, upload), files: map[string]string{"a": "x"}},
		{name: "rsync --temp-dir elsewhere", before: `mkdir ../tmp; echo one > ../f`, script: `rsync -a -T "$HOME/tmp" ../f a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "rsync --partial-dir", before: `echo one > ../f`, script: `rsync -a --partial-dir=.partial ../f a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "a temporary file without a name", script: `python3 -c 'import tempfile
f = tempfile.TemporaryFile(dir="."); f.write(b"x"); f.seek(0); assert f.read() == b"x"'`, files: map[string]string{}},
		{name: "busybox cp and mv", before: `echo one > ../f`, script: `busybox cp ../f .t && busybox mv .t a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "tempfile and os.replace", before: `echo one > a`, cost: ops(upload), files: map[string]string{"a": "two"},
			script: `python3 -c 'import os, tempfile
f = tempfile.NamedTemporaryFile("w", dir=".", prefix=".tmp", delete=False); f.write("two"); f.flush(); os.fsync(f.fileno()); f.close(); os.replace(f.name, "a")'`},
		{name: "mmap", script: `python3 -c 'import mmap, os
f = os.open("a", os.O_RDWR | os.O_CREAT); os.ftruncate(f, 6); m = mmap.mmap(f, 6); m[:] = b"mapped"; m.flush(); m.close(); os.close(f)'`,
			cost: ops(upload), files: map[string]string{"a": "mapped"}},
		{name: "mmap written after the close", cost: ops(upload, upload), files: map[string]string{"a": "mapped"},
			script: `python3 -c 'import mmap, os
f = os.open("a", os.O_RDWR | os.O_CREAT); os.ftruncate(f, 6); m = mmap.mmap(f, 6); os.close(f); m[:] = b"mapped"; m.close()'`},
		{name: "fallocate", script: `fallocate -l 3 a`, cost: ops(upload), files: map[string]string{"a": "\x00\x00\x00"}},
		{name: "reading and writing by one descriptor", before: `echo one > a`, script: `python3 -c 'import os
f = os.open("a", os.O_RDWR); assert os.read(f, 9) == b"one\n"; os.write(f, b"two\n"); os.close(f)'`, cost: ops(upload), files: map[string]string{"a": "one\ntwo\n"}},
		{name: "only reading by a descriptor for both", before: `echo one > a`, script: `python3 -c 'import os; f = os.open("a", os.O_RDWR); os.read(f, 9); os.fsync(f); os.close(f)'`, files: map[string]string{"a": "one\n"}},
		{name: "exclusive creation", before: `echo one > a`, script: `(set -C; ! echo two > a)`, files: map[string]string{"a": "one\n"}},
		{name: "scratch", script: `mkdir .d && echo x > .d/f && mv .d/f .d/g && ln -s g .d/l && test "$(cat .d/l)" = x && rm -r .d && echo x > a~ && rm a~`, files: map[string]string{}},
		{name: "mv of scratch", before: `echo one > .a.part`, script: `mv .a.part a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "mv of scratch over a file", before: `echo one > .a.part; echo two > a`, script: `mv .a.part a && test "$(cat a)" = one`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "removing what was never published", script: `python3 -c 'import os
f = os.open("a", os.O_RDWR | os.O_CREAT); os.write(f, b"x"); os.unlink("a"); assert os.pread(f, 9, 0) == b"x" and os.fstat(f).st_nlink == 0; os.close(f)'`, files: map[string]string{}},
		{name: "unzip", before: `mkdir -p ../s/d; echo one > ../s/a; echo two > ../s/d/b; cd ../s; zip -qr ../s.zip .`, script: `unzip -q ../s.zip -d t`,
			cost: ops("CreateDirectory", "CreateDirectory", upload, upload), files: map[string]string{"t/a": "one\n", "t/d/b": "two\n"}},
		{name: "unzip into scratch, then mv", before: `mkdir -p ../s/d; echo one > ../s/a; echo two > ../s/d/b; cd ../s; zip -qr ../s.zip .`, script: `unzip -q ../s.zip -d .t && mv .t t`,
			cost: ops("CreateDirectory", "CreateDirectory", upload, upload), files: map[string]string{"t/a": "one\n", "t/d/b": "two\n"}},
		{name: "tar c", before: `mkdir ../s; echo one > ../s/a`, script: `tar cf a.tar -C ../s a && tar xOf a.tar a > ../out && cp ../out a.tar`, cost: ops(upload, upload), files: map[string]string{"a.tar": "one\n"}},
		{name: "tar x over files", before: `mkdir ../s; echo one > ../s/a; tar cf ../s.tar -C ../s a; echo old > a`, script: `tar xf ../s.tar --overwrite`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "gio copy", before: `echo one > ../f`, script: `GIO_USE_VFS=local gio copy ../f a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "gio copy over a file", before: `echo one > ../f; echo old > a`, script: `GIO_USE_VFS=local gio copy ../f a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "gio move", before: `echo one > ../f`, script: `GIO_USE_VFS=local gio move ../f a && test ! -e ../f`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "gio save", before: `echo old > a`, script: `echo one | GIO_USE_VFS=local gio save a && echo two | GIO_USE_VFS=local gio save b`, cost: ops(upload, upload), files: map[string]string{"a": "one\n", "b": "two\n"}},
		{name: "install", before: `echo one > ../f`, script: `install -m 640 ../f a && test "$(stat -c %a a)" = 640`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "cp --sparse", before: `truncate -s 9 ../f`, script: `cp --sparse=always --reflink=auto ../f a`, cost: ops(upload), files: map[string]string{"a": strings.Repeat("\x00", 9)}},
		{name: "dd that appends and syncs", before: `echo one > a`, script: `echo two | dd of=a oflag=append conv=notrunc,fsync status=none`, cost: ops(upload), files: map[string]string{"a": "one\ntwo\n"}},
		{name: "perl -i", before: `echo one > a`, script: `perl -pi -e s/one/two/ a`, cost: ops(upload), files: map[string]string{"a": "two\n"}},
		{name: "rsync --temp-dir here", before: `mkdir .tmp; echo one > ../f; echo other > a`, script: `rsync -a -T "$PWD/.tmp" ../f a`, cost: ops(upload), files: map[string]string{"a": "one\n"}},
		{name: "rsync --partial --append-verify", before: `seq 99 > ../f; seq 9 > a`, script: `rsync -a --partial --append-verify ../f a && cmp ../f a && printf x > a`, cost: ops(upload, upload), files: map[string]string{"a": "x"}},
		{name: "saving by LibreOffice", before: `echo old > a.odt; printf '#!/bin/bash\n%s' '
			echo me > .~lock.a.odt#; echo one > lu17334q6ogl4.tmp; echo more >> lu17334q6ogl4.tmp; chmod 600 lu17334q6ogl4.tmp
			python3 -c "import os; os.replace(\"lu17334q6ogl4.tmp\", \"a.odt\"); f = os.open(\"a.odt\", os.O_RDWR); os.fsync(f); os.close(f)"
			rm .~lock.a.odt#' > ../soffice.bin; chmod +x ../soffice.bin`, script: `../soffice.bin`, cost: ops(upload), files: map[string]string{"a.odt": "one\nmore\n"}},
		{name: "listing", before: `mkdir d; echo one > d/a; ls`, script: `ls -lR; find .; du -s .; test ! -e nothing`, files: map[string]string{"d/a": "one\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls`)
			if c.before != "" {
				m.sh(c.before)
				m.idle()
			}
			require.ElementsMatch(t, c.cost, m.cost(c.script))
			want := map[string]string{}
			for path, content := range c.files {
				want[path] = sum(content)
			}
			require.Equal(t, want, m.atService())
			for path, content := range c.files {
				require.Equal(t, content, m.sh(`cat ` + path + `; printf .`)[:len(content)], path)
			}
			require.Empty(t, m.store.Failed())
		})
	}
}

func TestRemount(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir ../s && seq 1 30000 > ../s/a && mkdir ../s/d && echo x > ../s/d/b && touch -d 2001-02-03 ../s/d/b && chmod 640 ../s/a && rsync -a ../s/ t/`)
	numbers := m.sh(`stat -c '%n %i' t t/a t/d t/d/b`)
	m.remount()
	require.Empty(t, m.cost(`rsync -a ../s/ t/ && diff -r ../s t`), "rsync and reads cost no request")
	require.Equal(t, numbers, m.sh(`stat -c '%n %i' t t/a t/d t/d/b`))
	m.sh(`mv ../s/a t/.new && mv t/.new t/a && cp t/d/b ../b && echo y > ../b && cp ../b t/d/b`)
	m.remount()
	require.Equal(t, strings.Fields(numbers)[7], m.sh(`stat -c %i t/d/b`), "an overwritten file keeps its inode number")
}

func TestFailingUploads(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls; echo one > ../f; echo old > known`)
	m.refuse()
	for range 2 {
		require.Contains(t, m.fails(`cp ../f a`), "Input/output error")
		m.settled()
		m.fails(`test -e a`)
	}
	m.fails(`cp ../f known`)
	m.eventually(func() bool { return len(m.store.Failed()) == 2 })
	require.Equal(t, "old", m.sh(`cat known`))
	require.Equal(t, "4", m.sh(`stat -c %s known`))
	for _, script := range []string{
		`dd if=../f of=a status=none`,
		`rsync -a ../f a`,
		`echo x > .x; mv .x a`,
		`tar cf ../t.tar -C .. f; tar xf ../t.tar`,
	} {
		m.fails(script)
		m.settled()
	}
	require.Equal(t, map[string]string{"known": sum("old\n")}, m.atService())
	require.NotEmpty(t, m.failures.Events())
	m.proxy.Heal()
	require.Equal(t, ops(upload), m.cost(`cp ../f a`))
	require.Equal(t, "one", m.sh(`cat a`))
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	m := newMount(t, withoutMoves)
	m.sh(`mkdir d; echo one > a`)
	for script, says := range map[string]string{
		`mv a b`:                              "Operation not supported",
		`mv a A`:                              "Operation not supported",
		`mv a d/`:                             "Operation not supported",
		`mv d e`:                              "Operation not supported",
		`rm a`:                                "Operation not permitted",
		`rmdir d`:                             "Operation not permitted",
		`ln -s a l`:                           "Operation not permitted",
		`ln a l`:                              "Operation not permitted",
		`mkfifo p`:                            "Operation not permitted",
		`mknod .c c 1 3`:                      "Operation not permitted",
		`mkdir A`:                             "File exists",
		`cp a A`:                              "File exists",
		`touch $'a\nb'`:                       "Invalid argument",
		`mkdir ' a'`:                          "Invalid argument",
		`echo x > .x; mv .x 'a '`:             "subdirectory of itself", // mv's words for it
		`echo x > $(printf 'x%.0s' {1..256})`: "File name too long",
		`python3 -c 'import ctypes,os; r=ctypes.CDLL(None, use_errno=True).renameat2(-100,b"a",-100,b"d",2); e=ctypes.get_errno(); print(os.strerror(e)); exit(r!=0)'`: "Invalid argument",
	} {
		m.proxy.Reset()
		require.Contains(t, m.fails(script), says, script)
		require.Zero(t, m.proxy.Count(nil), script)
	}
	require.Equal(t, map[string]string{"a": sum("one\n")}, m.atService())
}

func TestDeletingAndRenaming(t *testing.T) {
	t.Parallel()
	m := newMount(t, deleting, withoutMoves)
	m.sh(`mkdir d; echo one > a; echo two > d/b; echo three > c`)
	require.Equal(t, ops(upload, "DeleteFile"), m.cost(`mv a d/a`))
	require.Equal(t, "one", m.sh(`cat d/a`))
	require.Equal(t, ops(upload, "DeleteFile"), m.cost(`GIO_USE_VFS=local gio move c e && test "$(cat e)" = three`))
	require.Empty(t, m.failures.Events(), "the programs have done it")
	m.proxy.Reset()
	for _, script := range []string{`mv d/a d/b`, `mv d/a d/A`, `mv d f`} {
		require.Contains(t, m.fails(script), "not supported", script)
	}
	require.Contains(t, m.fails(`python3 -c 'import os; os.rename("e", "f")'`), "cross-device")
	require.Zero(t, m.proxy.Total())
	require.Equal(t, map[string]string{"d/a": sum("one\n"), "d/b": sum("two\n"), "e": sum("three\n")}, m.atService())
	m.sh(`rm e`)
	require.Equal(t, ops("DeleteFile", "DeleteFile", "GetTree", "DeleteDirectory"), m.cost(`rm -r d`))
	require.Empty(t, m.atService())
	require.Empty(t, m.sh(`ls -A`))
}

func TestAnEndedCallerIsReleasedAndTheUploadEnds(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls; echo one > ../f`)
			release := m.proxy.Freeze(remote.UploadFile)
			cp := programtest.Command(t, testrun.Patience(), "cp", "f", "media/a")
			cp.Dir = m.home
			require.NoError(t, cp.Start())
			m.eventually(func() bool { return m.proxy.Count(remote.UploadFile) == 1 })
			require.NoError(t, cp.Process.Signal(signal))
			ended := make(chan struct{})
			go func() { _ = cp.Wait(); close(ended) }()
			select {
			case <-ended:
			case <-time.After(testrun.Patience()):
				release()
				t.Fatal("the program waited for the upload")
			}
			release()
			require.Equal(t, map[string]string{"a": sum("one\n")}, m.atService())
		})
	}
}

func TestOtherSignalsChangeNothing(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls; echo one > ../f`)
	release := m.proxy.Freeze(remote.UploadFile)
	cp := programtest.Command(t, testrun.Patience(), "cp", "f", "media/a")
	cp.Dir = m.home
	require.NoError(t, cp.Start())
	m.eventually(func() bool { return m.proxy.Count(remote.UploadFile) == 1 })
	for _, s := range []syscall.Signal{syscall.SIGURG, syscall.SIGWINCH, syscall.SIGCHLD} {
		require.NoError(t, cp.Process.Signal(s))
	}
	release()
	require.NoError(t, cp.Wait())
	require.Equal(t, map[string]string{"a": sum("one\n")}, m.atService())
}

// TestZip checks zip, which creates an empty archive, removes it, writes to a temporary name and
// renames that file.
func TestZip(t *testing.T) {
	t.Parallel()
	m := newMount(t, func(o *media.Options) { o.Linger = time.Hour })
	m.sh(`ls; echo one > ../f`)
	require.Equal(t, ops(upload), m.cost(`zip -qj a.zip ../f && unzip -p a.zip | cmp - ../f`))
	require.Equal(t, []string{"a.zip"}, slices.Collect(maps.Keys(m.atService())))
}
