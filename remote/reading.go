package remote

import (
	"strconv"

	"paperfs/remote/xmlscan"
)

// and adds a check that follows the one there is.
func (r reading) and(check func() error) reading {
	first := r.check
	r.check = func() error {
		if first != nil {
			if err := first(); err != nil {
				return err
			}
		}
		return check()
	}
	return r
}

// elementAttr reads an attribute of the first element of a name that has it;
// found is false if there is none.
func elementAttr(element, attribute string, value *string, found *bool) reading {
	var got string
	var ok bool
	return reading{
		element: func(s *xmlscan.Scanner) error {
			if v := s.Attr(attribute); s.Is(element) && v != nil && !ok {
				got, ok = string(v), true
			}
			return nil
		},
		check: func() error {
			*value, *found = got, ok
			return nil
		},
	}
}

// paperID reads the id of the first element paper, which is required.
func paperID(id *int64) reading {
	var text string
	var found bool
	return elementAttr("paper", "id", &text, &found).and(func() (err error) {
		if !found {
			return broken("the answer has no id")
		}
		*id, err = xmlscan.ParseID([]byte(text))
		return err
	})
}

// elementText reads the first element of a name, which is required, as a scalar.
func elementText(element string, value *string) reading {
	var got string
	var ok bool
	return reading{
		element: func(s *xmlscan.Scanner) (err error) {
			if s.Is(element) && !ok {
				ok = true
				got, err = s.Scalar()
			}
			return err
		},
		check: func() error {
			if !ok {
				return broken("the answer has no element <%s>", element)
			}
			*value = got
			return nil
		},
	}
}

// elementID reads the text of an element as an id.
func elementID(element string, id *int64) reading {
	var text string
	return elementText(element, &text).and(func() (err error) {
		*id, err = xmlscan.ParseID([]byte(text))
		return err
	})
}

func decimal(id int64) string { return strconv.FormatInt(id, 10) }
