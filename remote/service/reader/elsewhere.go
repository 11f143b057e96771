package reader

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/service/store"
)

// searchNames are the parameters that search a paper. The first takes precedence.
var searchNames = []string{"GoToAndHighlightFirstSearchResult", "GoToFirstSearchResult"}

func searches(query url.Values) bool { return slices.ContainsFunc(searchNames, query.Has) }

// elsewhere returns the address of the page that the parameters request, relative to the
// paper, or "" if the current address shows it. The address names the part besides the anchor:
// browsers do not send anchors, and the service must know that the part's first picture need
// not be the one that is seen first (view.Paper.Anchored).
func (o *opened) elsewhere() (string, error) {
	want, err := o.wanted()
	if err != nil || !want.searched && want.page == 1 {
		return "", err
	}
	begins := !want.searched && want.page == o.view.First
	exists, err := o.hasPage(func(number int) bool { return number == want.page || begins && o.here(number) })
	if err != nil {
		return "", err
	}
	if exists && begins || !exists && o.view.First == 1 && !want.searched {
		return "", nil
	}
	to := &url.URL{Path: "./"}
	if exists && want.page > 1 {
		to.Fragment = fmt.Sprintf("p%d", want.page)
		first := o.Paper.first(want.page)
		want.rest.Set("Page", strconv.Itoa(first))
		if from := largeFrom(want.page); from != largeFrom(first) {
			want.rest.Set("Sharp", strconv.Itoa(from))
		}
	}
	if want.marked != "" {
		want.rest.Set("Highlight", want.marked)
	}
	to.RawQuery = want.rest.Encode()
	return to.String(), nil
}

// wanted is what the parameters of a request ask for.
type wanted struct {
	page     int
	searched bool       // page is the first hit of a search
	marked   string     // text to highlight
	rest     url.Values // the other parameters
}

func (o *opened) wanted() (wanted, error) {
	query := o.request.URL.Query()
	want := wanted{page: number(query, "Page"), rest: query}
	for _, name := range searchNames {
		if !want.searched && query.Has(name) {
			found, err := o.firstHit(query.Get(name))
			if err != nil {
				return want, err
			}
			want.page, want.searched = found, true
			if strings.Contains(name, "Highlight") {
				want.marked = query.Get(name)
			}
		}
		query.Del(name)
	}
	query.Del("Page")
	query.Del("Sharp")
	return want, nil
}

// hasPage reports whether the paper has a page with one of the numbers.
func (o *opened) hasPage(is func(number int) bool) (has bool, err error) {
	err = o.tx.Pages(o.node.ID, false, func(p store.Page) error {
		if has = is(p.Number); has {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		err = nil
	}
	return has, err
}

// firstHit returns the number of the first page that contains the phrase, or 1 if none does.
func (o *opened) firstHit(phrase string) (int, error) {
	phrase = store.Phrase(phrase)
	if phrase == "" {
		return 1, nil
	}
	found, err := o.tx.PagesContaining(o.node.ID, phrase)
	if err != nil || len(found[o.node.ID]) == 0 {
		return 1, err
	}
	return found[o.node.ID][0], nil
}
