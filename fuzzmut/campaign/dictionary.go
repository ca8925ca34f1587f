package campaign

import (
	"encoding/binary"
	"go/ast"
	"go/constant"
	"go/token"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

const (
	dictTokenMost = 64   // bytes
	dictMost      = 2048 // tokens
)

// dictionary collects what the rewritten packages compare their input with, as
// far as it stands in them: string and character literals, numbers of more than
// one byte in both byte orders and in decimal, and the keys of struct tags.
func dictionary(loaded *load.Result) [][]byte {
	set := make(map[string]bool)
	add := func(s string) {
		if s != "" && len(s) <= dictTokenMost {
			set[s] = true
		}
	}
	for _, p := range loaded.Packages {
		for _, f := range p.Files {
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ImportSpec:
					return false
				case *ast.Field:
					if n.Tag != nil {
						addTag(n.Tag.Value, add)
					}
					ast.Inspect(n.Type, func(n ast.Node) bool { return addLiteral(n, add) })
					return false
				}
				return addLiteral(n, add)
			})
		}
	}
	tokens := make([]string, 0, len(set))
	for s := range set {
		tokens = append(tokens, s)
	}
	// The short ones first: they are likelier to be whole tokens of the input's
	// language than the messages among them.
	slices.SortFunc(tokens, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	dict := make([][]byte, 0, min(len(tokens), dictMost))
	for _, s := range tokens[:min(len(tokens), dictMost)] {
		dict = append(dict, []byte(s))
	}
	return dict
}

func addLiteral(n ast.Node, add func(string)) bool {
	lit, ok := n.(*ast.BasicLit)
	if !ok {
		return true
	}
	v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
	switch lit.Kind {
	case token.STRING:
		if s := constant.StringVal(v); !looksLikeMessage(s) {
			add(s)
		}
	case token.CHAR:
		if r, ok := constant.Int64Val(v); ok {
			add(string(rune(r)))
		}
	case token.INT:
		if u, ok := constant.Uint64Val(v); ok && u > math.MaxUint8 {
			addNumber(u, add)
			add(v.ExactString())
		}
	}
	return false
}

// looksLikeMessage tells texts for people, which no input contains, by their
// formatting verbs and words.
func looksLikeMessage(s string) bool {
	return strings.Count(s, " ") > 2 || strings.Contains(s, "%v") || strings.Contains(s, "%s") ||
		strings.Contains(s, "%d") || strings.Contains(s, "%q")
}

// addNumber adds the bytes of a number in the narrowest width that holds it.
func addNumber(u uint64, add func(string)) {
	var le, be []byte
	switch {
	case u <= math.MaxUint16:
		le, be = binary.LittleEndian.AppendUint16(nil, uint16(u)), binary.BigEndian.AppendUint16(nil, uint16(u))
	case u <= math.MaxUint32:
		le, be = binary.LittleEndian.AppendUint32(nil, uint32(u)), binary.BigEndian.AppendUint32(nil, uint32(u))
	default:
		le, be = binary.LittleEndian.AppendUint64(nil, u), binary.BigEndian.AppendUint64(nil, u)
	}
	add(string(le))
	add(string(be))
}

// addTag adds the names in a struct tag: `json:"name,omitempty"` has name.
func addTag(lit string, add func(string)) {
	tag := reflect.StructTag(constant.StringVal(constant.MakeFromLiteral(lit, token.STRING, 0)))
	for _, part := range strings.Fields(string(tag)) {
		key, _, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(tag.Get(key), ",")
		add(name)
	}
}
