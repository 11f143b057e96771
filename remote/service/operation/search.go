package operation

import (
	"encoding/xml"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/form"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// readQuery reads the parameter query and returns the phrase to search for.
func readQuery(c *call.Call) (string, error) {
	q := strings.TrimSpace(c.Param("query"))
	phrase := store.Phrase(q)
	switch problem := rules.Query(q); {
	case problem == rules.None && phrase != "":
		return phrase, nil
	case problem == rules.TooLong:
		return "", answer.Invalid("query has %d characters; the limit is %d.", utf8.RuneCountInString(q), rules.MaxQuery)
	case phrase == "":
		return "", answer.Invalid("query is empty.")
	}
	return "", answer.Invalid("query contains characters that XML cannot carry.")
}

// searchable fails while the search is switched off.
func searchable(c *call.Call) error {
	if c.Service.Options.SearchOutage {
		return errSearchOutage()
	}
	return nil
}

// runSearch runs a search. If the search takes too long, or other searches leave no room,
// the answer says that a later one may succeed.
func runSearch(c *call.Call, f func(tx store.Reader) error) error {
	err := c.ReadLong(c.Service.Searches, f)
	if errors.Is(err, store.ErrSlow) {
		return errSearchOutage()
	}
	return err
}

func errSearchOutage() error {
	return answer.Refuse(remote.SearchTemporarilyUnavailable, "The search is not available at the moment; try again later.")
}

// readSearchRequest reads the parameters that three of the searches have in common.
func readSearchRequest(c *call.Call, node string) (phrase string, id int64, err error) {
	if phrase, err = readQuery(c); err != nil {
		return "", 0, err
	}
	if id, err = c.ID(node); err != nil {
		return "", 0, err
	}
	return phrase, id, searchable(c)
}

// searchCategory runs a search below a category. The two searches that use it write their
// hits in their hierarchy.
func searchCategory(c *call.Call, f func(tx store.Reader, category store.Node, phrase string) error) error {
	phrase, id, err := readSearchRequest(c, "categoryID")
	if err != nil {
		return err
	}
	return runSearch(c, func(tx store.Reader) error {
		category, err := c.Category(tx, id)
		if err != nil {
			return err
		}
		return f(tx, category, phrase)
	})
}

// searchHierarchyByContent answers SearchPapersWithHiearchyByContent.
func searchHierarchyByContent(c *call.Call, w *answer.Writer) error {
	return searchCategory(c, func(tx store.Reader, category store.Node, phrase string) error {
		hits, err := tx.PagesContaining(category.ID, phrase)
		if err != nil {
			return err
		}
		return answer.Hierarchy(w, func(visit func([]address.Place) error) error {
			return address.InOrder(tx, c.Tenant, category, slices.Collect(maps.Keys(hits)), visit)
		})
	})
}

// searchHierarchyByName answers SearchPapersWithHiearchyByName.
func searchHierarchyByName(c *call.Call, w *answer.Writer) error {
	return searchCategory(c, func(tx store.Reader, category store.Node, phrase string) error {
		return answer.Hierarchy(w, func(visit func([]address.Place) error) error {
			return address.Walk(tx, c.Tenant, category, func(path []address.Place) error {
				if depth := len(path) - 1; depth == 0 || !strings.Contains(store.Phrase(path[depth].Name), phrase) {
					return nil
				}
				return visit(path)
			})
		})
	})
}

// searchPages answers SearchPapersByContent.
func searchPages(c *call.Call, w *answer.Writer) error {
	phrase, id, err := readSearchRequest(c, "categoryOrPaperID")
	if err != nil {
		return err
	}
	return runSearch(c, func(tx store.Reader) error {
		node, err := c.Node(tx, id)
		if err != nil {
			return err
		}
		hits, err := tx.PagesContaining(id, phrase)
		if err != nil {
			return err
		}
		w.Open("results")
		err = address.InOrder(tx, c.Tenant, node, slices.Collect(maps.Keys(hits)), func(path []address.Place) error {
			at := path[len(path)-1]
			url := at.URL()
			for _, number := range hits[at.ID] {
				w.Empty("result", answer.Int("paperID", at.ID), answer.Int("pageNumber", int64(number)), answer.String("paperName", at.Name), answer.String("paperUrl", url))
			}
			return nil
		})
		w.Close("results")
		return err
	})
}

// fieldOptions are the xmlOptions of SearchPapersByCustomFields.
type fieldOptions struct {
	XMLName  xml.Name `xml:"options"`
	Criteria []struct {
		Name      string `xml:"name,attr"`
		Wildcards flag   `xml:"usewildcards,attr"`
		Value     string `xml:"value,attr"`
	} `xml:"customfieldcriterias>field"`
	Included struct {
		All    flag `xml:"includeall,attr"`
		Fields []struct {
			Name string `xml:"name,attr"`
		} `xml:"field"`
	} `xml:"includedcustomfields"`
}

// flag is a boolean of the options. It is checked when the options are decoded: an
// invalid one is reported before unknown fields and an unknown category.
type flag bool

// UnmarshalXMLAttr reads the booleans of the contract's 1.4; empty is false.
func (f *flag) UnmarshalXMLAttr(a xml.Attr) error {
	v, ok := rules.Bool(a.Value, false)
	if !ok {
		return errors.New(a.Name.Local + " has to be true or false")
	}
	*f = flag(v)
	return nil
}

// maxCriteria is the most criteria of a search: each reads the values of all papers.
const maxCriteria = 100

// searchByCustomFields answers SearchPapersByCustomFields.
func searchByCustomFields(c *call.Call, w *answer.Writer) error {
	id, err := c.ID("categoryID")
	if err != nil {
		return err
	}
	var options fieldOptions
	if text := c.Param("xmlOptions"); strings.TrimSpace(text) != "" {
		if err := form.ParseDocument(text, &options); err != nil {
			return answer.Invalid("xmlOptions has to be a document with the root options: %v.", err)
		}
	}
	if len(options.Criteria) > maxCriteria {
		return answer.Invalid("xmlOptions has %d criteria; the limit is %d.", len(options.Criteria), maxCriteria)
	}
	if len(options.Criteria) == 0 {
		return answer.Refuse(remote.SearchNoCriteria, "xmlOptions has no criterion: at least one field in customfieldcriterias is needed.")
	}
	return c.ReadLong(c.Service.Walks, func(tx store.Reader) error {
		category, err := c.Category(tx, id)
		if err != nil {
			return err
		}
		s := fieldSearch{c: c, tx: tx}
		if err := s.prepare(options); err != nil {
			return err
		}
		hits, err := s.run(category)
		if err != nil {
			return err
		}
		return s.write(w, hits)
	})
}

// fieldSearch is one search by custom fields.
type fieldSearch struct {
	c        *call.Call
	tx       store.Reader
	criteria []fieldCriterion
	shown    []store.Field // that each hit shows, in this order
}

type fieldCriterion struct {
	field   store.Field
	matches func(value string) bool
}

// prepare looks up and checks what the options name.
func (s *fieldSearch) prepare(o fieldOptions) error {
	for _, o := range o.Criteria {
		f, err := findField(s.c, s.tx, o.Name)
		if err != nil {
			return err
		}
		c, err := newFieldCriterion(f, o.Value, bool(o.Wildcards))
		if err != nil {
			return err
		}
		s.criteria = append(s.criteria, c)
		s.show(f)
	}
	for _, included := range o.Included.Fields {
		f, err := findField(s.c, s.tx, included.Name)
		if err != nil {
			return err
		}
		s.show(f)
	}
	if !o.Included.All {
		return nil
	}
	fields, err := s.tx.Fields(s.c.Tenant.ID)
	for _, f := range fields {
		s.show(f)
	}
	return err
}

// show adds a field to the shown ones, once.
func (s *fieldSearch) show(f store.Field) {
	if !slices.ContainsFunc(s.shown, func(shown store.Field) bool { return shown.ID == f.ID }) {
		s.shown = append(s.shown, f)
	}
}

func newFieldCriterion(f store.Field, text string, wildcards bool) (fieldCriterion, error) {
	if wildcards && f.Type != rules.StringType {
		return fieldCriterion{}, answer.Refuse(remote.SearchNoWildcards, "%s is of type %s; wildcards are for strings only.", f.Name, f.Type)
	}
	want, err := property.FieldValue(f, text)
	if err != nil {
		return fieldCriterion{}, err
	}
	if f.Type == rules.StringType {
		parts := []string{store.Phrase(want)}
		if wildcards {
			parts = strings.Split(parts[0], "%")
		}
		return fieldCriterion{f, func(v string) bool { return matchParts(store.Phrase(v), parts) }}, nil
	}
	return fieldCriterion{f, func(v string) bool { return v == want }}, nil
}

// matchParts reports whether s consists of the parts in their order with
// anything between them.
func matchParts(s string, parts []string) bool {
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return s == first
	}
	if !strings.HasPrefix(s, first) {
		return false
	}
	s = s[len(first):]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(s, part)
		if at < 0 {
			return false
		}
		s = s[at+len(part):]
	}
	return strings.HasSuffix(s, last)
}

// run returns the papers below the category that meet all criteria, in tree
// order. A null meets none.
func (s *fieldSearch) run(category store.Node) ([]address.Place, error) {
	met := map[int64]int{} // by paper: criteria met, all up to the present one
	for i, criterion := range s.criteria {
		err := s.tx.FieldValues(category.ID, criterion.field.ID, func(v store.FieldValue) error {
			if met[v.Paper] == i && criterion.matches(v.Value) {
				met[v.Paper] = i + 1
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return address.FindPlaces(s.tx, s.c.Tenant, category, func(id int64) bool { return met[id] == len(s.criteria) })
}

// write makes two queries for any number of hits: for the times at which the papers were
// processed, and for the values. The values come in the order of the hits; it holds
// those of one hit at a time.
func (s *fieldSearch) write(w *answer.Writer, hits []address.Place) error {
	ids, fields := address.IDs(hits), make([]int64, len(s.shown))
	for i, f := range s.shown {
		fields[i] = f.ID
	}
	processed := map[int64]store.Processing{}
	err := s.tx.Processings(ids, func(paper int64, p store.Processing) error {
		processed[paper] = p
		return nil
	})
	if err != nil {
		return err
	}
	w.Open("papers")
	values := map[int64]string{} // of the first of hits, by field
	next := func() {
		s.writeHit(w, hits[0], processed, values)
		hits = hits[1:]
		clear(values)
	}
	err = s.tx.FieldValuesOf(ids, fields, func(v store.FieldValue) error {
		for hits[0].ID != v.Paper {
			next()
		}
		values[v.Field] = v.Value
		return nil
	})
	if err != nil {
		return err
	}
	for len(hits) > 0 {
		next()
	}
	w.Close("papers")
	return nil
}

func (s *fieldSearch) writeHit(w *answer.Writer, hit address.Place, processed map[int64]store.Processing, values map[int64]string) {
	attrs := []answer.Attr{answer.Int("id", hit.ID), answer.String("name", hit.Name), answer.String("url", hit.URL())}
	if p, ok := processed[hit.ID]; ok {
		attrs = append(attrs, answer.String("lastprocessed", rules.FormatTime(p.At)), answer.Int("pdffilesize", p.PDFKB))
	}
	w.Open("paper", attrs...)
	w.Open("customfields")
	for _, f := range s.shown {
		text, found := values[f.ID]
		answer.Field(w, f, text, found)
	}
	w.Close("customfields")
	w.Close("paper")
}
