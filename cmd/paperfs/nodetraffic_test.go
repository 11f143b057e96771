package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"paperfs/remote/service/kit/pdftest"
)

// traffic records what workers make nodes do while nodes are killed, and the answers.
type traffic struct {
	c      *cluster
	client *http.Client
	stop   chan struct{}
	ended  sync.WaitGroup
	pdf    string // base64

	mu      sync.Mutex // guards the fields below
	nodes   []string   // URLs
	count   int        // changes answered with SUCCESS
	made    map[string]bool
	maybe   map[string]bool     // categories and papers with an unknown outcome
	files   map[string][]string // possible digests of each file, by name
	sure    map[string]bool     // files that must exist
	places  map[string][]string // possible addresses of a category that only one worker moves, by its name
	sent    []*sentPDF
	strange []string // answers other than SUCCESS and temporary failures
}

const trafficPages = 20

func newTraffic(c *cluster) *traffic {
	var pages []string
	for n := range trafficPages {
		pages = append(pages, fmt.Sprint("page ", n+1))
	}
	return &traffic{c: c, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}, stop: make(chan struct{}),
		pdf: base64.StdEncoding.EncodeToString(pdftest.Text(pages...)), made: map[string]bool{}, maybe: map[string]bool{},
		files: map[string][]string{}, sure: map[string]bool{}, places: map[string][]string{}}
}

func (f *traffic) keep(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// node returns the address of any node.
func (f *traffic) node() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.nodes[rand.IntN(len(f.nodes))]
}

var codeIn = regexp.MustCompile(`<code><!\[CDATA\[([A-Z_0-9]+)\]\]></code>`)

// ask calls an operation on any node; code is "" if the outcome is unknown.
func (f *traffic) ask(group, operation string, pairs ...string) (code, body string) {
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	login := url.Values{"username": {"APIKey"}, "plUsername": {"APIKey"}, "password": {f.c.key}, "plPassword": {f.c.key}}
	reply, err := f.client.Post(f.node()+"/V2/"+group+".asmx/"+operation, "application/x-www-form-urlencoded", strings.NewReader(login.Encode()+"&"+form.Encode()))
	if err != nil {
		return "", ""
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode == http.StatusServiceUnavailable {
		return "", ""
	}
	found := codeIn.FindStringSubmatch(string(text))
	if found == nil || found[1] == "ERROR" && strings.Contains(string(text), "The service failed") {
		f.keep(func() { f.strange = append(f.strange, fmt.Sprintf("%s: %d %.300s", operation, reply.StatusCode, text)) })
		return "", ""
	}
	if found[1] == "SUCCESS" && !strings.HasPrefix(operation, "Get") {
		f.keep(func() { f.count++ })
	}
	return found[1], string(text)
}

// playground is what the workers change. All of them move the shared categories, and each worker has
// its own category and paper.
type playground struct {
	shared, own, papers, homes []string // ids
}

// playground creates categories and papers through a node.
func (f *traffic) playground(node map[string]string) (g playground) {
	make := func(operation, name string) string {
		_, body := f.c.ask(node, "Paper", operation, "parentID", "1", "name", name, "urlName", name)
		return regexp.MustCompile(` id="(\d+)"`).FindStringSubmatch(body)[1]
	}
	for i := range 3 {
		g.shared = append(g.shared, make("CreateCategory", fmt.Sprint("shared", i)))
		own := fmt.Sprint("own", i)
		g.own, f.places[own] = append(g.own, make("CreateCategory", own)), []string{"/" + own + "/"}
		g.homes = append(g.homes, make("CreateCategory", fmt.Sprint("home", i)))
		g.papers = append(g.papers, make("CreatePaper", fmt.Sprint("paper", i)))
	}
	return g
}

// start runs workers until end is called: some change existing nodes, and the others send PDFs, so
// that one is always under way.
func (f *traffic) start(g playground) {
	for worker, paper := range g.papers {
		f.work(func(i int) {
			f.create("CreateCategory", fmt.Sprintf("w%d-%d", worker, i))
			f.upload(fmt.Sprintf("w%d", worker), i)
			at := rand.IntN(len(g.shared))
			f.move(g.shared[at], []string{"1", g.shared[(at+1)%len(g.shared)], g.shared[(at+2)%len(g.shared)]}[rand.IntN(3)])
			f.moveHome(g, worker, i%len(g.homes))
			if i%4 == 0 {
				f.process(paper, false)
			}
		})
		f.work(func(i int) { f.publish(fmt.Sprintf("p%d-%d", worker, i)) })
	}
}

// work repeats a step until end is called.
func (f *traffic) work(step func(i int)) {
	f.ended.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-f.stop:
				return
			default:
				step(i)
			}
		}
	})
}

// create creates a category or a paper below the root, and returns its id, or "" if the outcome is
// unknown.
func (f *traffic) create(operation, name string) (id string) {
	code, body := f.ask("Paper", operation, "parentID", "1", "name", name, "urlName", name)
	f.keep(func() {
		switch code {
		case "SUCCESS":
			f.made[name] = true
			id = regexp.MustCompile(` id="(\d+)"`).FindStringSubmatch(body)[1]
		case "":
			f.maybe[name] = true
		default:
			f.strange = append(f.strange, operation+": "+code)
		}
	})
	return id
}

func (f *traffic) move(category, to string) (code string) {
	code, _ = f.ask("Paper", "MovePaper", "sourcePaperID", category, "destinationParentID", to)
	return code
}

// moveHome moves a category that no other worker moves.
func (f *traffic) moveHome(g playground, worker, home int) {
	name := fmt.Sprint("own", worker)
	code := f.move(g.own[worker], g.homes[home])
	f.keep(func() {
		place := fmt.Sprintf("/home%d/%s/", home, name)
		switch {
		case code == "SUCCESS":
			f.places[name] = []string{place}
		case code == "":
			f.places[name] = append(f.places[name], place)
		case len(f.places[name]) < 2: // otherwise an earlier move of unknown outcome may have put it there
			f.strange = append(f.strange, "MovePaper: "+code)
		}
	})
}

// upload overwrites a file with content of various sizes: small enough for its record, larger, and
// large enough for several requests to the object store.
func (f *traffic) upload(name string, i int) {
	size := []int{3000, 200_000, 3000, 100_000, 9 << 20}[i%5] + rand.IntN(1000)
	content := bytes.Repeat(fmt.Appendf(nil, "%s %d ", name, i), size/8)
	sum := sha256.Sum256(content)
	digest := hex.EncodeToString(sum[:])
	code, _ := f.ask("Media", "UploadFile", "parentID", "0", "name", name, "base64File", base64.StdEncoding.EncodeToString(content))
	f.keep(func() {
		switch code {
		case "SUCCESS":
			f.files[name], f.sure[name] = []string{digest}, true
		case "":
			f.files[name] = append(f.files[name], digest)
		default:
			f.strange = append(f.strange, "UploadFile: "+code)
		}
	})
}

// answered returns how many changes were answered with SUCCESS.
func (f *traffic) answered() (count int) {
	f.keep(func() { count = f.count })
	return count
}

func (f *traffic) end() {
	close(f.stop)
	f.ended.Wait()
}
