package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// busy is the script that runs in mount NUMBER until the test stops it. It repeats each failed
// step.
const busy = `
again() { until "$@"; do echo again; sleep 0.1; done; }
made() { test -d "$1" || mkdir "$1"; }
moved() { test -d "$2" || mv "$1" "$2"; }
n=0
again made papers/homeNUMBER
until test -e "$HOME/enough" && test $n -ge 2; do
	n=$((n + 1))
	again made papers/cNUMBER-$n
	again moved papers/cNUMBER-$n papers/homeNUMBER/cNUMBER-$n
	yes "content NUMBER $n" | head -c 200000 > "$HOME/content"
	again cp "$HOME/content" media/fNUMBER-$n
	if test $n = 2; then again cp "$HOME/spring.pdf" papers/homeNUMBER/pNUMBER-$n.pdf; fi
done
echo "steps: $n"`

// TestTwoMountsGoOnWhileNodesAreKilled checks that everything programs do in the mounts takes
// effect once, and that each mount shows the other's changes.
func TestTwoMountsGoOnWhileNodesAreKilled(t *testing.T) {
	p := newPair(t)
	type outcome struct {
		said string
		err  error
	}
	var mounts [2]*environment
	outcomes := [2]chan outcome{}
	for i := range mounts {
		m := newEnvironment(t)
		for name, value := range p.public {
			m.set(name, value)
		}
		require.NoError(t, os.WriteFile(m.path("spring.pdf"), pdftest.Text("one", "two"), 0o600))
		m.mount("--rpm=0") // how many steps there are depends on the machine
		mounts[i], outcomes[i] = m, make(chan outcome, 1)
		go func() {
			said, err := m.sh(strings.ReplaceAll(busy, "NUMBER", fmt.Sprint(i)))
			outcomes[i] <- outcome{said, err}
		}()
	}
	goOn := func() {
		before := p.made()
		require.Eventually(t, func() bool { return p.made() > before }, testrun.Patience(), pause)
	}
	for kill := range 2 {
		goOn()
		i := kill % 2
		require.NoError(t, p.processes[i].cmd.Process.Kill())
		<-p.processes[i].ended
		goOn()
		p.restart(i)
	}
	goOn()
	var steps [2]int
	for i, m := range mounts {
		require.NoError(t, os.WriteFile(m.path("enough"), nil, 0o600))
		o := <-outcomes[i]
		require.NoError(t, o.err, o.said)
		found := regexp.MustCompile(`steps: (\d+)`).FindStringSubmatch(o.said)
		require.Len(t, found, 2, o.said)
		steps[i], _ = strconv.Atoi(found[1])
		m.succeed("wait", m.path("ipaper"))
		t.Logf("%d steps, %d repeated", steps[i], strings.Count(o.said, "again\n"))
	}
	_, tree := p.ask(p.public, "Paper", "GetAllPapers", "paperID", "1")
	_, media := p.ask(p.public, "Media", "GetTree")
	for i, m := range mounts {
		m.succeed("refresh", m.path("ipaper"))
		for other, all := range steps {
			require.Equal(t, fmt.Sprintln(all, 1, all), m.must(fmt.Sprintf(
				`echo $(ls papers/home%[1]d | grep -c c%[1]d-) $(ls -d papers/home%[1]d/*.paper | wc -l) $(ls media | grep -c f%[1]d-)`, other)))
		}
		for n := 1; n <= steps[i]; n++ {
			require.Equal(t, 1, strings.Count(tree, fmt.Sprintf(`url="/home%d/c%d-%d/"`, i, i, n)))
			require.Equal(t, 1, strings.Count(media, fmt.Sprintf(`name="f%d-%d"`, i, n)))
			want := strings.Repeat(fmt.Sprintf("content %d %d\n", i, n), 20_000)[:200_000]
			require.Equal(t, want, p.download(media, fmt.Sprintf("f%d-%d", i, n)))
		}
		require.Equal(t, steps[i], strings.Count(tree, fmt.Sprintf(`/c%d-`, i)), "the tree has no other categories")
	}
	published := regexp.MustCompile(`paper id="(\d+)" name="p\d-2" `).FindAllStringSubmatch(tree, -1)
	require.Len(t, published, len(mounts))
	for _, id := range published {
		require.Eventually(t, func() bool { // its job may have to wait for another node
			_, body := p.ask(p.public, "Paper", "GetPaperStructure", "paperID", id[1], "includeIndexedText", "false")
			return strings.Count(body, "<page ") == 2
		}, testrun.Patience(), pause)
	}
	require.Contains(t, p.admin("check", "--deep"), "missing: 0, wrong: 0")
}

// made returns the number of categories and papers.
func (p *pair) made() (count int) {
	p.query(`SELECT count(*) FROM node`, &count)
	return count
}
