# Performs random gestures in a mounted directory. Each worker has its own files, and logs what its
# gestures promise. The oracle is in random_oracle_test.go.
#   gestures.py DIR LOG SEED WORKERS GESTURES
import ctypes, errno, hashlib, json, mmap, multiprocessing, os, random, signal, subprocess, sys, time, traceback

where, log, seed, count, gestures = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
close_hid_failure = 3  # exit code: a write was refused, but the close after it reported no error


class Worker:
    def __init__(self, n):
        self.n, self.count = n, 0
        self.random = random.Random(seed + "." + str(n))
        self.source = "%s-source%d" % (log, n)
        self.log = os.open("%s.%d" % (log, n), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.chdir(where)
        self.known = {}  # content by path: None if there is no file, no entry if it may be one of several
        for name in "abc":
            path = "%d%s" % (n, name)
            try:
                with open(path, "rb") as f:
                    self.known[path] = f.read()
            except FileNotFoundError:
                self.known[path] = None
            self.tell("reads", {path: self.known[path]})

    def tell(self, what, contents):
        """Logs a line. does: a gesture, and half of what it writes; may: the result that it intends; is: the result that
        its calls reported; fails: the gesture failed without a signal; lies: a close returned 0 after a refused write."""
        line = json.dumps({what: {p.removeprefix("../"): "" if c is None else hashlib.sha256(c).hexdigest() for p, c in contents.items()}})
        os.write(self.log, (line + "\n").encode())

    def text(self):
        self.count += 1
        return ("[%d.%d.%s]" % (self.n, self.count, seed)).encode() * self.random.randrange(1, 3000)

    def pdf(self):
        """Returns a PDF with one page. The text of the page is unique, so that the oracle recognizes the PDF."""
        self.count += 1
        text = "%d.%d.%s" % (self.n, self.count, seed)
        page = "BT /F1 12 Tf 50 700 Td (%s) Tj ET" % text
        objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
                   "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
                   "<</Length %d>>stream\n%s\nendstream" % (len(page), page), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
        out, at = "%PDF-1.4\n%" + "x" * self.random.randrange(30000) + "\n", []
        for i, o in enumerate(objects):
            at.append(len(out))
            out += "%d 0 obj\n%s\nendobj\n" % (i + 1, o)
        end = "xref\n0 6\n0000000000 65535 f \n" + "".join("%010d 00000 n \n" % a for a in at)
        content = (out + end + "trailer <</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(out)).encode()
        self.tell("pdf", {text: content})
        return content

    def run(self, gesture, ends=None, contents={}):
        """Runs a gesture with the intended contents. ends is a signal that its processes get at a random moment, or None."""
        self.tell("does", {gesture.__qualname__ + " " + self.paths[0]: self.half})
        if contents:
            self.tell("may", contents)
        for path in self.paths:
            self.known.pop(path, None)
        group = os.fork()
        if group == 0:
            os.setpgid(0, 0)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a program that catches it and exits looks like one that has finished
            try:
                gesture()
                os._exit(0)
            except Exception:  # logged for people; the oracle uses the exit code
                os.write(self.log, (json.dumps({"error": traceback.format_exc().splitlines()[-3:]}) + "\n").encode())
                os._exit(1)
        if ends:
            time.sleep(self.random.random() * self.random.choice([0.01, 0.1, 0.5]))
            try:
                os.killpg(group, ends)
            except ProcessLookupError:
                pass  # it has not called setpgid yet
        status = os.waitpid(group, 0)[1]
        try:
            while True:  # this process inherits the children that the gesture leaves
                os.waitpid(-group, 0)
        except ChildProcessError:
            pass
        if status == 0:
            self.tell("is", contents)
            self.known.update(contents)
        elif os.WIFEXITED(status) and not ends:
            lies = os.WEXITSTATUS(status) == close_hid_failure
            self.tell("lies" if lies else "fails", dict.fromkeys(self.paths))
        os.stat(".")

    def program(self, content, command):
        with open(self.source, "wb") as f:  # at the end of a pipe, a killed writer looks like one that has finished
            f.write(content)
        return lambda: subprocess.run(["bash", "-c", command, "-", self.source], check=True, stderr=subprocess.DEVNULL)

    def drop(self):
        """Puts a PDF next to its paper, which may create the paper, or replaces the paper's source.pdf."""
        r = self.random
        paper = "../papers/R/%d%s" % (self.n, r.choice("pq"))
        p, content = paper + ".pdf", self.pdf()
        self.paths, cut = [p], len(content) // 2
        self.half = content[:cut]
        ends = r.choice([None] * 4 + [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])

        def write():
            f = os.open(p, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o644)
            refused = False
            for part in (content[:cut], content[cut:]):
                try:
                    os.write(f, part)
                except OSError:
                    refused = True
            os.close(f)
            if refused:
                raise SystemExit(close_hid_failure)

        def half():
            f = os.open(p, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o644)
            os.write(f, content[:cut])
            os.kill(os.getpid(), signal.SIGKILL)

        ways = ['cp "$1" %s.pdf', 'cat "$1" > %s.pdf.part && mv %s.pdf.part %s.pdf']
        if os.path.isdir(paper + ".paper"):
            ways += ['cp "$1" %s.paper/source.pdf', 'cat "$1" > %s.paper/.source.pdf.tmp && mv %s.paper/.source.pdf.tmp %s.paper/source.pdf'] * 2
        way = r.choice(ways)
        r.choice([lambda: self.run(self.program(content, way.replace("%s", paper)), ends, {p: content})] * 4 +
                 [lambda: self.run(write, ends, {p: content}), lambda: self.run(half)])()

    def gesture(self):
        if self.random.randrange(4) == 0:
            return self.drop()
        r = self.random
        p, q = r.sample(["%d%s" % (self.n, x) for x in "abc"], 2)
        self.paths = [p]
        text, more = self.text(), self.text()
        cut = len(text) // 2
        self.half = text[:cut]
        ends = r.choice([None] * 4 + [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        have = self.known.get(p)

        def self_dies():
            os.kill(os.getpid(), signal.SIGKILL)

        def opened(flags):
            return os.open(p, os.O_CREAT | flags, 0o644)

        def pieces(f, *parts):
            """Writes parts and continues after a refused one, like a careless program."""
            refused = False
            for part in parts:
                try:
                    while part:
                        part = part[os.write(f, part):]
                except OSError:
                    refused = True
            os.close(f)
            if refused:
                raise SystemExit(close_hid_failure)

        def write():
            pieces(opened(os.O_WRONLY | os.O_TRUNC), text[:cut], text[cut:])

        def half():
            f = opened(os.O_WRONLY | os.O_TRUNC)
            os.write(f, text[:cut])
            self_dies()

        def child_half():
            f = opened(os.O_WRONLY | os.O_TRUNC)
            if os.fork() == 0:
                os.write(f, text[:cut])
                self_dies()
            os.wait()
            os.close(f)

        def inherited():
            f = opened(os.O_WRONLY | os.O_TRUNC)
            os.write(f, text[:cut])
            subprocess.run(["true"], stdout=f, check=True)
            if ends:
                time.sleep(0.05)
            pieces(f, text[cut:])

        def inherited_half():
            f = opened(os.O_WRONLY | os.O_TRUNC)
            os.write(f, text[:cut])
            subprocess.run(["true"], stdout=f)
            self_dies()

        def handed_over():
            f = opened(os.O_WRONLY | os.O_TRUNC)
            os.write(f, text[:cut])
            if os.fork() == 0:
                pieces(f, text[cut:])
                os._exit(0)
            status = os.wait()[1]
            if os.WIFEXITED(status) and os.WEXITSTATUS(status) == close_hid_failure:
                raise SystemExit(close_hid_failure)  # each close after a refused write must fail, even the child's
            if status:
                sys.exit("the child failed")  # its close does not report on the upload, because this process has the file open
            os.close(f)

        def program(command):
            return self.program(text, command)

        def append():
            f = os.open(p, os.O_WRONLY | os.O_APPEND)
            pieces(f, more)

        def inside():
            f = os.open(p, os.O_RDWR)
            if os.pwrite(f, more[:cut], len(have) // 2) != len(more[:cut]):
                sys.exit("a part was refused")
            os.close(f)

        def shorten():
            f = os.open(p, os.O_RDWR)
            os.ftruncate(f, len(have) // 2)
            os.close(f)

        def mapping(flush, dies=False):
            def go():
                f = os.open(p, os.O_RDWR)
                own = os.dup(f)
                os.close(own)
                m = mmap.mmap(f, len(have))  # mmap duplicates the descriptor; the copy gets the number own
                os.close(own)
                m[:cut] = text[:cut]
                if flush:
                    m.flush()
                    m.close()
                os.close(f)  # publishes what was written through the mapping until now
                if dies:
                    m[:9] = b"more half"
                    self_dies()
                if not flush:
                    m.close()

            return go

        choices = [
            lambda: self.run(write, ends, {p: text}),
            lambda: self.run(program('cp "$1" ' + p), ends, {p: text}),
            lambda: self.run(program('cat "$1" > .%s.tmp && mv .%s.tmp %s' % (p, p, p)), ends, {p: text}),
            lambda: self.run(inherited, ends, {p: text}),
            lambda: self.run(handed_over, ends, {p: text}),
            lambda: self.run(half),
            lambda: self.run(child_half),
            lambda: self.run(inherited_half),
        ]
        if have:
            middle = have[:len(have) // 2] + more[:cut]
            choices += [
                lambda: self.run(append, ends, {p: have + more}),
                lambda: self.run(inside, ends, {p: middle + have[len(middle):]}),
                lambda: self.run(shorten, ends, {p: have[:len(have) // 2]}),
                lambda: self.run(program("rm " + p), ends, {p: None}),
            ]
        if have and cut <= len(have):
            mapped = {p: text[:cut] + have[cut:]}
            choices += [
                lambda: self.run(mapping(flush=True), ends, mapped),
                lambda: self.run(mapping(flush=False), ends, mapped),
                lambda: self.run(mapping(flush=False, dies=True), None, mapped),
            ]
        if have and q in self.known:

            def rename():
                self.paths = [p, q]
                self.tell("keeps", {p: have, q: have})
                self.run(program("mv %s %s" % (p, q)), ends, {p: None, q: have})

            choices += [rename] * 2
        r.choice(choices)()


def subreaper():
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def worker(n):
    subreaper()
    try:
        w = Worker(n)
        for _ in range(gestures):
            w.gesture()
    except OSError as e:
        if e.errno not in (errno.ENOTCONN, errno.ECONNABORTED):  # the mount was killed
            raise


workers = [multiprocessing.Process(target=worker, args=(n,)) for n in range(count)]
for w in workers:
    w.start()
for w in workers:
    w.join()
sys.exit(max(abs(w.exitcode) for w in workers))
