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
	"slices"
	"strings"
	"sync"
	"testing"

	"paperfs/remote/service/pdf/pdftest"

	"github.com/stretchr/testify/require"
)

// traffic is what workers have nodes do while these are killed, and what they were told.
type traffic struct {
	c      *cluster
	client *http.Client
	stop   chan struct{}
	ended  sync.WaitGroup
	pdf    string // in base64

	mu      sync.Mutex // guards all below
	nodes   []string   // URLs
	count   int        // answers SUCCESS to changes
	made    map[string]bool
	maybe   map[string]bool     // categories whose outcome is not known
	files   map[string][]string // digests that a file may have, by name
	sure    map[string]bool     // files that are there
	jobs    []string
	strange []string // answers that are no failure which passes
}

const trafficPages = 4

func newTraffic(c *cluster) *traffic {
	var pages []string
	for n := range trafficPages {
		pages = append(pages, fmt.Sprint("page ", n+1))
	}
	return &traffic{c: c, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}, stop: make(chan struct{}),
		pdf: base64.StdEncoding.EncodeToString(pdftest.Text(pages...)), made: map[string]bool{}, maybe: map[string]bool{},
		files: map[string][]string{}, sure: map[string]bool{}}
}

func (f *traffic) keep(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// node is one of those that there are.
func (f *traffic) node() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.nodes[rand.IntN(len(f.nodes))]
}

var codeIn = regexp.MustCompile(`<code><!\[CDATA\[([A-Z_0-9]+)\]\]></code>`)

// ask calls an operation of any node: code is "" where nobody knows what came of it.
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
	if found[1] == "SUCCESS" {
		f.keep(func() { f.count++ })
	}
	return found[1], string(text)
}

// start has workers work until end is called. Shared are categories that all move.
func (f *traffic) start(shared, papers []string) {
	for worker, paper := range papers {
		f.ended.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-f.stop:
					return
				default:
				}
				f.create(fmt.Sprintf("w%d-%d", worker, i))
				f.upload(fmt.Sprintf("w%d", worker), i)
				at := rand.IntN(len(shared))
				f.ask("Paper", "MovePaper", "sourcePaperID", shared[at], "destinationParentID", []string{"1", shared[(at+1)%len(shared)], shared[(at+2)%len(shared)]}[rand.IntN(3)])
				if i%4 == 0 {
					f.process(paper)
				}
			}
		})
	}
}

func (f *traffic) create(name string) {
	code, _ := f.ask("Paper", "CreateCategory", "parentID", "1", "name", name, "urlName", name)
	f.keep(func() {
		switch code {
		case "SUCCESS":
			f.made[name] = true
		case "":
			f.maybe[name] = true
		default:
			f.strange = append(f.strange, "CreateCategory: "+code)
		}
	})
}

// upload overwrites a file: with a little that is kept in its record, with more, and with
// what takes several requests to the object store.
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

func (f *traffic) process(paper string) {
	code, body := f.ask("Ripper", "ProcessPDF", "paperID", paper, "xmlOptions", "", "base64Pdf", f.pdf)
	if code == "SUCCESS" {
		guid := regexp.MustCompile(`<jobGuid><!\[CDATA\[(.*?)\]\]></jobGuid>`).FindStringSubmatch(body)
		f.keep(func() { f.jobs = append(f.jobs, guid[1]) })
	}
}

// answered is how many changes were answered SUCCESS.
func (f *traffic) answered() (count int) {
	f.keep(func() { count = f.count })
	return count
}

func (f *traffic) end() {
	close(f.stop)
	f.ended.Wait()
}

// check looks at a node whether all that was answered is there, whole, and once.
func (f *traffic) check(t *testing.T, node map[string]string, shared, papers []string) {
	t.Helper()
	require.Empty(t, f.strange)
	_, tree := f.c.ask(node, "Paper", "GetAllPapers", "paperID", "1")
	names := regexp.MustCompile(` name="(w\d+-\d+)" `).FindAllStringSubmatch(tree, -1)
	seen := map[string]int{}
	for _, n := range names {
		seen[n[1]]++
		require.Equal(t, 1, seen[n[1]], n[1])
		require.True(t, f.made[n[1]] || f.maybe[n[1]], n[1])
	}
	for name := range f.made {
		require.Equal(t, 1, seen[name], "%s was answered SUCCESS", name)
	}
	for _, id := range shared {
		require.Len(t, regexp.MustCompile(` id="`+id+`" `).FindAllString(tree, -1), 1, "each is in the tree once, and so there is no cycle")
	}
	_, media := f.c.ask(node, "Media", "GetTree")
	for name, digests := range f.files {
		if !f.sure[name] && !strings.Contains(media, `name="`+name+`"`) {
			continue
		}
		sum := sha256.Sum256([]byte(f.c.download(media, name)))
		require.True(t, slices.Contains(digests, hex.EncodeToString(sum[:])), name)
	}
	f.checkJobs(t, node, papers)
}

// checkJobs: each ended, and papers have all pages or none.
func (f *traffic) checkJobs(t *testing.T, node map[string]string, papers []string) {
	completed := 0
	for _, job := range f.jobs {
		var body string
		require.Eventually(t, func() bool {
			_, body = f.c.ask(node, "Ripper", "GetProcessingStatus", "jobGuid", job)
			return !strings.Contains(body, "Pending")
		}, patience, pause)
		if strings.Contains(body, "Completed") {
			completed++
			continue
		}
		require.Contains(t, body, "begun several times", "only those who do the work are killed")
	}
	for _, paper := range papers {
		_, body := f.c.ask(node, "Paper", "GetPaperStructure", "paperID", paper, "includeIndexedText", "false")
		pages := strings.Count(body, "<page ")
		require.True(t, pages == 0 || pages == trafficPages, body)
	}
	t.Logf("%d changes answered, %d categories, %d of unknown outcome, %d jobs, %d completed", f.count, len(f.made), len(f.maybe), len(f.jobs), completed)
}
