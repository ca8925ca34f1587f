package load

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/target"
)

const targetDirective = directivePrefix + "target"

// Words that may stand after //fuzzmut:target.
const (
	wordFuzz     = "fuzz"     // a fuzz test is derived although the function is not exported
	wordProperty = "property" // the result says whether the input fails
	wordNil      = "nil"      // arguments that are pointers may be nil
	wordFields   = "fields"   // the fields of a receiver are inputs
	wordPanics   = "panics"   // texts in quotes follow: of panics that skip an input
)

// mark is what a //fuzzmut:target directive says.
type mark struct {
	words  map[string]bool
	panics []string
}

// plain says whether nothing follows the directive.
func (m *mark) plain() bool { return len(m.words) == 0 }

// targetMark returns the directive in a comment; nil: there is none. An error says which of
// its words are wrong.
func targetMark(doc *ast.CommentGroup) (*mark, error) {
	if doc == nil {
		return nil, nil
	}
	for _, c := range doc.List {
		rest, ok := strings.CutPrefix(c.Text, targetDirective)
		if ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return parseMark(rest)
		}
	}
	return nil, nil
}

// parseMark reads what follows the directive. Of wrong words the mark has those before.
func parseMark(rest string) (*mark, error) {
	m := &mark{words: make(map[string]bool)}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '"' || rest[0] == '`' {
			return m, fmt.Errorf("%s: a text in quotes belongs after %s, as in %s panics \"division by 0\"", targetDirective, wordPanics, targetDirective)
		}
		word := rest
		if end := strings.IndexAny(rest, " \t"); end >= 0 {
			word = rest[:end]
		}
		rest = strings.TrimSpace(rest[len(word):])
		switch word {
		case wordFuzz, wordProperty, wordNil, wordFields:
		case wordPanics:
			texts, after, err := quoted(rest)
			if err != nil {
				return m, err
			}
			m.panics, rest = append(m.panics, texts...), after
		default:
			return m, fmt.Errorf("%s %s: only property, nil, fields, panics or fuzz can follow the directive", targetDirective, word)
		}
		m.words[word] = true
	}
	return m, nil
}

// quoted reads the texts in quotes at the beginning of s. There has to be one.
func quoted(s string) (texts []string, rest string, err error) {
	for s != "" && (s[0] == '"' || s[0] == '`') {
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, "", fmt.Errorf("%s %s: the quotes of %s do not end", targetDirective, wordPanics, s)
		}
		text, err := strconv.Unquote(q)
		if err != nil || strings.TrimSpace(text) == "" {
			return nil, "", fmt.Errorf("%s %s: the text %s is empty, and every panic holds it", targetDirective, wordPanics, q)
		}
		texts, s = append(texts, text), strings.TrimSpace(s[len(q):])
	}
	if len(texts) == 0 {
		return nil, "", fmt.Errorf("%s %s: a text in quotes has to follow, which the panic holds, as in %s panics \"division by 0\"", targetDirective, wordPanics, targetDirective)
	}
	return texts, s, nil
}

// checkTarget says what is wrong with the //fuzzmut:target directive of a function.
func checkTarget(fd *ast.FuncDecl, info *types.Info) *Wrong {
	m, err := targetMark(fd.Doc)
	if err != nil {
		return wrongf(fd.Pos(), "%v", err)
	}
	fn, ok := info.Defs[fd.Name].(*types.Func)
	switch {
	case m == nil || !ok:
	case m.words[wordProperty] && !target.IsProperty(fn):
		return wrongf(fd.Pos(), "%s property needs a function with one result, a bool or an error, and %s is not one", targetDirective, fd.Name.Name)
	case m.words[wordFields] && fd.Recv == nil:
		return wrongf(fd.Pos(), "%s fields is about the receiver of a method, and %s is a function: remove the word", targetDirective, fd.Name.Name)
	}
	return nil
}
