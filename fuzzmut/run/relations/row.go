package relations

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"strconv"
)

// ParseRow reads a row as fmt's %#v writes a list of bools, texts and numbers; nil: it is none.
func ParseRow(text string) Row {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return nil
	}
	list, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	row := make(Row, 0, len(list.Elts))
	for _, x := range list.Elts {
		v := parseValue(x)
		if v == nil {
			return nil
		}
		row = append(row, v)
	}
	return row
}

func parseValue(x ast.Expr) any {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name == "true"
	case *ast.UnaryExpr:
		if n, ok := parseValue(x.X).(*big.Int); ok && x.Op == token.SUB {
			return n.Neg(n)
		}
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			if s, err := strconv.Unquote(x.Value); err == nil {
				return s
			}
		} else if n, ok := new(big.Int).SetString(x.Value, 0); ok {
			return n
		}
	}
	return nil
}
