package view

import "strings"

// place is where the hole of a form is. It says how text of others is escaped there.
type place string

const (
	inText      place = "between elements"
	inAttribute place = "in an attribute"
	inAddress   place = "in an attribute, at the beginning of an address"
	inRest      place = "in an attribute, later in an address"
	inQuery     place = "in an attribute, in the query of an address"
	inName      place = "in the name of an attribute for scripts"
	inMarkup    place = "where only markup or a number can be"
)

// quoted reports whether markup at the place has to be without quotation marks.
func (p place) quoted() bool { return strings.HasPrefix(string(p), "in an attribute") }

// placeOf returns the place behind a part of a form. A form begins between elements, or between the attributes of a tag.
func placeOf(part string) place {
	tag, mark := part, strings.LastIndexAny(part, "<>")
	if mark >= 0 {
		if part[mark] == '>' {
			return placeIn(part[strings.LastIndexByte(part[:mark], '<')+1 : mark])
		}
		tag = part[mark+1:]
	}
	quote := strings.LastIndexByte(tag, '"')
	switch open := strings.Count(tag, `"`)%2 == 1; {
	case !open && beginsName(tag[strings.LastIndexByte(tag, ' ')+1:]):
		return inName
	case !open && (mark >= 0 || strings.Contains(tag, "=")):
		return inMarkup // between the attributes
	case !open:
		return inText
	}
	name, begun := tag[strings.LastIndexAny(tag[:quote], " \n")+1:quote], tag[quote+1:]
	name = strings.TrimSuffix(strings.TrimPrefix(name, "data-"), "=")
	switch {
	case name == "style", name == "srcdoc", strings.HasPrefix(name, "on"), strings.Contains(tag, "http-equiv"):
		return inMarkup
	case !isAddress(name):
		return inAttribute
	case strings.ContainsAny(begun, "?#"):
		return inQuery
	case strings.Trim(begun, "{}") == "":
		return inAddress
	}
	return inRest
}

// beginsName reports whether a word is the beginning of a name that only scripts read.
func beginsName(word string) bool {
	return strings.HasPrefix(word, "data-") && !strings.Contains(word, "=")
}

// placeIn returns the place within an element, behind its tag.
func placeIn(tag string) place {
	if strings.HasPrefix(tag, "script") || strings.HasPrefix(tag, "style") || strings.HasPrefix(tag, "!--") {
		return inMarkup
	}
	return inText
}

// isAddress reports whether the value of an attribute is an address.
func isAddress(attribute string) bool {
	switch attribute {
	case "action", "archive", "background", "cite", "classid", "codebase", "data", "formaction", "href", "icon", "longdesc", "manifest", "ping", "poster", "profile", "src", "usemap", "xlink:href":
		return true
	}
	return false
}
