package manage_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestDropsBecomePapers drops real files on the page: each becomes a draft, and is shown with its cover; what is no PDF says so.
func TestDropsBecomePapers(t *testing.T) {
	h := open(t)
	key := h.account("anna", remote.Editor)
	b := desk.browser(t)
	b.signIn(h, "anna", key)
	b.picture("empty")
	b.drop("main", file(t, "Spring_sale 2027.pdf", pdftest.Text("Spring", "two", "three")), file(t, "Über uns <b>.pdf", pdftest.Text("Us")), file(t, "notes.txt", []byte("no")),
		file(t, "broken.pdf", []byte("%PDF-1.7 and no more")))
	b.says("This is not a PDF.")
	b.until(`document.querySelectorAll('#cards img').length === 2`)
	b.says("Spring sale 2027")
	b.says("Über uns <b>")
	b.until(`document.querySelectorAll('.state[data-look=hidden]').length === 2`)
	b.until(`document.querySelectorAll('#cards .bad').length === 2`)
	b.picture("dropped")
	require.Equal(t, 0, value[int](b, `document.querySelectorAll('#cards b').length`))
	b.click("span.name=Spring sale 2027")
	b.says("Publish")
	b.until(`document.querySelector('aside img')?.naturalWidth > 0`)
	b.picture("paper")
	b.click("button=Publish")
	b.until(`document.querySelector('.state[data-look=public]')`)
	b.types("aside label:nth-of-type(1) input", "Spring")
	b.until(`document.querySelector('.folder, li a[aria-current] .name').textContent === 'Spring'`)
	b.picture("published")
}

// library is a tree with papers for tests that look at the page.
func (h *house) library() map[string]int64 {
	h.Helper()
	root := remote.Node{ID: 1, URL: "/"}
	ids := map[string]int64{}
	category := func(parent remote.Node, name, segment string) remote.Node {
		id, err := h.client.CreateCategory(h.Context(), parent, name, segment)
		require.NoError(h, err)
		ids[segment] = id
		return remote.Node{ID: id, URL: parent.URL + segment + "/"}
	}
	paper := func(parent remote.Node, name, segment string, sheets ...string) {
		id, err := h.client.CreatePaper(h.Context(), parent, name, segment)
		require.NoError(h, err)
		ids[segment] = id
		if len(sheets) == 0 {
			return
		}
		job, err := h.client.ProcessPDF(h.Context(), id, "", content(pdftest.Document(colourful(sheets))))
		require.NoError(h, err)
		h.processed(job.GUID)
	}
	catalogues := category(root, "Catalogues", "catalogues")
	category(catalogues, "2026", "2026")
	paper(root, "Autumn magazine", "autumn", "Autumn", "two")
	paper(root, "Price list <script>alert(1)</script>", "prices", "Prices")
	paper(root, "Summer with a rather long name that takes more than one line on its card", "summer", "Summer")
	paper(root, "Nothing yet", "nothing")
	paper(catalogues, "Garden catalogue", "garden", "Garden")
	require.NoError(h, h.client.SetSetting(h.Context(), ids["prices"], "public", "false"))
	now := time.Now().UTC().Truncate(time.Minute)
	require.NoError(h, h.client.SetPublicationPeriod(h.Context(), ids["summer"], remote.Period{From: now.Add(48 * time.Hour), To: now.Add(30 * 24 * time.Hour)}))
	return ids
}

// colourful are pages that look different in small, too.
func colourful(texts []string) (sheets []pdftest.Sheet) {
	for _, text := range texts {
		sheets = append(sheets, pdftest.Sheet{Text: text, Content: fmt.Sprintf("q %.1f 0.6 0.5 rg 50 250 500 400 re f 1 1 1 rg 100 %d 200 60 re f Q", float64(len(text)%10)/10, 300+len(text)*20)})
	}
	return sheets
}

// content is a PDF that a client sends.
type content []byte

func (c content) Size() int64                  { return int64(len(c)) }
func (c content) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c)), nil }

func (h *house) processed(guid string) {
	h.Helper()
	require.Eventually(h, func() bool {
		status, _, err := h.client.GetProcessingStatus(h.Context(), guid)
		return err == nil && status == remote.JobCompleted
	}, testrun.Patience(), 20*time.Millisecond)
}

// TestPublishersSeeEachOther lets two people work on one paper in two browsers: each sees within a second what the other does, and a conflict says who
// changed what, and keeps what was typed.
func TestPublishersSeeEachOther(t *testing.T) {
	h := open(t)
	ids := h.library()
	anna, ben := desk.browser(t), desk.browser(t)
	anna.signIn(h, "anna", h.account("anna", remote.Editor))
	ben.signIn(h, "ben", h.account("ben", remote.Editor))
	at := fmt.Sprintf("location.hash = '#%d'", ids["autumn"])
	for _, b := range []*tab{anna, ben} {
		b.do(chromedp.Evaluate(at, nil))
		b.until(`document.querySelector('aside input')?.value === 'Autumn magazine'`)
	}
	ben.typing("aside label input", "Ben's autumn")
	began := time.Now()
	anna.types("aside label input", "Anna's autumn")
	ben.until(`document.querySelector('li a[aria-current] .name').textContent === "Anna's autumn"`)
	require.Less(t, time.Since(began), 2*time.Second)
	ben.says("anna changed this to “Anna's autumn” meanwhile")
	require.Equal(t, "Ben's autumn", value[string](ben, `document.querySelector('aside input').value`), "what was typed is kept")
	ben.picture("changed-by-another")
	ben.do(chromedp.KeyEvent("\r"))
	anna.until(`document.querySelector('aside input').value === "Ben's autumn"`)
	// Each moves it at once: the later one is told.
	anna.do(chromedp.Evaluate(`window.fetch = (real => (...a) => String(a[0]).includes('Events/Wait') ? new Promise(() => {}) : real(...a))(fetch)`, nil))
	require.NoError(t, h.client.RenamePaper(t.Context(), ids["autumn"], "Of the API", 0))
	ben.until(`document.querySelector('aside input').value === 'Of the API'`)
	anna.until(`document.querySelector('aside input').value === 'Of the API'`) // by the request that was held
	require.NoError(t, h.client.RenamePaper(t.Context(), ids["autumn"], "Again", 0))
	anna.types("aside label input", "Mine")
	anna.says("changed this publication meanwhile. What you typed is kept")
	require.Equal(t, "Mine", value[string](anna, `document.querySelector('aside input').value`))
	anna.picture("conflict")
	anna.typing("aside label input", "Mine, still")
	anna.do(chromedp.KeyEvent("\r"))
	ben.until(`document.querySelector('aside input').value === 'Mine, still'`)
}

// TestAPaperHasItsDay deletes and brings back, moves by drag and by choice, publishes for a time, and makes links.
func TestAPaperHasItsDay(t *testing.T) {
	h := open(t)
	ids := h.library()
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.until(`document.querySelectorAll('#cards img').length === 3`)
	b.picture("library")
	b.click("span.name=Autumn magazine")
	b.says("Delete")
	b.click("button=Delete")
	b.says("“Autumn magazine” is deleted.")
	b.picture("deleted")
	b.click("button=Undo")
	b.click("span.name=Autumn magazine")
	// Moved by drag, and back by the choice.
	b.drag(fmt.Sprintf(`[data-node="%d"] a`, ids["autumn"]), fmt.Sprintf(`nav [data-category="%d"]`, ids["catalogues"]))
	b.says("“Autumn magazine” is in “Catalogues” now.")
	require.Equal(t, "/catalogues/autumn/", h.url(ids["autumn"]))
	b.do(chromedp.Evaluate(`(s => { s.value = '1'; s.dispatchEvent(new Event('change')) })(document.querySelector('aside select'))`, nil))
	b.says("is in “default” now.")
	require.Equal(t, "/autumn/", h.url(ids["autumn"]))
	// From … to …, in the time zone of the browser.
	b.click("label=From … to …")
	b.says("Europe/Berlin")
	b.do(chromedp.SetValue(`aside form label:nth-of-type(1) input`, "2031-07-01T08:00"), chromedp.SetValue(`aside form label:nth-of-type(2) input`, "2031-08-01T08:00"))
	b.click("button=Set the period")
	b.until(`document.querySelector('[aria-current] .state').dataset.look === 'later'`)
	b.picture("period")
	require.Equal(t, []string{"2031-07-01 06:00:00", "2031-08-01 06:00:00"}, h.period(ids["autumn"]))
	b.click("label=Not public")
	b.until(`document.querySelector('[aria-current] .state').dataset.look === 'hidden'`)
	b.click("label=Public now")
	b.until(`document.querySelector('[aria-current] .state').dataset.look === 'public'`)
	require.Empty(t, h.period(ids["autumn"]))
	b.types("aside label:nth-of-type(2) input", "herbst")
	b.until(`document.querySelector('aside a.button').href.endsWith('/herbst/')`)
	b.types("aside label:nth-of-type(2) input", "summer")
	b.says("is taken in this category")
	// Links.
	b.click("button=Share")
	b.until(`document.querySelector('.qr img').naturalWidth > 0 || document.querySelector('.qr img').complete`)
	b.picture("share")
	require.Equal(t, h.URL+"/herbst/", value[string](b, `document.querySelector('dialog input').value`))
	require.Contains(t, value[string](b, `document.querySelector('dialog textarea').value`), `<iframe src="`+h.URL+`/herbst/"`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector('dialog')`)
	b.click("button=Preview link")
	b.click("button=Make")
	b.until(`document.querySelector('dialog > input').value`)
	link := value[string](b, `document.querySelector('dialog > input').value`)
	require.NoError(t, h.client.SetSetting(t.Context(), ids["autumn"], "public", "false"))
	require.Equal(t, http.StatusOK, status(t, link))
	require.Equal(t, http.StatusNotFound, status(t, h.URL+"/herbst/"))
	b.picture("preview")
	b.do(chromedp.KeyEvent(kb.Escape))
	// Replaced by a drop on its card.
	b.drop(fmt.Sprintf(`[data-node="%d"]`, ids["autumn"]), file(t, "new.pdf", pdftest.Text("1", "2", "3", "4", "5")))
	b.says("Pages: 5")
	require.Equal(t, "/herbst/", h.url(ids["autumn"]))
	// A category of its own, found again by its name.
	b.click("button=New category")
	b.typing("dialog input", "Ältere Hefte")
	b.picture("new-category")
	b.click("dialog button.main")
	b.until(`document.querySelector('main h1').textContent === 'Ältere Hefte'`)
	require.Equal(t, "/altere-hefte/", h.url(value[int64](b, `Number(location.hash.slice(1))`)))
	b.picture("new")
	b.typing("#find", "hefte")
	b.says("1 found")
	b.typing("#find", "script")
	b.says("Price list <script>alert(1)</script>")
	b.picture("search")
}

// TestQRCodesAreRead decodes the code of a paper's address.
func TestQRCodesAreRead(t *testing.T) {
	h := open(t)
	decoder := testrun.Program(t, "zbarimg")
	ids := h.library()
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.expects("favicon.ico")
	b.do(chromedp.Navigate(fmt.Sprintf("%s/manage/qr?paper=%d", h.URL, ids["garden"])))
	var png []byte
	b.expects("favicon.ico")
	b.do(chromedp.CaptureScreenshot(&png))
	out := testrun.Must(exec.Command(decoder, "--raw", "-q", file(t, "qr.png", png)).Output())(t)
	require.Equal(t, h.URL+"/catalogues/garden/", strings.TrimSpace(string(out)))
}

func (h *house) url(id int64) string {
	h.Helper()
	url, err := h.client.GetPaperUrlFromID(h.Context(), id)
	require.NoError(h, err)
	return url
}

func (h *house) period(id int64) (times []string) {
	h.Helper()
	require.NoError(h, h.client.GetAllPapers(h.Context(), 1, func(n remote.Node) error {
		if n.ID == id && !n.Period.IsZero() {
			times = []string{n.Period.From.Format(time.DateTime), n.Period.To.Format(time.DateTime)}
		}
		return nil
	}))
	return times
}

func status(t testing.TB, url string) int {
	t.Helper()
	response := testrun.Must(http.Get(url))(t)
	response.Body.Close()
	return response.StatusCode
}

// drag drags an element onto another, as a mouse does.
func (b *tab) drag(from, to string) {
	b.Helper()
	x, y := b.place(from)
	toX, toY := b.place(to)
	caught := make(chan *input.DragData, 1)
	chromedp.ListenTarget(b.ctx, func(event any) {
		if e, is := event.(*input.EventDragIntercepted); is {
			caught <- e.Data
		}
	})
	b.do(input.SetInterceptDrags(true), input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1), input.DispatchMouseEvent(input.MouseMoved, x+9, y+9).WithButton(input.Left),
		input.DispatchMouseEvent(input.MouseMoved, x+20, y+20).WithButton(input.Left))
	data := <-caught
	for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
		b.do(input.DispatchDragEvent(kind, toX, toY, data))
	}
	b.do(input.DispatchMouseEvent(input.MouseReleased, toX, toY).WithButton(input.Left), input.SetInterceptDrags(false))
}
