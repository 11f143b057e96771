package config

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"paperfs/cmd/paperfs/cli"
)

// The fields with a tag flag of Config and of Serve are the table of settings: a row is a field,
// and everything about a setting but its use is in the tags.
//
//	flag     its name: --tree-ttl. A setting of a mount is also PAPERFS_TREE_TTL in the environment and tree_ttl in a profile.
//	group    the title of the group of the help that begins with this row
//	help     the text of the help
//	value    the word of help that stands for the value. DIR and FILE are paths, and cannot be empty.
//	default  the value without the setting
//	words    the values that it may have
//	range    LEAST or LEAST..MOST of a number or a duration
//	list     how values are listed in one text: by commas; else each flag adds one, and a comma is part of it
//
// pflag parses all values. A configuration library would add nothing, and none reports where a value
// came from.

// unset is the value of a number that nothing has set.
const unset = math.MinInt

// row is the annotation of a flag that has the tags of its field.
const row = "paperfs_row"

// flagsOf returns the flags of a table, in the groups of the help. They are bound to the fields, whose
// values are the defaults.
func flagsOf(table any) (groups []*pflag.FlagSet) {
	fields := reflect.ValueOf(table).Elem()
	for i := range fields.NumField() {
		tag := fields.Type().Field(i).Tag
		name, ok := tag.Lookup("flag")
		if !ok {
			continue
		}
		if title, ok := tag.Lookup("group"); ok {
			groups = append(groups, cli.FlagGroup(title, func(*pflag.FlagSet) {}))
		}
		group := groups[len(groups)-1]
		bind(group, fields.Field(i).Addr().Interface(), name, tag)
		group.Lookup(name).Annotations = map[string][]string{row: {string(tag)}}
	}
	return groups
}

func bind(group *pflag.FlagSet, field any, name string, tag reflect.StructTag) {
	help := tag.Get("help")
	if word := tag.Get("value"); word != "" {
		help = strings.Replace(help, word, "`"+word+"`", 1)
	}
	switch p := field.(type) {
	case *string:
		group.StringVar(p, name, *p, help)
	case *bool:
		group.BoolVar(p, name, *p, help)
	case *int:
		group.IntVar(p, name, *p, help)
		if _, ok := tag.Lookup("default"); !ok {
			group.Lookup(name).DefValue = "0" // the help shows no default: its text explains it
		}
	case *int64:
		group.Int64Var(p, name, *p, help)
	case *time.Duration:
		group.DurationVar(p, name, *p, help)
	case *[]string:
		if tag.Get("list") == "by commas" {
			group.StringSliceVar(p, name, *p, help)
		} else {
			group.StringArrayVar(p, name, *p, help)
		}
	default:
		panic("a setting cannot be a " + reflect.TypeOf(field).String())
	}
}

// setDefaults sets the fields of a table to the defaults in it, and returns its flags.
func setDefaults(table any) []*pflag.FlagSet {
	groups := flagsOf(table)
	for _, group := range groups {
		group.VisitAll(func(f *pflag.Flag) {
			if value, ok := rowOf(f).Lookup("default"); ok {
				if err := f.Value.Set(value); err != nil {
					panic(err) // the table is constant
				}
				f.DefValue = f.Value.String()
			}
		})
	}
	return groups
}

func rowOf(f *pflag.Flag) (tags reflect.StructTag) {
	if text := f.Annotations[row]; len(text) > 0 {
		tags = reflect.StructTag(text[0])
	}
	return tags
}

// isPath reports whether a flag names a file or directory.
func isPath(f *pflag.Flag) bool { return slices.Contains([]string{"DIR", "FILE"}, valueOf(f)) }

// neverEmpty reports whether an empty value is a mistake, such as an unset variable. For other settings it
// means the default.
func neverEmpty(f *pflag.Flag) bool { return isPath(f) || valueOf(f) == "COMMAND" }

func valueOf(f *pflag.Flag) string {
	word, _ := pflag.UnquoteUsage(f)
	return word
}

// checkValues refuses values that the words and ranges of a table exclude. nameOf returns the name of
// a setting as the user knows it, by that of its flag.
func checkValues(table any, nameOf func(flag string) string) (err error) {
	for _, group := range flagsOf(table) {
		group.VisitAll(func(f *pflag.Flag) {
			if err != nil {
				return
			}
			if words := strings.Fields(rowOf(f).Get("words")); len(words) > 0 && !slices.Contains(words, f.Value.String()) {
				err = &cli.UsageError{Err: fmt.Errorf("%s is %q: give %s", nameOf(f.Name), f.Value, strings.Join(words, " or "))}
			}
			least, most, bounded := strings.Cut(rowOf(f).Get("range"), "..")
			switch n := number(f.Value.String()); {
			case least == "" || n == unset || n >= number(least) && (!bounded || n <= number(most)):
			case bounded:
				err = &cli.UsageError{Err: fmt.Errorf("%s is %s: give a number of %s to %s", nameOf(f.Name), f.Value, least, most)}
			default:
				err = &cli.UsageError{Err: fmt.Errorf("%s is %s: give at least %s", nameOf(f.Name), f.Value, least)}
			}
		})
	}
	return err
}

// number returns a number, or a duration in nanoseconds.
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		d, _ := time.ParseDuration(text)
		n = int64(d)
	}
	return n
}
