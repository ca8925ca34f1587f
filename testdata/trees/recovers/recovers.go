// Package recovers parses nested lists such as (a (b 12) c), with a panic as its
// only way to fail.
package recovers

import (
	"fmt"
	"strconv"
)

// Node is an atom, a number or a list.
type Node struct {
	Atom   string
	Number int
	List   []*Node
}

type parser struct {
	src   string
	pos   int
	depth int
}

// Parse reads one node. Every panic below it, ours or the runtime's, becomes an
// error.
func Parse(src string) (n *Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = nil, fmt.Errorf("recovers: %v", r)
		}
	}()
	p := &parser{src: src}
	n = p.node()
	p.space()
	if p.pos < len(src) {
		p.fail("text after the end")
	}
	return n, nil
}

func (p *parser) fail(msg string) {
	panic(fmt.Sprintf("offset %d: %s", p.pos, msg))
}

func (p *parser) space() {
	for p.pos < len(p.src) && p.src[p.pos] == ' ' {
		p.pos++
	}
}

// peek relies on the runtime's check at the end of the source.
func (p *parser) peek() byte {
	return p.src[p.pos]
}

func (p *parser) node() *Node {
	p.space()
	switch c := p.peek(); {
	case c == '(':
		return p.list()
	case c == ')':
		p.fail("unexpected )")
		return nil
	case '0' <= c && c <= '9':
		return p.number()
	}
	return &Node{Atom: p.word()}
}

func (p *parser) list() *Node {
	if p.depth++; p.depth > 50 {
		p.fail("nested too deeply")
	}
	p.pos++
	n := &Node{}
	for p.space(); p.peek() != ')'; p.space() {
		n.List = append(n.List, p.node())
	}
	p.pos++
	p.depth--
	return n
}

func (p *parser) word() string {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] != ' ' && p.src[p.pos] != '(' && p.src[p.pos] != ')' {
		p.pos++
	}
	return p.src[start:p.pos]
}

func (p *parser) number() *Node {
	v, err := strconv.Atoi(p.word())
	if err != nil {
		panic(err)
	}
	return &Node{Number: v}
}

// Sum adds the numbers below n. Unlike Parse, it retries quietly: the recover in
// its loop swallows any panic and goes on.
func Sum(n *Node) (total int) {
	total = n.Number
	for i := range n.List {
		func() {
			defer func() { _ = recover() }()
			total += Sum(n.List[i])
		}()
	}
	return total
}
