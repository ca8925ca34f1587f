package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// plainer lists words that users do not read, as regular expressions, each with what to
// write in its place. Spelling is American.
var plainer = []struct{ word, write string }{
	{`behind`, "after"},
	{`mend(s|ed|ing)?`, "fix"},
	{`that there (is|are)`, "existing"},
	{`of which`, "a new sentence"},
	{`lies? in`, "is in"},
	{`told apart`, "distinguished"},
	{`of (its|their) own`, "a separate ..., or nothing"},
	{`says? so`, "what it says"},
	{`by lot`, "at random"},
	{`lest`, "so that ... not"},
	{`comes? to`, "is, or reaches"},
	{`so many`, "the number"},
	{`(is|are|was|were) told`, "shown, or reported"},
	{`needless(ly)?`, "unnecessary"},
	{`anew`, "again"},
	{`besides`, "in addition to"},
	{`at the (most|least)`, "at most, at least"},
	{`for want of`, "out of"},
	{`in the place of`, "instead of"},
	{`under way`, "in progress"},
	{`of no use`, "unusable"},
	{`now and then`, "sometimes, or flaky"},
	{`(not|nothing|nobody)( \w+)* any more`, "no longer"},
	{`pass(es|ed)? over`, "skip"},
	{`as ever`, "as always, or nothing"},
	{`comes? and goe?s?`, "flaky"},
	{`on the way`, "during the run"},
	{`another value`, "a different value"},
	{`did not notice`, "still passed"},
	{`made smaller`, "minimized"},
	{`ways out`, "to fix this"},
	{`begins? anew`, "starts over"},
	{`\w*minimis\w*`, "minimiz..."},
	{`initialis\w*`, "initializ..."},
	{`recognis\w*`, "recogniz..."},
	{`normalis\w*`, "normaliz..."},
	{`localis\w*`, "localiz..."},
	{`colour\w*`, "color"},
	{`behaviour\w*`, "behavior"},
	{`neighbour\w*`, "neighbor"},
	{`licence\w*`, "license"},
}

// contract holds names that users' scripts, imports and commands rely on, and terms of art
// that have a word of the list in them.
var contract = regexp.MustCompile(`places\[\]\.localiser|(left|leaves?( something)?) behind|behind a run-time switch|(fuzzmut/job/|^ +)minimise(/|\b)`)

// translated returns the words of a text that are in the list, each with what to write.
func translated(text string) map[string]string {
	text = contract.ReplaceAllString(text, "")
	found := make(map[string]string)
	for i, re := range plainWords {
		if word := re.FindString(text); word != "" {
			found[word] = plainer[i].write
		}
	}
	return found
}

var plainWords = func() (list []*regexp.Regexp) {
	for _, p := range plainer {
		list = append(list, regexp.MustCompile(`(?i)\b(`+p.word+`)\b`))
	}
	return list
}()

func TestTranslatedWords(t *testing.T) {
	for text, want := range map[string]string{
		"the entry Behind it":              "Behind",
		"a minimised corpus":               "minimised",
		"fuzzmut/job/minimise":             "",
		"what to amend, and everyone else": "",
		"it does nothing to them any more": "nothing to them any more",
	} {
		got := ""
		for word := range translated(text) {
			got += word
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestUsersReadPlainEnglish: documents, help and the texts in the source have none of the
// words that are listed above.
func TestUsersReadPlainEnglish(t *testing.T) {
	files := []string{"README.md", "FIGURES.md", "LIMITS.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}
	if _, err := os.Stat(filepath.Join(root, "action.yml")); err == nil {
		files = append(files, "action.yml")
	}
	help, err := filepath.Glob(filepath.Join("help", "*.txt"))
	if err != nil || len(help) == 0 {
		t.Fatalf("no help: %v", err)
	}
	for _, name := range help {
		files = append(files, filepath.Join("cmd", "fuzzmut", name))
	}
	for _, name := range files {
		n := 0
		for line := range strings.Lines(document(t, name)) {
			n++
			for word, write := range translated(line) {
				t.Errorf("%s:%d: %q: write %s", filepath.ToSlash(name), n, word, write)
			}
		}
	}
	seen := 0
	eachSource(t, []string{"cmd/fuzzmut", "fuzzmut", "corpus", "instrument"}, func(name string, src []byte) {
		if !strings.HasSuffix(name, "_test.go") {
			seen += checkLiterals(t, name, src)
		}
	})
	if seen < 1000 {
		t.Errorf("only %d texts were found in the source", seen)
	}
}

// TestCommentsAreInPlainEnglish: those who change the code read plain words, too. Files
// below testdata are left out: some of them are expected output, or written to be odd.
func TestCommentsAreInPlainEnglish(t *testing.T) {
	seen := 0
	eachSource(t, []string{"cmd", "fuzzmut", "corpus", "instrument"}, func(name string, src []byte) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		names := make(map[string]bool) // what the code is called stays as it is
		ast.Inspect(file, func(node ast.Node) bool {
			if id, ok := node.(*ast.Ident); ok {
				names[id.Name] = true
			}
			return true
		})
		for _, group := range file.Comments {
			for _, c := range group.List {
				seen++
				for i, line := range strings.Split(c.Text, "\n") {
					for word, write := range translated(line) {
						if !names[word] {
							t.Errorf("%s:%d: %q: write %s", name, fset.Position(c.Pos()).Line+i, word, write)
						}
					}
				}
			}
		}
	})
	if seen < 10000 {
		t.Errorf("only %d comments were found", seen)
	}
}

// eachSource calls check for all Go files in directories, without those below testdata.
func eachSource(t *testing.T, dirs []string, check func(name string, src []byte)) {
	t.Helper()
	tree := os.DirFS(root)
	for _, dir := range dirs {
		err := fs.WalkDir(tree, dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case !strings.HasSuffix(name, ".go"):
				return nil
			}
			src, err := fs.ReadFile(tree, name)
			if err == nil {
				check(name, src)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkLiterals checks the strings of a file that have a space, and counts them.
func checkLiterals(t *testing.T, name string, src []byte) (n int) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return 0
	}
	ast.Inspect(file, func(node ast.Node) bool {
		lit, ok := node.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || !strings.Contains(lit.Value, " ") {
			return true
		}
		n++
		for word, write := range translated(lit.Value) {
			t.Errorf("%s: %q: write %s", fset.Position(lit.Pos()), word, write)
		}
		return true
	})
	return n
}
