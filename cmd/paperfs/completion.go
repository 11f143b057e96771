package main

import (
	"io"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"

	"github.com/spf13/cobra"
)

// completes sets the completion of the first argument for the commands called
// names.
func completes(root *cobra.Command, complete cobra.CompletionFunc, names ...string) {
	for _, name := range names {
		if cmd, _, err := root.Find([]string{name}); err == nil {
			cmd.ValidArgsFunction = complete
		}
	}
}

// addCompletion adds completion of mount points, and of paths in mounts, to the commands
// that take them.
func addCompletion(root *cobra.Command) {
	completes(root, config.CompleteMountPoint, "umount", "status")
	completes(root, config.CompletePath, "stat", "url", "open", "why", "refresh", "wait", "retry", "discard", "undo")
}

// completeHelp completes commands and topics.
func completeHelp(cmd *cobra.Command, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	about, _, err := cmd.Root().Find(args)
	if err != nil {
		about = cmd.Root()
	}
	for _, c := range about.Commands() {
		if !c.Hidden && strings.HasPrefix(c.Name(), begun) {
			found = append(found, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// bashAlone replaces what cobra's script uses of the package bash-completion if that is not
// loaded.
const bashAlone = `
if ! declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref() { words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}; }
    _filedir() { local IFS=$'\n'; compopt -o filenames 2> /dev/null; COMPREPLY+=($(compgen "${1:--f}" -- "$cur")); }
    __ltrim_colon_completions() { :; }
fi
`

func newCompletionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print a shell completion script",
		Long: `The script completes commands, flags, mount points and paths. Packages install it. To install it
by hand, write the output to:

    bash  ~/.local/share/bash-completion/completions/paperfs; without the
          package bash-completion, add to ~/.bashrc:
          . <(paperfs completion bash)
    zsh   DIR/_paperfs, where DIR is in $fpath
    fish  ~/.config/fish/completions/paperfs.fish`,
		Example: `paperfs completion bash
paperfs completion fish > ~/.config/fish/completions/paperfs.fish`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: []string{"bash", "zsh", "fish"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			write, err := cli.Choose("completion", args[0], map[string]func() error{
				"bash": func() error {
					if err := root.GenBashCompletionV2(out, true); err != nil {
						return err
					}
					_, err := io.WriteString(out, bashAlone)
					return err
				},
				"zsh":  func() error { return root.GenZshCompletion(out) },
				"fish": func() error { return root.GenFishCompletion(out, true) },
			})
			if err != nil {
				return err
			}
			return write()
		},
	}
}
