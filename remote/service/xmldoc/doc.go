// Package xmldoc reads the XML documents that arrive in the parameters of operations
// ([Parse]).
package xmldoc
