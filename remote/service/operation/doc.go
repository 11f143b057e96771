// Package operation carries out the operations, a group of them in each file, named after what they are about. operation.go is
// the table of all.
//
// They stand on package call. Few files use another one: restore.go those of all that it brings back, paper.go, move.go and
// uploadfile.go what media.go, tree.go and deleted.go check and end, search.go the fields of field.go.
package operation
