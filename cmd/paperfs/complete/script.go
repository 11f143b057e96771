package complete

import (
	"io"

	"paperfs/cmd/paperfs/cli"

	"github.com/spf13/cobra"
)

// bashAlone replaces what cobra's script uses of the package bash-completion if that is not
// loaded.
const bashAlone = `
if ! declare -F _get_comp_words_by_ref > /dev/null; then
    _get_comp_words_by_ref() { words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}; }
    _filedir() { local IFS=$'\n'; compopt -o filenames 2> /dev/null; COMPREPLY+=($(compgen "${1:--f}" -- "$cur")); }
    __ltrim_colon_completions() { :; }
fi
`

func NewCommand() *cobra.Command {
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
