package mounttest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// The tests of the design's request table, one per row. The proxy counts.

// planted mounts a service that has some content from elsewhere.
func planted(t *testing.T, flags ...string) *mounted {
	m := newMount(t, flags...)
	m.sh(`mkdir -p papers/A/B media/d && mkdir papers/A/X.paper papers/A/B/Y.paper && echo one > media/one && echo two > media/d/two`)
	m.stop()
	m.proxy.Reset()
	m.start(flags...)
	m.waitForRequest(remote.GetAllPapers) // the saved tree is refreshed in the background
	return m
}

func TestWalkingEverythingCostsAtMostFiveColdAndNothingWarm(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p papers/A/B && mkdir papers/A/X.paper papers/A/B/Y.paper && mkdir media/d && echo two > media/d/two`)
	m.forgetState()
	m.proxy.Reset()
	m.start()
	m.sh(`ls -lR . > /dev/null; find . > /dev/null; du -s . > /dev/null`)
	asked := m.asked()
	slices.Sort(asked)
	assert.Equal(t, []string{"GetAllPapers", "GetCustomFieldDefinitions", "GetPaperIDFromUrl",
		"GetSettingDescriptions", "GetTree"}, asked)
	assert.Empty(t, m.cost(`ls -lR . > /dev/null; find . > /dev/null; du -s . > /dev/null`), "the second run costs no request")
}

// TestARemountAsksForTheTreeOnce checks that the saved tree is served at once and refreshed in the
// background, and that the lists and the media state stay valid for their time to live.
func TestARemountAsksForTheTreeOnce(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`find . > /dev/null`)
	m.stop()
	m.proxy.Reset()
	m.start()
	m.sh(`find . > /dev/null; find . > /dev/null`)
	m.waitForRequest(remote.GetAllPapers)
	assert.Equal(t, []string{"GetAllPapers"}, m.asked())
}

func TestWhatTheCatalogueKnowsCostsNothing(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`ls papers media`)
	assert.Empty(t, m.cost(`cat papers/A/X.paper/id papers/A/X.paper/url papers/A/X.paper/address papers/A/X.paper/publication papers/A/X.paper/preview papers/A/.category/id papers/A/.category/url`))
	assert.Empty(t, m.cost(`stat papers/A/X.paper/structure.xml papers/A/X.paper/links.xml`))
	assert.Empty(t, m.cost(`chmod 600 papers/A; chown "$(id -u):$(id -g)" papers/A/X.paper; touch papers/A/X.paper/url`))
}

func TestDocumentsCostOneEach(t *testing.T) {
	t.Parallel()
	m := planted(t, "--document-ttl", "1h")
	for path, op := range map[string]string{
		"structure.xml":            "GetPaperStructure",
		"structure-text.xml":       "GetPaperStructure",
		"links.xml":                "GetLinks",
		"orders/all.xml":           "GetFlipbookOrdersByType",
		"orders/CheckoutBySms.xml": "GetFlipbookOrdersByType",
		"settings/autoMaximize":    "GetSetting",
	} {
		m.sh(`ls papers/A/X.paper/settings > /dev/null`)
		assert.Equal(t, []string{op}, m.cost(`cat papers/A/X.paper/`+path), "%s with nothing cached", path)
		assert.Empty(t, m.cost(`cat papers/A/X.paper/`+path+` papers/A/X.paper/`+path), "%s when it is cached", path)
	}
}

func TestReadersAtTheSameTimeShareOneRequest(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`ls papers/A`)
	release := m.proxy.Freeze(remote.GetPaperStructure)
	m.proxy.Reset()
	done := make(chan string)
	go func() {
		out, _ := m.run("bash", `for i in 1 2 3 4 5 6 7 8; do cat papers/A/X.paper/structure.xml > /dev/null & done; wait; echo all`)
		done <- out
	}()
	m.waitForRequest(remote.GetPaperStructure)
	release()
	assert.Equal(t, "all\n", <-done)
	assert.Equal(t, []string{"GetPaperStructure"}, m.asked())
}

func TestChangesCostOneEachAndPatchTheTree(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`ls papers`)
	assert.Equal(t, []string{"CreateCategory"}, m.cost(`mkdir papers/New && ls papers > /dev/null`))
	assert.Equal(t, []string{"CreatePaper"}, m.cost(`mkdir papers/New/P.paper && ls papers/New > /dev/null`))
	assert.Equal(t, []string{"MovePaper"}, m.cost(`mv papers/New/P.paper papers/A/ && ls papers/A papers/New > /dev/null`))
	assert.Equal(t, []string{"ChangePaperUrl"}, m.cost(`echo q > papers/A/P.paper/url && cat papers/A/P.paper/url > /dev/null`))
}

func TestMediaCostsOneUploadAFileAndNothingForWhatIsThere(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "rsync")
	m := newMount(t)
	m.sh(`ls media; mkdir "$HOME/src" && for i in 1 2 3; do echo "file $i" > "$HOME/src/f$i.txt"; done; touch -d 2020-01-02 "$HOME"/src/*`)
	assert.Equal(t, []string{"UploadFile"}, m.cost(`cp "$HOME/src/f1.txt" media/copy.txt`))
	assert.Equal(t, []string{"UploadFile", "UploadFile", "UploadFile"}, m.cost(`rsync -a "$HOME/src/" media/`))
	assert.Empty(t, m.cost(`rsync -a "$HOME/src/" media/`), "the second rsync sends nothing")
	m.remount()
	m.sh(`ls media`)
	asked := slices.DeleteFunc(m.cost(`rsync -a "$HOME/src/" media/`), func(op string) bool {
		return op == "GetAllPapers" // the new mount's first request for papers/, in the background
	})
	assert.Empty(t, asked, "nor after a remount")
}

func TestProbesCostNothing(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`ls papers media papers/A/X.paper/settings`)
	// Names that file managers, desktops and version control look for, and a shell's prompt in each
	// directory on the way up.
	assert.Empty(t, m.cost(`for d in . papers papers/A papers/A/X.paper media media/d; do
		for f in .Trash .Trash-1000 .hidden autorun.inf autorun.sh .autorun .xdg-volume-info .directory .git .git/HEAD .envrc .hg .svn .jj .bzr .DS_Store desktop.ini \
			Thumbs.db .metadata_never_index .Spotlight-V100 .fseventsd Makefile package.json Cargo.toml go.mod .nvmrc .python-version .tool-versions node_modules venv; do
			! test -e $d/$f || echo $d/$f; done; done`))
	assert.Empty(t, m.cost(`for d in papers/A/B papers/A/X.paper/settings media/d; do (cd $d && while test "$PWD" != "$HOME"; do
		! test -e .git || echo found; ! test -e .envrc || echo found; cd ..; done); done`))
}

// TestTheShellPromptOfGit runs git itself.
func TestTheShellPromptOfGit(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "git")
	m := planted(t)
	m.sh(`ls papers media`)
	assert.Empty(t, m.cost(`cd papers/A/X.paper && ! git -c safe.directory='*' rev-parse --show-toplevel 2> /dev/null`))
}

// walkers are programs that walk the whole tree now and then.
var walkers = map[string]string{
	"find":     `find . -size +100k > /dev/null`,
	"du":       `du -s . > /dev/null`,
	"rsync":    `rsync -an --exclude /.paperfs . "$HOME/backup/" > /dev/null`,
	"updatedb": `updatedb -l 0 -U "$PWD" -o "$HOME/locate.db" --prunepaths "" --prunefs ""`,
	"ls":       `ls -lR . > /dev/null`,
	"tree":     `tree -a . > /dev/null`,
	"gio":      `gio tree . > /dev/null`,
	"python": `python3 -c 'import os
for d, _, names in os.walk("."):
    for n in names: os.lstat(os.path.join(d, n))'`,
}

// TestWalkersCostAtMostFive checks that walks of papers cost nothing where the tree tells their pages.
func TestWalkersCostAtMostFive(t *testing.T) {
	t.Parallel()
	for name, script := range walkers {
		t.Run(name, func(t *testing.T) {
			if !slices.Contains([]string{"find", "rsync", "ls", "python"}, name) {
				testrun.Long(t, "walks as others do")
			}
			t.Parallel()
			if tool, _, _ := strings.Cut(script, " "); tool != "ls" {
				testrun.Program(t, tool)
			}
			m := planted(t)
			m.sh(`for i in 1 2 3 4 5 6 7 8; do mkdir papers/A/$i.paper; done`)
			m.forgetState()
			m.proxy.Reset()
			m.start()
			m.sh(script)
			asked := m.asked()
			slices.Sort(asked)
			assert.Subset(t, []string{"GetAllPapers", "GetCustomFieldDefinitions", "GetPaperIDFromUrl", "GetSettingDescriptions", "GetTree"}, asked)
			assert.Equal(t, slices.Compact(slices.Clone(asked)), asked, "each operation is called once")
			assert.Empty(t, m.cost(script), "the second run costs no request")
		})
	}
}

func TestReadingAllMediaAsksNothing(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.sh(`ls -R media`)
	assert.Empty(t, m.cost(`tar cf "$HOME/media.tar" media && tar tf "$HOME/media.tar" | grep -q media/d/two && cat media/one media/d/two > /dev/null`))
}

func TestGrepInOnePaperCostsOneAFile(t *testing.T) {
	t.Parallel()
	m := planted(t, "--document-ttl", "1h")
	m.sh(`ls papers/A/X.paper/settings papers/A/X.paper/fields > /dev/null`)
	files := m.sh(`find papers/A/X.paper -type f ! -name id ! -name url ! -name publication ! -name preview ! -name job ! -name source.pdf ! -name address | wc -l`)
	asked := m.cost(`grep -r "no such words" papers/A/X.paper || :`)
	assert.Equal(t, files, strconv.Itoa(len(asked)), "%v", asked)
	assert.Empty(t, m.cost(`grep -r "no such words" papers/A/X.paper || :`), "the second run costs no request")
}

func TestTenListingsOfAColdCacheShareOneTree(t *testing.T) {
	t.Parallel()
	m := planted(t)
	m.forgetState()
	m.proxy.Reset()
	m.start()
	m.sh(`for i in 1 2 3 4 5 6 7 8 9 10; do ls -R papers > /dev/null & done; wait`)
	asked := m.asked()
	slices.Sort(asked)
	assert.Equal(t, []string{"GetAllPapers", "GetCustomFieldDefinitions", "GetPaperIDFromUrl", "GetSettingDescriptions"}, asked)
}
