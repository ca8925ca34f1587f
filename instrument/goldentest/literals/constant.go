package literals

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/fuzzmut/fuzzmut/instrument/named"
)

// Constant is a value of a basic type by the names that are declared for it, as a character, or as a sum of units;
// false if there is none that the file can write.
func (l *Literals) Constant(t types.Type, v constant.Value) (string, bool) {
	if v.Kind() == constant.Int {
		n, _ := constant.Int64Val(v)
		if src, ok := named.Character(t, n); ok {
			return src, true
		}
	}
	var names []string
	for _, c := range named.Constants(t, v, l.usable) {
		if name := c.Name(); c.Pkg().Path() == l.pkg.Path() {
			names = append(names, name)
		} else if l.imported(c.Pkg()) {
			names = append(names, Mark+c.Pkg().Name()+"."+name)
		}
	}
	if len(names) > 0 || v.Kind() != constant.Int {
		return strings.Join(names, "|"), len(names) > 0
	}
	n, _ := constant.Int64Val(v)
	src, ok := named.Duration(t, n, Mark+"time")
	if !ok || !l.imported(types.Unalias(t).(*types.Named).Obj().Pkg()) {
		return "", false
	}
	return src, true
}

// Argument is Constant of an argument, as a fuzz target has it.
func (l *Literals) Argument(t types.Type, arg any) (string, bool) {
	switch v := reflect.ValueOf(arg); {
	case v.CanInt():
		return l.Constant(t, constant.MakeInt64(v.Int()))
	case v.CanUint():
		return l.Constant(t, constant.MakeUint64(v.Uint()))
	case v.Kind() == reflect.Bool:
		return l.Constant(t, constant.MakeBool(v.Bool()))
	case v.Kind() == reflect.String:
		return l.Constant(t, constant.MakeString(v.String()))
	}
	return "", false
}

// usable says whether the file can name a constant.
func (l *Literals) usable(c *types.Const) bool {
	if c.Pkg().Path() != l.pkg.Path() {
		return c.Exported() && l.importable(c.Pkg())
	}
	_, taken := l.names[c.Name()]
	return !taken
}

// constantOf is the value of a literal of a basic type, as golden files have it.
func constantOf(t *types.Basic, word string) constant.Value {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return constant.MakeBool(word == "true")
	case t.Info()&types.IsInteger != 0:
		sign, digits := token.ADD, word
		if rest, ok := strings.CutPrefix(word, "-"); ok {
			sign, digits = token.SUB, rest
		}
		if v := constant.MakeFromLiteral(digits, token.INT, 0); v.Kind() == constant.Int {
			return constant.UnaryOp(sign, v, 0)
		}
	case t.Info()&types.IsString != 0:
		if s, err := strconv.Unquote(word); err == nil {
			return constant.MakeString(s)
		}
	}
	return nil
}

// Written is a literal of a type as somebody would write it: with what Constant returns, if that is
// something.
func (l *Literals) Written(t types.Type, literal string) string {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return literal
	}
	v := constantOf(basic, literal)
	if v == nil {
		return literal
	}
	src, _ := l.Constant(t, v)
	return cmp.Or(src, literal)
}

// isNamed says whether the source of a value of a basic type names constants, which have their type.
func isNamed(src string) bool {
	if strings.Contains(src, "*"+Mark) {
		return true // a sum of units
	}
	first := strings.TrimPrefix(src, Mark)
	return src != "" && src != "true" && src != "false" && src != "nil" && (unicode.IsLetter([]rune(first)[0]) || first[0] == '_')
}
