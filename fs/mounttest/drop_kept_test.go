package mounttest

import "testing"

// TestASentPDFIsNeverEvicted checks that the cache keeps a sent PDF: mv from another disk has
// removed the original, and the service does not return it. The previous PDF may be evicted once
// the service has the new pages.
func TestASentPDFIsNeverEvicted(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--cache-size", "1B")
	m.put("Spring.pdf", pdfOf(t, 2, 0))
	m.put("new.pdf", pdfOf(t, 3, 0))
	m.sh(`mkdir papers/C; cp "$HOME/Spring.pdf" "$HOME/moved.pdf"; mv "$HOME/moved.pdf" papers/C/Spring.pdf; cp "$HOME/new.pdf" papers/C/Other.pdf
		for i in 1 2 3; do echo $i > media/$i; done`)
	held := `cmp "$HOME/Spring.pdf" papers/C/Spring.pdf; cmp "$HOME/new.pdf" papers/C/Other.pdf`
	m.sh(held)
	m.remount("--cache-size", "1B")
	m.sh(`for i in 4 5 6; do echo $i > media/$i; done; ` + held)
	lies := `find "$HOME/cache" -name $(sha256sum < "$HOME/Spring.pdf" | cut -d' ' -f1) | grep -q .`
	m.sh(lies + `; "$PAPERFS" wait papers/C/Spring.paper; cp "$HOME/new.pdf" papers/C/Spring.pdf; "$PAPERFS" wait papers/C/Spring.paper; echo 7 > media/7; echo 8 > media/8`)
	m.eventually(`! ` + lies)
	m.sh(`cmp "$HOME/new.pdf" papers/C/Spring.pdf`)
}
