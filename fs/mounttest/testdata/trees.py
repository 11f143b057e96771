# Makes random changes of one tree below a mounted directory: of files, of directories with files in
# them, and of what was deleted. All workers use the same names, as others at the service do. Each
# content that a worker writes is a block of its own. The oracle is in random_trees_test.go.
#   trees.py MOUNT LOG SEED WORKERS GESTURES
import errno, json, multiprocessing, os, random, re, subprocess, sys, time

where, log, seed, count, gestures = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
dead = (errno.ENOTCONN, errno.ECONNABORTED)  # the mount was killed
files, dirs = "abc", "dDe"  # d and D are one name to the service


def blocks(content):
    return re.findall(rb"<([^>/]+)>\n", content)


class Worker:
    def __init__(self, n):
        self.n, self.count = n, 0
        self.what, self.paths = "nothing", []  # the first gesture may fail before it begins
        self.random = random.Random(seed + "." + str(n))
        self.log = os.open("%s.%d" % (log, n), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.chdir(os.path.join(where, "media/t"))

    def tell(self, **what):
        os.write(self.log, (json.dumps(what) + "\n").encode())

    def block(self):
        self.count += 1
        name = "%d.%d.%s" % (self.n, self.count, seed)
        size = self.random.choice([10, 3000, 3000, 90000])  # more than 64 KiB has no copy in a database
        return name, b"<%s>\n" % name.encode() + b"x" * self.random.randrange(size) + b"\n</%s>\n" % name.encode()

    def pause(self):
        time.sleep(self.random.choice([0, 0, 0.01, 0.05]))

    # Paths

    def dirs(self):
        return ["."] + [os.path.relpath(os.path.join(at, d)) for at, below, _ in os.walk(".") for d in below]

    def files(self):
        return [os.path.relpath(os.path.join(at, f)) for at, _, names in os.walk(".") for f in names]

    def place(self, names):
        """A path that may or may not be there."""
        return os.path.normpath(os.path.join(self.random.choice(self.dirs()), self.random.choice(names)))

    def file(self):
        return self.random.choice(self.files() or ["a"])

    def dir(self):
        return self.random.choice(self.dirs()[1:] or ["d"])

    # What a gesture logs. It begins before it looks at what it will replace or remove.

    def begin(self, what, *paths):
        self.began = time.time()
        self.what, self.paths = what, paths

    def read(self, path):
        """The blocks of a file that is to end, none where there is no file."""
        try:
            with open(path, "rb") as f:
                return [b.decode() for b in blocks(f.read())]
        except FileNotFoundError:
            return []

    def does(self, block="", ends=(), moves=()):
        self.doing = dict(what=self.what, paths=self.paths, began=self.began, block=block, ends=list(ends), moves=list(moves))
        self.tell(**self.doing)

    def done(self, **more):
        self.tell(**self.doing, done=True, ended=time.time(), **more)

    # Gestures

    def write(self, path, flags, ends, between=lambda: None):
        name, content = self.block()
        self.does(name, ends)
        cut = len(content) // 2
        f = os.open(path, os.O_CREAT | os.O_WRONLY | flags, 0o644)
        opened = time.time()
        try:
            os.write(f, content[:cut])
            between()
            self.pause()
            os.write(f, content[cut:])
        except OSError:
            try:
                os.close(f)
            except OSError:
                pass
            raise
        os.close(f)
        self.done(opened=opened)

    def put(self, between=lambda: None):
        path = self.place(files)
        self.begin("put", path)
        self.write(path, os.O_TRUNC, self.read(path), between)

    def create(self):
        path = self.place(files)
        self.begin("create", path)
        self.write(path, os.O_EXCL, [])

    def append(self):
        path = self.file()
        self.begin("append", path)
        self.write(path, os.O_APPEND, [])

    def replace(self):
        """Writes beside a file, and renames."""
        path, part = self.place(files), os.path.join(where, "media/.part%d" % self.n)
        name, content = self.block()
        with open(part, "wb") as f:
            f.write(content)
        self.begin("replace", path)
        self.does(name, self.read(path))
        os.rename(part, path)
        self.done(opened=time.time())  # it replaces what the name shows by then

    def remove(self):
        path = self.file()
        self.begin("remove", path)
        self.does(ends=self.read(path))
        os.unlink(path)
        self.done()

    def move(self):
        path = self.file()
        to = self.random.choice([self.place(files)] * 3 + [os.path.join(os.path.dirname(path), os.path.basename(path).swapcase())])
        self.begin("move", path, to)
        if path.lower() != to.lower():
            self.does(ends=self.read(to), moves=self.read(path))
            os.rename(path, to)
            self.done()

    def mkdir(self):
        path = self.place(dirs)
        self.begin("mkdir", path)
        self.does()
        os.mkdir(path)
        self.done()

    def rmdir(self):
        path = self.dir()
        self.begin("rmdir", path)
        self.does()
        os.rmdir(path)
        self.done()
        if self.random.randrange(2):
            os.mkdir(path)

    def movedir(self):
        path = self.dir()
        to = self.random.choice([self.place(dirs)] * 2 + [os.path.join(os.path.dirname(path), os.path.basename(path).swapcase())])
        self.begin("movedir", path, to)
        self.does()
        os.rename(path, to)
        self.done()

    def move_open(self):
        """Renames directories while a file is open that may be in them."""
        def rename():
            try:
                os.rename(self.dir(), self.place(dirs))
            except OSError as e:
                if e.errno in dead:
                    raise
        self.put(rename)

    def clear(self):
        """rm -r: each file by a gesture of its own."""
        path = self.dir()
        for at, below, names in os.walk(path, topdown=False):
            for f in names:
                self.begin("remove", os.path.join(at, f))
                self.does(ends=self.read(os.path.join(at, f)))
                os.unlink(os.path.join(at, f))
                self.done()
            os.rmdir(at)

    def undo(self):
        path = self.random.choice([self.place(files), self.place(dirs), self.file(), self.dir(), "."])
        self.begin("undo", path)
        self.does()
        since = self.random.choice([["--since", "5s"], []])
        end = subprocess.run([os.environ["PAPERFS"], "undo"] + since + ["--", os.path.join(where, "media/t", path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.done(said=end.stdout.decode(errors="replace")[-300:])

    def restore(self):
        """Brings back one thing that was deleted or replaced, or writes its content to another place."""
        tree = os.path.join(where, "media/t")
        undo = lambda *args: subprocess.run([os.environ["PAPERFS"], "undo", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        kept = undo("--list", "--json", tree)
        if kept.returncode:
            return
        entry = self.random.choice(json.loads(kept.stdout)["entries"][:10] or [None])
        if not entry:
            return
        number, path = str(entry["entry"]), os.path.relpath(os.path.join(where, entry["path"]))
        content = undo("--to", "-", tree, number).stdout if entry["kind"] == "file" else b""
        to = []
        if content and self.random.randrange(3) == 0:
            path = self.random.choice([self.place(files), path])
            to = ["--force", "--to", path]
        self.begin("restore", path)
        self.does(ends=self.read(path) if os.path.isfile(path) else [], moves=[b.decode() for b in blocks(content)])
        end = undo(*to, tree, number)
        if end.returncode:
            raise OSError(errno.EIO, (end.stdout + end.stderr).decode(errors="replace"))
        self.done()

    def gesture(self):
        weighted = [(self.put, 5), (self.create, 3), (self.append, 4), (self.replace, 4), (self.remove, 2), (self.move, 4), (self.mkdir, 3), (self.rmdir, 2),
                    (self.movedir, 5), (self.move_open, 3), (self.clear, 1), (self.undo, 2), (self.restore, 3)]
        gesture = self.random.choices([g for g, _ in weighted], [w for _, w in weighted])[0]
        try:
            gesture()
        except OSError as e:
            if e.errno in dead:
                raise
            self.tell(what=self.what, paths=self.paths, failed=str(e), ended=time.time())
            os.stat(".")


def worker(n):
    try:
        w = Worker(n)
        for _ in range(gestures):
            w.gesture()
    except OSError as e:
        if e.errno not in dead:
            raise


if __name__ == "__main__":
    workers = [multiprocessing.Process(target=worker, args=(n,)) for n in range(count)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    sys.exit(max(abs(w.exitcode) for w in workers))
