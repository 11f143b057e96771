// Package property knows what nodes have besides their name and pages: the
// settings that there are ([Settings]), which categories hand down, and what
// custom fields may be called and hold ([CheckField], [SetField]). Operations
// and the import of a file go by the same rules.
package property
