package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shells have the scripts that complete a command line, by the shell. A script asks
// "fuzzmut completion words" with the words before the cursor and the one at it: what there
// is comes from the tables of the command itself.
var shells = map[string]string{
	"bash": `# bash completion for fuzzmut: eval "$(fuzzmut completion bash)"
_fuzzmut() {
	local IFS=$'\n' word
	COMPREPLY=()
	for word in $("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
		if [[ $word == :files ]]; then
			COMPREPLY+=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
		else
			COMPREPLY+=("$word")
		fi
	done
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then
		compopt -o nospace
	fi
}
complete -F _fuzzmut fuzzmut
`,
	"zsh": `#compdef fuzzmut
# zsh completion for fuzzmut: source <(fuzzmut completion zsh), after compinit
_fuzzmut() {
	local -a found
	found=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if (( ${found[(Ie):files]} )); then
		_files
	fi
	found=("${(@)found:#:files}")
	found=("${(@)found:#}")
	compadd -Q -- "${(@)found:#*/}"
	compadd -Q -S '' -- "${(@M)found:#*/}"
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
	_fuzzmut "$@"
else
	compdef _fuzzmut fuzzmut
fi
`,
	"fish": `# fish completion for fuzzmut: fuzzmut completion fish | source
function __fuzzmut_complete
	set -l before (commandline -opc)
	set -l found ($before[1] completion words -- $before[2..] (commandline -ct) 2>/dev/null)
	for word in $found
		if test "$word" = :files
			__fish_complete_path (commandline -ct)
		else
			echo -- $word
		end
	end
end
complete -c fuzzmut -f -a '(__fuzzmut_complete)'
`,
}

// shellNames are the names of the shells, in order.
func shellNames() []string { return []string{"bash", "fish", "zsh"} }

// filesHere stands for all files, which shells complete better.
const filesHere = ":files"

// newCompletionFlags returns the flags of the subcommand for shells. What follows "words" is
// a command line to complete.
func newCompletionFlags(command string) *flags {
	f := newArguments(command)
	f.raw = true
	return f
}

// completion prints a script for a shell, or, for the scripts, what may stand at the end of
// a command line.
func (t *tool) completion(f *flags) error {
	if len(f.args) > 1 && f.args[0] == "words" && f.args[1] == "--" {
		for _, word := range complete(f.args[2:]) {
			fmt.Fprintln(t.stdout, word)
		}
		return nil
	}
	if len(f.args) != 1 || shells[f.args[0]] == "" {
		return usageError("fuzzmut completion takes the name of a shell: %s", strings.Join(shellNames(), ", "))
	}
	_, err := fmt.Fprint(t.stdout, shells[f.args[0]])
	return err
}

// complete returns what the last word may become, sorted. The words before it are a command
// line after the name of the program.
func complete(words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	last, before := words[len(words)-1], words[:len(words)-1]
	list, name, rest := commands(), "", before
	for len(rest) > 0 {
		c := find(list, rest)
		if c == nil {
			break
		}
		list, name, rest = c.commands, strings.TrimSpace(name+" "+c.name), rest[1:]
	}
	var found []string
	if len(rest) == 0 {
		for _, c := range list {
			found = append(found, c.name)
		}
	}
	if name == "" {
		name = commands()[0].name
	}
	isFlag := strings.HasPrefix(last, "-")
	if name == "config" && (isFlag || len(rest) > 0) {
		name, rest = commandOf(rest) // whose flags it takes
	}
	c := findPath(strings.Fields(name))
	switch {
	case c.run == nil: // one of its commands has to follow
	case name == "help" && !isFlag:
		found = append(found, helpNames()...)
	case name == "completion":
		found = append(found, shellNames()...)
	case name == "config":
		found = append(found, configurableBelow(nil)...)
	default:
		found = append(found, c.completeArgument(name, rest, last)...)
	}
	found = slices.DeleteFunc(found, func(word string) bool { return word != filesHere && !strings.HasPrefix(word, last) })
	slices.Sort(found)
	return slices.Compact(found)
}

// helpNames are the words that help takes.
func helpNames() []string {
	names := []string{"all"}
	for _, t := range topics() {
		names = append(names, t.name)
	}
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

// completeArgument returns flags, values of the flag before, or packages. before are the
// arguments before the last one.
func (c *command) completeArgument(name string, before []string, last string) []string {
	f := c.allFlags(name)
	if len(before) > 0 {
		word := strings.TrimLeft(before[len(before)-1], "-")
		if fl := f.set.Lookup(word); fl != nil && strings.HasPrefix(before[len(before)-1], "-") && !isBool(fl) {
			return completeValue(fl, "", dirOf(before))
		}
	}
	if strings.HasPrefix(last, "-") {
		if flagName, _, ok := strings.Cut(last, "="); ok {
			if fl := f.set.Lookup(strings.TrimLeft(flagName, "-")); fl != nil {
				return completeValue(fl, flagName+"=", dirOf(before))
			}
		}
		var names []string
		f.set.VisitAll(func(fl *flag.Flag) {
			if f.takes(fl.Name) {
				names = append(names, "-"+fl.Name)
			}
		})
		return names
	}
	if f.files {
		return []string{filesHere}
	}
	return packagesFor(last, dirOf(before))
}

// isBool says whether a flag stands without a value.
func isBool(fl *flag.Flag) bool {
	b, ok := fl.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// completeValue returns values of a flag, each after a prefix. Of a flag whose usage names a
// file or a directory all files may be meant; of others nothing is known.
func completeValue(fl *flag.Flag, prefix, dir string) []string {
	kind, _ := flag.UnquoteUsage(fl)
	var values []string
	switch {
	case fl.Name == "fuzz":
		values = fuzzTestNames(dir)
	case choices(fl.Name) != nil:
		values = choices(fl.Name)
	case kind == "file" || kind == "directory":
		if prefix != "" {
			return nil // shells complete files of whole words
		}
		return []string{filesHere}
	case kind == "patterns":
		values = append(packagesFor("", dir), "./...")
	}
	for i := range values {
		values[i] = prefix + values[i]
	}
	return values
}

// Bounds of what is looked at while a user waits.
const (
	maxCompleted  = 200 // directories
	maxSourceFile = 4 << 20
)

// packagesFor returns the directories with Go files, or with directories below them, that a
// word may be the beginning of, as patterns of packages. Nothing but the directories is read.
func packagesFor(word, dir string) []string {
	if word == "" || word == "." {
		return append([]string{".", "./..."}, packagesFor("./", dir)...)
	}
	if !strings.HasPrefix(word, "./") && !strings.HasPrefix(word, "../") {
		return nil
	}
	parent := word[:strings.LastIndexByte(word, '/')+1]
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(parent)))
	if err != nil {
		return nil // there is nothing to complete
	}
	found := []string{parent + "..."}
	for _, e := range entries[:min(len(entries), maxCompleted)] {
		path := filepath.Join(dir, filepath.FromSlash(parent), e.Name())
		if !e.IsDir() || skipped(path, e.Name()) {
			continue
		}
		own, below := contents(path)
		if own {
			found = append(found, parent+e.Name())
		}
		if below {
			found = append(found, parent+e.Name()+"/")
		}
	}
	return found
}

// contents says whether a directory has Go files, and whether it has directories with packages.
func contents(dir string) (own, below bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, false
	}
	for _, e := range entries {
		own = own || !e.IsDir() && strings.HasSuffix(e.Name(), ".go")
		below = below || e.IsDir() && !skipped(filepath.Join(dir, e.Name()), e.Name())
	}
	return own, below
}

// fuzzTestNames returns the names of the fuzz tests in the test files of a directory.
func fuzzTestNames(dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil
	}
	var names []string
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil || info.Mode()&fs.ModeType != 0 || info.Size() > maxSourceFile {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for _, m := range declaresFuzzTest.FindAll(text, -1) {
			name, _, _ := strings.Cut(strings.TrimPrefix(string(m), "func "), "(")
			names = append(names, name)
		}
	}
	return names
}
