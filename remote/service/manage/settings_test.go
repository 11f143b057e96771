package manage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// opens opens a dialog of the chosen paper or category.
func (b *tab) opens(button string) {
	b.Helper()
	b.click("button=" + button)
	b.until(`document.querySelector('dialog.wide')`)
}

// sets chooses a value of a control of the settings, by its label.
func (b *tab) sets(label, to string) {
	b.Helper()
	field := `[...document.querySelectorAll('dialog label')].find(l => l.textContent.startsWith(` + quote(label) + `)).querySelector('input, select')`
	b.until(field)
	require.True(b, value[bool](b, `(f => { f.value = `+quote(to)+`; f.dispatchEvent(new Event('change')); return f.value === `+quote(to)+` })(`+field+`)`), label)
}

func quote(text string) string {
	return "`" + strings.NewReplacer("`", "\\`", "$", "\\$").Replace(text) + "`"
}

// downloads returns the content of the file that an act downloads.
func (b *tab) downloads(act func()) string {
	b.Helper()
	dir := b.TempDir()
	executor := cdp.WithExecutor(b.ctx, chromedp.FromContext(b.ctx).Browser)
	require.NoError(b, browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(dir).WithBrowserContextID(b.cookies).Do(executor))
	act()
	var found []string
	require.Eventually(b, func() bool {
		found, _ = filepath.Glob(filepath.Join(dir, "*"))
		return len(found) == 1 && !strings.HasSuffix(found[0], ".crdownload") && !strings.HasPrefix(filepath.Base(found[0]), ".")
	}, testrun.Patience()/6, 20*time.Millisecond)
	content, err := os.ReadFile(found[0])
	require.NoError(b, err)
	return string(content)
}

// settingIs waits until a node has a value.
func (h *house) settingIs(id int64, name, want string) {
	h.Helper()
	require.Eventually(h, func() bool {
		got, err := h.client.GetSetting(h.Context(), id, name)
		return err == nil && got == want
	}, testrun.Patience()/6, 20*time.Millisecond, name)
}

// TestSettingsAreSeenAtOnce sets and resets settings of a paper and of its category: the reader beside them shows each.
func TestSettingsAreSeenAtOnce(t *testing.T) {
	h := open(t)
	ids := h.library()
	require.NoError(t, h.client.SetSetting(t.Context(), 1, "language", "fr"))
	require.NoError(t, h.admin().AddField("default", admin.Field{Name: "Season", Type: "string"}))
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.choose(ids["prices"]) // it is not public
	b.opens("Settings")
	frame := `document.querySelector('iframe').contentDocument?.documentElement`
	b.until(frame + `?.lang === 'fr'`)
	b.picture("settings")
	b.sets("Language", "de")
	h.settingIs(ids["prices"], "language", "de")
	b.until(frame + `?.lang === 'de'`)
	b.says("Its own, in place of: fr")
	b.sets("Language", "no language at all")
	b.says("The value of language has to be empty or a language such as en or de-CH.")
	b.click("#set-language .row button")
	h.settingIs(ids["prices"], "language", "fr")
	b.until(frame + `?.lang === 'fr'`)
	b.until(`!document.querySelector("#set-language .row button").checkVisibility()`)
	b.sets("Stage", "dark")
	h.settingIs(ids["prices"], "stage", "dark")
	b.drop("#set-logo .drop", file(t, "our logo.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>`)))
	h.settingIs(ids["prices"], "logo", "brand/our logo.svg")
	b.until(frame + `?.querySelector('img[src*="/media/"]')?.naturalWidth > 0`)
	b.drop("#set-logo .drop", file(t, "notes.txt", []byte("no")))
	b.says("The value of logo has to be")
	require.Eventually(t, func() bool {
		tree, err := h.client.GetTree(t.Context())
		return err == nil && !strings.Contains(fmt.Sprint(tree), "notes.txt")
	}, testrun.Patience()/6, 20*time.Millisecond, "what is refused does not stay")
	b.do(chromedp.Evaluate(`for (const by of ['Email', 'Print']) document.querySelector('#set-checkout [value=CheckoutBy' + by + ']').click()`, nil)) // faster than an answer
	h.settingIs(ids["prices"], "checkout", "CheckoutByEmail CheckoutByPrint")
	b.sets("Season", "spring")
	require.Eventually(t, func() bool {
		v, _, err := h.client.GetCustomFieldValue(t.Context(), ids["prices"], "Season")
		return err == nil && v == "spring"
	}, testrun.Patience()/6, 20*time.Millisecond)
	b.picture("settings-set")

	b.do(chromedp.Navigate(h.URL+"/manage/sessions"), chromedp.Navigate(h.URL+"/manage/"))
	b.ready()
	b.choose(ids["catalogues"])
	b.click("#about-category")
	b.opens("Settings")
	b.sets("Title of the shelf", "All of them <i>")
	h.settingIs(ids["catalogues"], "shelfTitle", "All of them <i>")
	b.until(`document.querySelector('iframe').contentDocument?.querySelector('h1')?.textContent === 'All of them <i>'`)
	b.drop("#set-logo .drop", file(t, "our logo.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>`)))
	h.settingIs(ids["catalogues"], "logo", "brand/our logo-2.svg") // the paper keeps its own
}

// TestSettingsOfTwoPeople changes settings and fields that somebody else changed while the dialog was open: by the page, and by a mount.
func TestSettingsOfTwoPeople(t *testing.T) {
	h := open(t)
	ids := h.library()
	require.NoError(t, h.admin().AddField("default", admin.Field{Name: "Season", Type: "string"}))
	anna, ben := desk.browser(t), desk.browser(t)
	anna.signIn(h, "anna", h.account("anna", remote.Editor))
	ben.signIn(h, "ben", h.account("ben", remote.Editor))
	for _, b := range []*tab{anna, ben} {
		b.choose(ids["autumn"])
		b.opens("Settings")
	}
	anna.sets("Stage", "dark")
	h.settingIs(ids["autumn"], "stage", "dark")
	ben.sets("Stage", "light")
	ben.says("anna changed this to “Dark” meanwhile, so “Light” was not stored. Enter it again to replace theirs.")
	h.settingIs(ids["autumn"], "stage", "dark")
	require.Equal(t, "dark", value[string](ben, `document.querySelector('#set-stage select').value`))
	ben.picture("setting-changed-by-another")
	ben.sets("Language", "de") // what nobody else changed
	h.settingIs(ids["autumn"], "language", "de")
	ben.sets("Stage", "light")
	h.settingIs(ids["autumn"], "stage", "light")
	require.NoError(t, h.client.SetSetting(t.Context(), ids["autumn"], "publisher", "Of the mount"))
	require.NoError(t, h.client.SetCustomFieldValue(t.Context(), ids["autumn"], "Season", "winter"))
	for label, theirs := range map[string]string{"Publisher": "Of the mount", "Season": "winter"} {
		anna.sets(label, "Anna's")
		anna.says("changed this to “" + theirs + "” meanwhile, so “Anna's” was not stored.")
	}
	anna.sets("Publisher", "Anna's")
	h.settingIs(ids["autumn"], "publisher", "Anna's")
}

// TestACopyByThePage makes a copy, which is a draft.
func TestACopyByThePage(t *testing.T) {
	h := open(t)
	ids := h.library()
	b := desk.browser(t)
	b.signIn(h, "anna", h.account("anna", remote.Editor))
	b.choose(ids["autumn"])
	b.click("button=Make a copy")
	b.typing("dialog input", "Autumn <again>")
	b.click("button=Make")
	b.says("“Autumn <again>” is a draft")
	b.until(`document.querySelector('aside input').value === 'Autumn <again>'`)
	b.until(`document.querySelector('aside img')?.naturalWidth > 0`)
	b.says("Publish")
}

// TestEarlierPDFs replaces a PDF, looks at the one before, and brings it back.
func TestEarlierPDFs(t *testing.T) {
	h := open(t)
	ids := h.library()
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.choose(ids["autumn"])
	b.opens("Earlier PDFs")
	b.says("No earlier PDF is kept.")
	b.click("dialog .quiet")
	job, err := h.client.ProcessPDF(t.Context(), ids["autumn"], "", content(pdftest.Text("other")))
	require.NoError(t, err)
	h.processed(job.GUID)
	b.says("Pages: 1")
	b.opens("Earlier PDFs")
	b.says(h.Username + " · ")
	b.picture("versions")
	got := b.downloads(func() { b.click("button=Look at it") })
	require.Equal(t, string(pdftest.Document(colourful([]string{"Autumn", "two"}))), got)
	b.click("button=Bring back")
	b.says("The earlier PDF is made into pages.")
	b.says("Pages: 2")
}
