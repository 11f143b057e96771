package form

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentsInParameters checks which documents are decoded: one element, whatever stands around
// it that is no content, and no document type.
func TestDocumentsInParameters(t *testing.T) {
	for text, words := range map[string]string{
		`<?xml version="1.0" encoding="utf-16"?>` + "\n<!-- note --><a>ü</a>\n<!-- end -->": "",
		"":                                   "it has no element",
		"  ":                                 "it has no element",
		"x<a>ü</a>":                          "text before",
		"<a>ü</a>x":                          "text after",
		"<a>ü</a><b/>":                       "a second document, <b>",
		"<a>ü</a><":                          "unexpected EOF",
		"<a>ü":                               "unexpected EOF",
		`<!DOCTYPE a [<!ENTITY e "x">]><a/>`: "document types are refused",
		"<a>&e;</a>":                         "invalid character entity",
	} {
		var into struct {
			Text string `xml:",chardata"`
		}
		err := ParseDocument(text, &into)
		if words != "" {
			require.ErrorContains(t, err, words, "%q", text)
			continue
		}
		require.NoError(t, err, "%q", text)
		require.Equal(t, "ü", into.Text)
	}
}
