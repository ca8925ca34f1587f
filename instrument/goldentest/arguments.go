package goldentest

import (
	"fmt"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/goldentest/literals"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
)

// argument writes an argument of a case as source: by constants that are declared for its type, and
// as a character, where there are literals.
func (p *planned) argument(i, at int) string {
	v := p.test.Cases[i].Args[at]
	if p.lit == nil {
		return argument(v, true)
	}
	if src := p.named(i, at); src != "" {
		return src
	}
	if n, ok := v.(rune); ok { // a number, if its type has another name
		return strconv.FormatInt(int64(n), 10)
	}
	return argument(v, true)
}

// named is an argument by the constants of its type, or as a character; "": there is neither.
func (p *planned) named(i, at int) string {
	if p.lit == nil {
		return ""
	}
	src, _ := p.lit.Argument(p.direct.Params[at].Of, p.test.Cases[i].Args[at])
	return src
}

// title is what a case is called.
func (p *planned) title(i int) string {
	if p.titles == nil {
		named := make([][]string, len(p.test.Cases))
		for i := range named {
			named[i] = p.names(i)
		}
		p.titles = titles(p.test.Cases, named)
	}
	return p.titles[i]
}

// names are the arguments of a case that have names, or are characters.
func (p *planned) names(i int) (named []string) {
	for at := range p.direct.Params {
		src := strings.ReplaceAll(p.named(i, at), literals.Mark, "")
		if c, err := strconv.Unquote(src); err == nil {
			src = c // a character
		}
		named = append(named, src)
	}
	return named
}

// printed is a regular expression of how a test that fails prints the call of a case. What methods of
// an argument say is not known.
func (p *planned) printed(i int) string {
	field := make(map[string]string)
	for at, param := range p.direct.Params {
		text := regexp.QuoteMeta(fmt.Sprintf(observe.Verb(param.Of), p.test.Cases[i].Args[at]))
		if types.NewMethodSet(param.Of).Len() > 0 {
			text = ".*?"
		}
		field[param.Name] = text
	}
	args := make([]any, len(p.direct.Verbs))
	for at, name := range p.direct.Verbs {
		args[at] = field[name]
	}
	return "^" + fmt.Sprintf(withoutVerbs(regexp.QuoteMeta(p.format())), args...)
}

// format is the call as a format of Printf, in one line.
func (p *planned) format() string { return strings.Join(strings.Fields(p.direct.Shown), " ") }

// withoutVerbs is a format for arguments that are texts already.
func withoutVerbs(format string) string {
	return strings.NewReplacer("%%", "%%", "%q", "%s", "%v", "%s").Replace(format)
}
