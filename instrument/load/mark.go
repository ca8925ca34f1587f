package load

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
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
	wordSequence = "sequence" // above a type: its methods are called one after another
	wordWithout  = "without"  // names in quotes follow: of methods and constructors that are not called

	wordConcurrent = "concurrent" // goroutines call the methods at once
)

const modelDirective = "model"

// mark is what a //fuzzmut:target directive says.
type mark struct {
	words   map[string]bool
	panics  []string
	without []string
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
		case wordFuzz, wordProperty, wordNil, wordFields, wordSequence, wordConcurrent:
		case wordPanics, wordWithout:
			texts, after, err := quoted(word, rest)
			if err != nil {
				return m, err
			}
			rest = after
			if word == wordPanics {
				m.panics = append(m.panics, texts...)
			} else {
				m.without = append(m.without, texts...)
			}
		default:
			return m, fmt.Errorf("%s %s: only property, nil, fields, panics, without or fuzz can follow the directive, and above a type sequence, panics, without or concurrent", targetDirective, word)
		}
		m.words[word] = true
	}
	return m, nil
}

// examples show how texts follow words.
var examples = map[string]string{wordPanics: `panics "division by 0"`, wordWithout: `sequence without "Grow"`}

// quoted reads the texts in quotes at the beginning of s, after a word. There has to be one.
func quoted(word, s string) (texts []string, rest string, err error) {
	for s != "" && (s[0] == '"' || s[0] == '`') {
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, "", fmt.Errorf("%s %s: the quotes of %s do not end", targetDirective, word, s)
		}
		text, err := strconv.Unquote(q)
		if err != nil || strings.TrimSpace(text) == "" {
			return nil, "", fmt.Errorf("%s %s: the text %s is empty", targetDirective, word, q)
		}
		texts, s = append(texts, text), strings.TrimSpace(s[len(q):])
	}
	if len(texts) == 0 {
		return nil, "", fmt.Errorf("%s %s: a text in quotes has to follow, as in %s %s", targetDirective, word, targetDirective, examples[word])
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
	case isRunByGo(fn):
		return wrongf(fd.Pos(), "%s is about a function under test, and %s is what go test runs: put the directive above the function that it calls, or remove it", targetDirective, fd.Name.Name)
	case m.words[wordProperty] && !target.IsProperty(fn):
		return wrongf(fd.Pos(), "%s property needs a function with one result, a bool or an error, and %s is not one", targetDirective, fd.Name.Name)
	case m.words[wordSequence] || m.words[wordConcurrent]:
		return wrongf(fd.Pos(), "%s sequence is about the methods of a type, and %s is a function: put the directive above the type", targetDirective, fd.Name.Name)
	case m.words[wordFields] && fd.Recv == nil:
		return wrongf(fd.Pos(), "%s fields is about the receiver of a method, and %s is a function: remove the word", targetDirective, fd.Name.Name)
	case m.words[wordWithout] && fd.Recv == nil:
		return wrongf(fd.Pos(), "%s without is about constructors of the receiver of a method, and %s is a function: remove the word", targetDirective, fd.Name.Name)
	}
	return nil
}

// isRunByGo says whether a function has the form of a test, a fuzz test or a benchmark: no
// fuzz test can be derived for it, and it has no results to observe.
func isRunByGo(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() != nil || sig.Params().Len() != 1 || sig.Results().Len() > 0 {
		return false
	}
	p, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing" && slices.Contains([]string{"T", "F", "B", "M"}, named.Obj().Name())
}

// checkSequence says what is wrong with the //fuzzmut:target directive of a type.
func checkSequence(ts *ast.TypeSpec, doc *ast.CommentGroup) *Wrong {
	m, err := targetMark(doc)
	switch {
	case err != nil:
		return wrongf(ts.Pos(), "%v", err)
	case m == nil:
	case !m.words[wordSequence]:
		return wrongf(ts.Pos(), "%s above a type needs the word sequence: its methods are called one after another; or put the directive above a function", targetDirective)
	}
	for _, word := range []string{wordFuzz, wordProperty, wordNil, wordFields} {
		if m != nil && m.words[word] {
			return wrongf(ts.Pos(), "%s %s is about a function, and %s is a type: only panics, without and concurrent can follow sequence", targetDirective, word, ts.Name.Name)
		}
	}
	return nil
}

// checkModel says what is wrong with a //fuzzmut:model directive; ts is the type below it, nil
// if there is none.
func checkModel(c *ast.Comment, ts *ast.TypeSpec, doc *ast.CommentGroup) *Wrong {
	if ts != nil {
		if m, _ := targetMark(doc); m == nil || !m.words[wordSequence] {
			return wrongf(c.Pos(), "%s%s says what sequences are compared with: put %s sequence above it", directivePrefix, modelDirective, targetDirective)
		}
	}
	switch fields := strings.Fields(c.Text); {
	case ts == nil:
		return wrongf(c.Pos(), "%s%s belongs in the comment directly above a type", directivePrefix, modelDirective)
	case len(fields) != 2:
		return wrongf(c.Pos(), "%s%s needs one name, of a type with the same methods or of a function that makes one", directivePrefix, modelDirective)
	}
	return nil
}

// modelName is the name after //fuzzmut:model in a comment; "": there is none.
func modelName(doc *ast.CommentGroup) string {
	for _, c := range doc.List {
		if fields := strings.Fields(c.Text); len(fields) == 2 && fields[0] == directivePrefix+modelDirective {
			return fields[1]
		}
	}
	return ""
}

// below is the declaration that a comment stands above.
type below struct {
	fn  *ast.FuncDecl
	typ *ast.TypeSpec
}

// declared maps comments to functions and types.
func declared(f *ast.File) map[*ast.CommentGroup]below {
	docs := make(map[*ast.CommentGroup]below)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			docs[d.Doc] = below{fn: d}
		case *ast.GenDecl:
			for ts, doc := range typesOf(d) {
				docs[doc] = below{typ: ts}
			}
		}
	}
	delete(docs, nil)
	return docs
}

// typesOf are the types of a declaration with their comments.
func typesOf(d *ast.GenDecl) map[*ast.TypeSpec]*ast.CommentGroup {
	docs := make(map[*ast.TypeSpec]*ast.CommentGroup)
	for _, s := range d.Specs {
		if ts, ok := s.(*ast.TypeSpec); ok {
			docs[ts] = ts.Doc
			if ts.Doc == nil && !d.Lparen.IsValid() {
				docs[ts] = d.Doc
			}
		}
	}
	return docs
}
