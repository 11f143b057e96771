// Package property has the rules for what nodes have besides names and pages: the settings
// ([Settings]), which categories pass on to their descendants, and the names and values of custom
// fields ([CheckField], [SetField]). Operations and imports use the same rules.
package property
