package media_test

import "testing"

// TestAReaderThatGoesBack checks a program that reads the same names of a directory twice: each name
// must still lead to its own file.
func TestAReaderThatGoesBack(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir .new && cd .new && for i in {1..60}; do printf $i > $i; done`)
	m.sh(`perl -e 'opendir D, ".new" or die; readdir D for 1..20; $here = telldir D; readdir D for 1..20; seekdir D, $here; 1 while readdir D'
		for i in {1..60}; do test "$(cat .new/$i)" = $i || exit 1; done`)
}
