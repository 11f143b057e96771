package mounttest

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"

	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// newPublisher mounts the small publisher of the import's example, at a time at which its orders
// are of the last three months.
func newPublisher(t *testing.T, flags ...string) *mounted {
	t.Helper()
	fixture := servicetest.Start(t, func(o *service.Options) {
		o.Now = func() time.Time { return time.Date(2031, 5, 4, 10, 0, 0, 0, time.UTC) }
	})
	example := testrun.Must(os.Open("../../remote/service/testdata/import.xml"))(t)
	defer example.Close()
	testrun.Must(fixture.Admin().Import(example, "default"))(t)
	return newMountOf(t, fixture, flags...)
}

const spring = `'papers/Garden tools/Spring 2031.paper'`

func TestDocuments(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "xmllint")
	m := newPublisher(t)
	assert.Equal(t, "3", m.sh(`xmllint --xpath 'count(/paper/pages/page)' `+spring+`/structure.xml`))
	assert.Equal(t, "Spring is here. Rakes from 9.", m.sh(`xmllint --xpath 'string(/paper/pages/page[1]/text)' `+spring+`/structure-text.xml`))
	assert.Equal(t, "0", m.sh(`xmllint --xpath 'count(//text)' `+spring+`/structure.xml`))
	assert.Equal(t, "2", m.sh(`xmllint --xpath 'count(/root/link)' `+spring+`/links.xml`))
	assert.Equal(t, "Zk81qP", m.sh(`xmllint --xpath 'string(//order/@orderId)' `+spring+`/orders/CheckoutByPrint.xml`))
	assert.Equal(t, "2", m.sh(`xmllint --xpath 'count(//order)' `+spring+`/orders/all.xml`))
	assert.Equal(t, "0", m.sh(`xmllint --xpath 'string(//orders/@count)' `+spring+`/orders/CheckoutBySms.xml`))
}

func TestPages(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	m.sh(`ls ` + spring)
	assert.Empty(t, m.cost(`test -d `+spring+`/pages/002`))
	assert.Equal(t, "001\n002\n003", m.sh(`ls `+spring+`/pages`))
	assert.Equal(t, "Spring is here. Rakes from 9.", m.sh(`cat `+spring+`/pages/001/text.txt`))
	m.fails(`test -e ` + spring + `/pages/004`)
	m.fails(`test -e ` + spring + `/pages/1`)
}

// TestProgramsReadDocumentsWhole checks that programs read a whole document, although its size is
// not known before it is opened.
func TestProgramsReadDocumentsWhole(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	m.sh(`cat ` + spring + `/structure-text.xml > "$HOME/whole"`)
	for name, copies := range map[string]string{
		"cat":     `cat F > "$HOME/copy"`,
		"cp":      `cp F "$HOME/copy"`,
		"cp -a":   `cp -a F "$HOME/copy"`,
		"dd":      `dd if=F of="$HOME/copy" status=none`,
		"tar":     `tar cf - F | tar xOf - > "$HOME/copy"`,
		"rsync":   `rsync -a F "$HOME/copy"`,
		"busybox": `busybox cat F > "$HOME/copy"`,
		"python":  `python3 -c 'import sys, shutil; shutil.copyfile(sys.argv[1], sys.argv[2])' F "$HOME/copy"`,
		"mmap":    `python3 -c 'import sys, mmap; f = open(sys.argv[1], "rb"); open(sys.argv[2], "wb").write(mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)[:])' F "$HOME/copy"`,
		"sendfile": `python3 -c 'import os, sys; f = os.open(sys.argv[1], 0); g = os.open(sys.argv[2], os.O_CREAT | os.O_WRONLY)
while os.sendfile(g, f, None, 1 << 20): pass' F "$HOME/copy"`,
		"tail": `tail -c +1 F > "$HOME/copy"`,
		"grep": `grep '' F > "$HOME/copy"; truncate -s $(stat -c %s "$HOME/whole") "$HOME/copy"`,
	} {
		if tool := strings.Fields(copies)[0]; name == "busybox" || name == "rsync" {
			testrun.Program(t, tool)
		}
		t.Run(name, func(t *testing.T) {
			// Once the document is dropped from the cache, its size is unknown again.
			m.sh(`rm -f "$HOME/copy"; echo > .paperfs/refresh`)
			m.sh(strings.ReplaceAll(copies, "F ", spring+`/structure-text.xml `) + `; cmp "$HOME/whole" "$HOME/copy"`)
		})
	}
}

func TestSearches(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	m.sh(`ls papers`)
	assert.Empty(t, m.cost(`test -d papers/.search/content/rakes; test -d papers/.search/pages/rakes; test -d `+spring+`/.search/pages/rakes`),
		"a lookup of a query costs no request")
	assert.Equal(t, []string{"SearchPapersWithHiearchyByContent"}, m.cost(`ls papers/.search/content/RAKES > /dev/null`))
	assert.Equal(t, "001 Spring 2031.paper\nresults.xml", m.sh(`ls papers/.search/content/RAKES`))
	assert.Equal(t, "/garden/spring-2031/", m.sh(`cat 'papers/.search/content/RAKES/001 Spring 2031.paper/url'`))
	assert.Equal(t, []string{"SearchPapersByContent"}, m.cost(`ls 'papers/Garden tools/.search/pages/über blumen' > /dev/null`))
	assert.Equal(t, "001 Spring 2031.paper p002\nresults.xml", m.sh(`ls 'papers/Garden tools/.search/pages/über blumen'`))
	assert.Contains(t, m.sh(`cat 'papers/Garden tools/.search/pages/über blumen/001 Spring 2031.paper p002/text.txt'`), "ÜBER")
	assert.Equal(t, "001 Spring 2031.paper p002\nresults.xml", m.sh(`ls `+spring+`/.search/pages/blumen`))
	assert.Equal(t, []string(nil), m.cost(`"$PAPERFS" url 'papers/Garden tools/.search/pages/über blumen/001 Spring 2031.paper p002' | grep "/?Page=2$"`), "the address of a page costs no request")
	assert.Equal(t, []string{"SearchPapersByCustomFields"}, m.cost(`ls 'papers/.search/fields/Season=spr*&PageTarget=48' > /dev/null`))
	assert.Equal(t, "001 Spring 2031.paper\nresults.xml", m.sh(`ls 'papers/.search/fields/Season=spr*&PageTarget=48'`))
	assert.Equal(t, "1", m.sh(`xmllint --xpath 'count(/papers/paper)' 'papers/.search/fields/Season=spr*/results.xml'`))

	assert.Empty(t, m.sh(`ls papers/.search/content/nothing-of-the-kind`), "a search without results is an empty directory")
	assert.Equal(t, "0", m.sh(`xmllint --xpath 'count(/papers/paper)' papers/.search/content/nothing-of-the-kind/results.xml`))
	assert.Empty(t, m.cost(`! test -e papers/.search/content/.git`))
	assert.Contains(t, m.fails(`ls 'papers/.search/fields/Nothing=1'`), "Invalid argument")
	assert.Contains(t, m.sh(`"$PAPERFS" why 'papers/.search/fields/Nothing=1'`), "failed with EINVAL (the service answered CUSTOMFIELD_FIELD_DOES_NOT_EXIST)")
	assert.Contains(t, m.fails(`cat 'papers/.search/fields/Nothing=1/results.xml'`), "No such file")
}

func TestCustomFields(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	m.sh(`ls ` + spring)
	assert.Empty(t, m.cost(`! test -e `+spring+`/fields/.git; ! test -e `+spring+`/settings/.git`), "a lookup of a name with a dot costs no request")
	assert.Equal(t, "Approved\nPageTarget\nPrinted\nSeason", m.sh(`ls `+spring+`/fields`))
	assert.Equal(t, "Spring", m.sh(`cat `+spring+`/fields/Season`))
	assert.Equal(t, "48", m.sh(`cat `+spring+`/fields/PageTarget`))
	assert.Equal(t, []string{"SetCustomFieldValue"}, m.cost(`echo 64 > `+spring+`/fields/PageTarget`))
	assert.Equal(t, "64", m.sh(`cat `+spring+`/fields/PageTarget`))
	assert.Contains(t, m.fails(`echo many > `+spring+`/fields/PageTarget`), "Invalid argument")
	m.sh(`echo > ` + spring + `/fields/PageTarget`)
	assert.Empty(t, m.sh(`cat `+spring+`/fields/PageTarget`), "the field has no value")
}

func TestJobs(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	const guid = "8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11"
	m.sh(`test "$(cat jobs/` + strings.ToUpper(guid) + `)" = Completed`)
	assert.Equal(t, 1, m.proxy.Count(remote.GetProcessingStatus))
	assert.Equal(t, guid, m.sh(`ls jobs`))
	assert.Empty(t, m.cost(`cat jobs/`+guid), "a final status is cached")
	assert.Contains(t, m.fails(`cat jobs/00000000-0000-0000-0000-000000000000`), "No such file")
	assert.Empty(t, m.cost(`! test -e jobs/nothing`))
}

func TestOnlyTheTwenty(t *testing.T) {
	t.Parallel()
	m := newPublisher(t, "--only-twenty", "--allow-delete")
	m.sh(`find . > /dev/null && mkdir media/d && echo x > media/d/f && cat media/d/f && cat ` + spring + `/settings/language`)
	for _, r := range m.proxy.Requests() {
		if r.Op != nil {
			assert.False(t, r.Op.Extended, r.Op.Name)
		}
	}
	assert.Contains(t, m.fails(`echo > `+spring+`/publication`), "not supported")
	assert.Contains(t, m.fails(`echo x > `+spring+`/settings/language`), "not supported")
	assert.Contains(t, m.fails(`rm media/d/f`), "not supported")
	m.remount("--only-twenty")
	assert.Equal(t, "x", m.sh(`cat media/d/f`), "only the local state has the tree")
}
