package answer

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"paperfs/remote"
)

// Shape is what an element of an answer has in it, by the operation table.
type Shape struct {
	Name    string   // of the element
	Members []Member // in the order of the answer
	Any     bool     // members of any name, which are text
	lists   []string // members that are repeated
}

// Member is an attribute or a child of an element.
type Member struct {
	Name     string // in JSON
	Optional bool   // it may be absent
	List     bool   // it is repeated
	Of       *Shape // nil for text
}

// onFailure are the members of data that failures of any change may have.
const onFailure = " current{id? version?} full{what}"

// ShapeOf returns the shape of an operation's answers.
func ShapeOf(op *remote.Operation) *Shape { return shapes()[op.Name] }

var shapes = sync.OnceValue(func() map[string]*Shape {
	all := map[string]*Shape{}
	for _, op := range remote.Operations {
		text := op.Answer
		if op.Changes {
			text += onFailure
		}
		data := ReadShape("data", text)
		for i := range data.Members { // a failure has other ones
			data.Members[i].Optional = true
		}
		all[op.Name] = &Shape{Name: "result", Members: []Member{{Name: "code"}, {Name: "message"}, {Name: "data", Optional: true, Of: data}}}
	}
	return all
})

// ReadShape reads the shape of an element. Members are separated by blanks. After a name, ? says that the member may be
// absent, * that it is repeated. What is in it follows in braces, or as ^: the same as in the element around it. A member
// without either is text. @ precedes an attribute that has the name of a child. A * alone is members of any name.
func ReadShape(name, text string) *Shape {
	r := shapeReader{strings.Fields(strings.NewReplacer("{", " { ", "}", " } ").Replace(text))}
	s := r.read(name)
	if len(r.rest) > 0 {
		panic(fmt.Sprintf("the shape of %s has a } too many: %s", name, text)) // the table is wrong
	}
	return s
}

type shapeReader struct{ rest []string }

func (r *shapeReader) read(name string) *Shape {
	s := &Shape{Name: name}
	for len(r.rest) > 0 {
		word := r.rest[0]
		r.rest = r.rest[1:]
		switch {
		case word == "}":
			return s
		case word == "*":
			s.Any = true
		default:
			s.add(r.member(s, word))
		}
	}
	return s
}

func (r *shapeReader) member(in *Shape, word string) Member {
	text, same := strings.CutSuffix(word, "^")
	m := Member{Name: strings.TrimRight(text, "*?"), Optional: strings.HasSuffix(text, "?"), List: strings.HasSuffix(text, "*")}
	if attr, is := strings.CutPrefix(m.Name, "@"); is {
		m.Name = in.attribute(attr)
	}
	if same {
		m.Of = in
	} else if len(r.rest) > 0 && r.rest[0] == "{" {
		r.rest = r.rest[1:]
		m.Of = r.read(m.Name)
	}
	return m
}

func (s *Shape) add(m Member) {
	s.Members = append(s.Members, m)
	if m.List {
		s.lists = append(s.lists, m.Name)
	}
}

// attribute returns the name in JSON of an attribute that has the name of a child.
func (s *Shape) attribute(name string) string { return s.Name + "-" + name }

func (s *Shape) hasLists() bool { return s != nil && len(s.lists) > 0 }

// member finds a member; the zero Member for one that the table does not have.
func (s *Shape) member(name string) Member {
	if s != nil {
		if i := slices.IndexFunc(s.Members, func(m Member) bool { return m.Name == name }); i >= 0 {
			return s.Members[i]
		}
	}
	return Member{Name: name}
}

// named returns the name in JSON of an attribute.
func (s *Shape) named(attr string) string {
	if s != nil {
		for _, m := range s.Members {
			if len(m.Name) == len(s.Name)+1+len(attr) && m.Name == s.attribute(attr) {
				return m.Name
			}
		}
	}
	return attr
}
