// Package crashes is a stock keeper with four bugs, driven by a script of
// three-byte commands:
//
//	+a5  add five of a        -a2  take two of a
//	=ab  copy item a to b     #ax  tag item a with x
//	>ab  copy a's tags to b   @0   look at item number 0   !0  drop item number 0
package crashes

import (
	"fmt"
	"strings"
)

// Item is one kind of thing in stock.
type Item struct {
	Name  byte
	Count int
	tags  map[byte]bool
}

// Stock is a list of items.
type Stock struct {
	Items []*Item
}

// Run executes the commands in script, separated by semicolons, on an empty
// stock. It stops at the first unknown command or item.
func Run(script string) (*Stock, error) {
	s := &Stock{}
	for _, cmd := range strings.Split(script, ";") {
		if err := s.exec(cmd); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *Stock) exec(cmd string) error {
	if len(cmd) < 2 {
		return fmt.Errorf("crashes: short command %q", cmd)
	}
	arg := cmd[1]
	last := cmd[len(cmd)-1]
	switch cmd[0] {
	case '+':
		return s.add(arg, last)
	case '-':
		return s.take(arg, last)
	case '=':
		return s.clone(arg, last)
	case '#':
		return s.tag(arg, last)
	case '>':
		return s.copyTags(arg, last)
	case '@':
		return s.look(arg)
	case '!':
		return s.drop(arg)
	}
	return fmt.Errorf("crashes: unknown command %q", cmd)
}

// check panics unless name is a possible name: a bug, since users choose names.
func check(name byte) byte {
	if name >= 'A' && name <= 'Z' {
		panic("crashes: name in upper case")
	}
	return name
}

func (s *Stock) find(name byte) (*Item, error) {
	for _, it := range s.Items {
		if it.Name == name {
			return it, nil
		}
	}
	return nil, fmt.Errorf("crashes: no item %q", name)
}

func digit(c byte) (int, error) {
	if c < '0' || c > '9' {
		return 0, fmt.Errorf("crashes: %q is no digit", c)
	}
	return int(c - '0'), nil
}

func (s *Stock) add(name, count byte) error {
	n, err := digit(count)
	if err != nil {
		return err
	}
	it, err := s.find(check(name))
	if err != nil {
		it = &Item{Name: name, tags: map[byte]bool{}}
		s.Items = append(s.Items, it)
	}
	it.Count += n
	return nil
}

// take lowers the count without looking whether there is enough: a bug.
func (s *Stock) take(name, count byte) error {
	n, err := digit(count)
	if err != nil {
		return err
	}
	it, err := s.find(name)
	if err != nil {
		return err
	}
	it.Count -= n
	return nil
}

// clone copies an item but leaves the tag map nil: a bug in waiting.
func (s *Stock) clone(from, to byte) error {
	it, err := s.find(from)
	if err != nil {
		return err
	}
	s.Items = append(s.Items, &Item{Name: check(to), Count: it.Count})
	return nil
}

func (it *Item) setTag(tag byte) {
	it.tags[tag] = true
}

func (s *Stock) tag(name, tag byte) error {
	it, err := s.find(check(name))
	if err != nil {
		return err
	}
	it.setTag(tag)
	return nil
}

func (s *Stock) copyTags(from, to byte) error {
	src, err := s.find(from)
	if err != nil {
		return err
	}
	dst, err := s.find(check(to))
	if err != nil {
		return err
	}
	for tag := byte('a'); tag <= 'z'; tag++ {
		if src.tags[tag] {
			dst.setTag(tag)
		}
	}
	return nil
}

// nth returns an item by number; its bound is off by one: a bug.
func (s *Stock) nth(c byte) (*Item, error) {
	n, err := digit(c)
	if err != nil {
		return nil, err
	}
	if n > len(s.Items) {
		return nil, fmt.Errorf("crashes: only %d items", len(s.Items))
	}
	return s.Items[n], nil
}

func (s *Stock) look(n byte) error {
	it, err := s.nth(n)
	if err == nil && it.Count == 0 {
		return fmt.Errorf("crashes: %q is sold out", it.Name)
	}
	return err
}

func (s *Stock) drop(n byte) error {
	it, err := s.nth(n)
	if err != nil {
		return err
	}
	it.Count = 0
	return nil
}
