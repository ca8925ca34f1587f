package secrets

import "strings"

// Grammar reports whether s is a declaration of a grammar with keywords on four
// levels:
//
//	package NAME { interface NAME { procedure NAME returns deferred } }
func Grammar(s string) bool {
	p := parser{words: strings.Fields(s)}
	if p.next() != "package" {
		return false
	}
	p.next()
	if p.next() != "{" {
		return false
	}
	return p.member() && p.next() == "}" && len(p.words) == 0
}

type parser struct{ words []string }

func (p *parser) next() string {
	if len(p.words) == 0 {
		return ""
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

func (p *parser) member() bool {
	switch p.next() {
	case "constant", "variable":
		p.next()
		return false
	case "interface":
		p.next()
		return p.next() == "{" && p.procedure() && p.next() == "}"
	}
	return false
}

func (p *parser) procedure() bool {
	if p.next() != "procedure" {
		return false
	}
	p.next()
	return p.next() == "returns" && p.next() == "deferred"
}
