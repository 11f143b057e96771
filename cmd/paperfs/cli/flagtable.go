package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// writeFlags writes a group of flags: each with its value, and beside it what it is for. pflag itself
// does not break a line before a word that is too long for the rest of it.
func writeFlags(b *strings.Builder, group *pflag.FlagSet, width int) {
	var names, texts []string
	column := 0
	group.VisitAll(func(f *pflag.Flag) {
		alone := FlagGroup("", func(alone *pflag.FlagSet) { alone.AddFlag(f) })
		_, text := pflag.UnquoteUsage(f)
		name, about, _ := strings.Cut(alone.FlagUsages(), "   "+text) // the default follows the text
		names, texts = append(names, name), append(texts, text+about)
		column = max(column, len(name))
	})
	indent := strings.Repeat(" ", column+3)
	fmt.Fprintf(b, "\n%s:\n", group.Name())
	for i, name := range names {
		about := strings.ReplaceAll(fill(texts[i], width-len(indent)), "\n", "\n"+indent)
		fmt.Fprintf(b, "%-*s   %s\n", column, name, about)
	}
}

// flagGroups are the flags of a command in the groups of GroupFlags, those without a group, and
// those of the commands above it. The flags --help and --version, which every program has, are left
// out.
func flagGroups(cmd *cobra.Command) []*pflag.FlagSet {
	var groups []*pflag.FlagSet
	add := func(title string, f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		at := slices.IndexFunc(groups, func(g *pflag.FlagSet) bool { return g.Name() == title })
		if at < 0 {
			at, groups = len(groups), append(groups, FlagGroup(title, func(*pflag.FlagSet) {}))
		}
		groups[at].AddFlag(f)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if named := f.Annotations[groupAnnotation]; len(named) > 0 {
			title = named[0]
		}
		add(title, f)
	})
	inherited := cmd.InheritedFlags()
	cmd.VisitParents(func(parent *cobra.Command) {
		parent.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			if inherited.Lookup(f.Name) == f {
				add("Flags of every "+parent.CommandPath()+" command", f)
			}
		})
	})
	return groups
}
