package names

import (
	"errors"
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// Errors of Parse, for EINVAL and EPERM.
var (
	ErrHidden     = errors.New("names that begin with a dot or end in ~ are for temporary files: a category or paper cannot have one")
	ErrLocal      = errors.New("such names stay on this machine (paperfs help names): a category or paper cannot have one")
	errBlank      = errors.New("the service does not allow names that are empty or begin or end with white space")
	errLong       = errors.New("the service allows names of at most 255 characters")
	errCharacters = errors.New("the service cannot store control characters or invalid UTF-8 in a name")
	ErrLongHere   = errors.New("a file name has at most 255 bytes, .paper included; a letter with an accent has two or more")
	ErrOther      = errors.New("the mount would list it under another name")
)

// Parse returns the kind of node and the service's name for a directory that a user
// creates.
func Parse(name string) (remote.NodeKind, string, error) {
	if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
		return 0, "", ErrHidden
	}
	kind, base := remote.CategoryNode, name
	if cut, ok := strings.CutSuffix(name, Suffix); ok {
		kind, base = remote.PaperNode, cut
	}
	text := Decode(base)
	if err := checkName(text); err != nil {
		return 0, "", err
	}
	if len(name) > Max {
		return 0, "", ErrLongHere
	}
	if n := (remote.Node{Kind: kind, Name: text}); needsID(n, Plain(n)) || Plain(n) != name {
		return 0, "", ErrOther
	}
	return kind, text, nil
}

// checkName applies the service's rules for display names.
func checkName(text string) error {
	switch rules.NodeName(text) {
	case rules.None:
		return nil
	case rules.Blank, rules.BlankAtEnd:
		return errBlank
	case rules.TooLong:
		return errLong
	}
	return errCharacters
}
