package schemata

import (
	"go/constant"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// constantText writes a constant in the form that has the site's kind by default;
// "" if a character has no such form.
func constantText(s *operator.Site, c operator.Change) string {
	if c.Const != nil {
		return c.Const.Name()
	}
	v := c.Value
	switch v.Kind() {
	case constant.Bool:
		return strconv.FormatBool(constant.BoolVal(v))
	case constant.String:
		return strconv.Quote(constant.StringVal(v))
	}
	if s.Char {
		r, ok := constant.Int64Val(constant.ToInt(v))
		if !ok || r < 0 || r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
			return ""
		}
		return strconv.QuoteRuneToASCII(rune(r))
	}
	if b, ok := s.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
		f, _ := constant.Float64Val(v)
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	}
	if i := constant.ToInt(v); i.Kind() == constant.Int {
		return i.ExactString()
	}
	f, _ := constant.Float64Val(v)
	return strconv.FormatFloat(f, 'g', -1, 64)
}
