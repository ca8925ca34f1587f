// Package named finds how somebody would write a value of a basic type: as a constant that is
// declared for it, as flags, or as a character.
package named

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"unicode"
)

// Constants returns the constants that a value of a type is written with: one that has the value,
// or one for each of its bits, where these are flags. usable says which ones may be named. nil:
// there are none, or the type is declared nowhere.
func Constants(t types.Type, v constant.Value, usable func(*types.Const) bool) []*types.Const {
	all := of(t)
	named := slices.DeleteFunc(slices.Clone(all), func(c *types.Const) bool { return !usable(c) })
	for _, c := range named {
		if constant.Compare(c.Val(), token.EQL, v) {
			return []*types.Const{c}
		}
	}
	if v.Kind() != constant.Int || !areFlags(all) {
		return nil
	}
	return bits(named, v)
}

// of lists the constants of a type that are declared beside it, in the order of the source.
func of(t types.Type) (list []*types.Const) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Parent() != n.Obj().Pkg().Scope() {
		return nil
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), n) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b *types.Const) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return list
}

// bits returns a constant for each bit of a number, the lowest first; nil: one has none.
func bits(list []*types.Const, v constant.Value) (found []*types.Const) {
	rest, ok := constant.Uint64Val(v)
	if !ok || rest == 0 {
		return nil
	}
	for ; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		at := slices.IndexFunc(list, func(c *types.Const) bool { n, ok := constant.Uint64Val(c.Val()); return ok && n == bit })
		if at < 0 {
			return nil
		}
		found = append(found, list[at])
	}
	return found
}

// areFlags says whether the constants of a type are single bits, and unions of these. Numbers
// one after the other are not: 3 is the one after 2 there.
func areFlags(list []*types.Const) bool {
	values := make(map[uint64]bool)
	var single, most uint64
	for _, c := range list {
		n, ok := constant.Uint64Val(constant.ToInt(c.Val()))
		if !ok || constant.Sign(c.Val()) <= 0 {
			continue
		}
		values[n] = true
		most = max(most, n)
		if n&(n-1) == 0 {
			single |= n
		}
	}
	if uint64(len(values)) == most { // from 1 on, without a gap
		return false
	}
	for n := range values {
		if n&^single != 0 {
			return false
		}
	}
	return single&(single-1) != 0
}

// Character writes a number as a character, if its type has the name byte or rune and it is
// printable.
func Character(t types.Type, n int64) (string, bool) {
	b, ok := types.Unalias(t).(*types.Basic)
	if !ok || n < 0 || n > unicode.MaxRune || !unicode.IsPrint(rune(n)) {
		return "", false
	}
	if b.Name() != "rune" && (b.Name() != "byte" || n > unicode.MaxASCII) {
		return "", false
	}
	return strconv.QuoteRune(rune(n)), true
}
