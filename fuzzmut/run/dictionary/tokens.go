// Package dictionary collects tokens for the input mutator, from code and from corpus
// entries, and reads and writes files of them in the format of AFL.
package dictionary

import (
	"cmp"
	"encoding/binary"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

const (
	maxToken     = 64   // bytes
	maxOfCode    = 2048 // tokens of the code
	maxOfEntries = 512  // tokens of the corpus
)

// tokens is a set of tokens for the input mutator.
type tokens map[string]bool

func (t tokens) add(s string) {
	if s != "" && len(s) <= maxToken {
		t[s] = true
	}
}

// OfCode collects what the rewritten packages compare their input with, as
// far as it stands in them: string and character literals, numbers of more than
// one byte in both byte orders and in decimal, the keys of struct tags, and
// constants that are declared elsewhere. The short ones come first: they are
// likelier to be whole tokens of the input's language than the messages among
// them.
func OfCode(loaded *load.Result) [][]byte {
	set := make(tokens)
	for _, p := range loaded.Packages {
		c := &codeReader{tokens: set, info: p.Info}
		for _, f := range p.Files {
			ast.Inspect(f.Syntax, c.visit)
		}
	}
	list := slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(len(a)-len(b), strings.Compare(a, b))
	})
	return bytesOf(list[:min(len(list), maxOfCode)])
}

func bytesOf(list []string) [][]byte {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = []byte(s)
	}
	return out
}

// codeReader collects the tokens of one package.
type codeReader struct {
	tokens
	info *types.Info
}

func (c *codeReader) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Tag != nil {
			c.tag(n.Tag.Value)
		}
		ast.Inspect(n.Type, c.visit)
		return false
	case *ast.BasicLit:
		c.literal(n)
	case *ast.CaseClause:
		for _, e := range n.List {
			c.compared(e)
		}
	case *ast.CompositeLit:
		c.keys(n)
	case *ast.IndexExpr:
		if c.isMap(n.X) {
			c.compared(n.Index)
		}
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			c.border(n.X)
			c.border(n.Y)
			fallthrough
		case token.EQL, token.NEQ:
			c.compared(n.X)
			c.compared(n.Y)
		}
	case *ast.CallExpr:
		// strings.HasPrefix(s, scheme), say.
		for _, e := range n.Args {
			if v := c.info.Types[e].Value; v != nil && v.Kind() == constant.String {
				c.compared(e)
			}
		}
	}
	return true
}

// keys adds the keys of a map's literal.
func (c *codeReader) keys(n *ast.CompositeLit) {
	if !c.isMap(n) {
		return
	}
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			c.compared(kv.Key)
		}
	}
}

func (c *codeReader) isMap(e ast.Expr) bool {
	t := c.info.Types[e].Type
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// compared adds the value of an expression that something is compared with, if
// it is a constant. Literals are seen anyway.
func (c *codeReader) compared(e ast.Expr) {
	tv := c.info.Types[e]
	if _, ok := ast.Unparen(e).(*ast.BasicLit); ok || tv.Value == nil {
		return
	}
	switch v := tv.Value; v.Kind() {
	case constant.String:
		c.text(constant.StringVal(v))
	case constant.Int:
		if isRune(tv.Type) {
			c.rune(v)
		} else {
			c.number(v)
		}
	}
}

// border adds the characters beside a constant that characters are ordered by: they are on both sides
// of the border.
func (c *codeReader) border(e ast.Expr) {
	tv := c.info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.Int || !isRune(tv.Type) {
		return
	}
	if r, ok := constant.Int64Val(tv.Value); ok && r > utf8.RuneSelf {
		for _, near := range []rune{rune(r) - 1, rune(r) + 1} {
			if utf8.ValidRune(near) {
				c.add(string(near))
			}
		}
	}
}

// isRune distinguishes the type rune from int32. Both name the same type.
func isRune(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.UntypedRune || b.Name() == "rune")
}

func (c *codeReader) literal(lit *ast.BasicLit) {
	v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
	switch lit.Kind {
	case token.STRING:
		c.text(constant.StringVal(v))
	case token.CHAR:
		c.rune(v)
	case token.INT:
		if t := c.info.Types[lit].Type; t != nil && isRune(t) {
			c.rune(v)
			return
		}
		c.number(v)
	}
}

func (c *codeReader) text(s string) {
	if !looksLikeMessage(s) {
		c.add(s)
	}
}

// looksLikeMessage tells texts for people, which no input contains, by their
// formatting verbs and words.
func looksLikeMessage(s string) bool {
	return strings.Count(s, " ") > 2 || strings.Contains(s, "%v") || strings.Contains(s, "%s") ||
		strings.Contains(s, "%d") || strings.Contains(s, "%q")
}

func (c *codeReader) rune(v constant.Value) {
	if r, ok := constant.Int64Val(v); ok && utf8.ValidRune(rune(r)) {
		c.add(string(rune(r)))
	}
}

// number adds the bytes of a number in the narrowest width that holds it, and its
// decimal form. What fits into one byte is tried without a dictionary.
func (c *codeReader) number(v constant.Value) {
	u, ok := constant.Uint64Val(v)
	if !ok || u <= math.MaxUint8 {
		return
	}
	var le, be []byte
	switch {
	case u <= math.MaxUint16:
		le, be = binary.LittleEndian.AppendUint16(nil, uint16(u)), binary.BigEndian.AppendUint16(nil, uint16(u))
	case u <= math.MaxUint32:
		le, be = binary.LittleEndian.AppendUint32(nil, uint32(u)), binary.BigEndian.AppendUint32(nil, uint32(u))
	default:
		le, be = binary.LittleEndian.AppendUint64(nil, u), binary.BigEndian.AppendUint64(nil, u)
	}
	c.add(string(le))
	c.add(string(be))
	c.add(v.ExactString())
}

// tag adds the names in a struct tag: `json:"name,omitempty"` has name.
func (c *codeReader) tag(lit string) {
	tag := reflect.StructTag(constant.StringVal(constant.MakeFromLiteral(lit, token.STRING, 0)))
	for _, part := range strings.Fields(string(tag)) {
		key, _, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(tag.Get(key), ",")
		c.add(name)
	}
}

// Tokens of an input: words of any language, and strings in quotes, with and
// without them.
var (
	wordToken   = regexp.MustCompile(`[\pL\pN_]{2,}`)
	quotedToken = regexp.MustCompile("\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`")
)

// OfEntries collects the words and quoted strings of corpus entries, those of
// most entries first.
func OfEntries(entries []corpus.Entry) [][]byte {
	count := make(map[string]int)
	for i := range entries {
		for s := range entryTokens(&entries[i]) {
			count[s]++
		}
	}
	list := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], len(a)-len(b), strings.Compare(a, b))
	})
	return bytesOf(list[:min(len(list), maxOfEntries)])
}

func entryTokens(e *corpus.Entry) tokens {
	set := make(tokens)
	for _, v := range e.Input.Values() {
		var s string
		switch v := v.(type) {
		case string:
			s = v
		case []byte:
			s = string(v)
		}
		for _, word := range wordToken.FindAllString(s, -1) {
			set.add(word)
		}
		for _, quoted := range quotedToken.FindAllString(s, -1) {
			set.add(quoted)
			set.add(quoted[1 : len(quoted)-1])
		}
	}
	return set
}
