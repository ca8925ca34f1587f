package rapid

import (
	"reflect"

	"pgregory.net/rapid"

	"github.com/fuzzmut/fuzzmut/testdata/properties/bst"
	"github.com/fuzzmut/fuzzmut/testdata/properties/rbt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/stlc"
)

// depth bounds that of trees.
const depth = 5

// bounded is the care that rapid's documentation asks for with recursive types: there is
// a part below a node in one of two cases, and none below some depth. Without it what is
// drawn has no finite mean size.
var bounded = rapid.MakeConfig{Types: map[reflect.Type]*rapid.Generator[any]{
	reflect.TypeFor[*bst.Tree]():  below(bstTree),
	reflect.TypeFor[*rbt.Tree]():  below(rbtTree),
	reflect.TypeFor[*stlc.Expr](): below(expr),
	reflect.TypeFor[*stlc.Type](): below(simpleType),
}}

func below[V any](draw func(*rapid.T, int) *V) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) *V { return draw(t, depth) }).AsAny()
}

// none says that there is nothing below.
func none(t *rapid.T, depth int) bool { return depth == 0 || !rapid.Bool().Draw(t, "part") }

func number(t *rapid.T) int { return rapid.Int().Draw(t, "number") }

func bstTree(t *rapid.T, depth int) *bst.Tree {
	if none(t, depth) {
		return nil
	}
	return &bst.Tree{Left: bstTree(t, depth-1), Key: number(t), Value: number(t), Right: bstTree(t, depth-1)}
}

func rbtTree(t *rapid.T, depth int) *rbt.Tree {
	if none(t, depth) {
		return nil
	}
	return &rbt.Tree{
		Red:  rapid.Bool().Draw(t, "red"),
		Left: rbtTree(t, depth-1), Key: number(t), Value: number(t), Right: rbtTree(t, depth-1),
	}
}

func expr(t *rapid.T, depth int) *stlc.Expr {
	if none(t, depth) {
		return nil
	}
	return &stlc.Expr{
		Op: rapid.Uint8().Draw(t, "op"), N: rapid.Uint8().Draw(t, "n"),
		Arg: simpleType(t, depth-1), L: expr(t, depth-1), R: expr(t, depth-1),
	}
}

func simpleType(t *rapid.T, depth int) *stlc.Type {
	if none(t, depth) {
		return nil
	}
	return &stlc.Type{Arg: simpleType(t, depth-1), Res: simpleType(t, depth-1)}
}
