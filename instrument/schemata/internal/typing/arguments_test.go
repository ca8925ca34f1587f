package typing_test

import (
	"go/ast"
	"go/constant"
	"strconv"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
)

func TestSameArgument(t *testing.T) {
	for _, c := range []struct {
		call  string
		at    int
		v     int64
		wants bool
	}{
		{`strconv.ParseInt(s, 10, 64)`, 2, 0, strconv.IntSize == 64},
		{`strconv.ParseInt(s, 10, 64)`, 2, 63, false},
		{`strconv.ParseInt(s, 10, 64)`, 1, 0, false},
		{`strconv.ParseUint(s, 10, 0)`, 2, strconv.IntSize, true},
		{`strconv.ParseUint(s, 10, 32)`, 2, 0, strconv.IntSize == 32},
		{`strconv.ParseFloat(s, 64)`, 1, 63, true},
		{`strconv.ParseFloat(s, 64)`, 1, 32, false},
		{`strconv.ParseFloat(s, 32)`, 1, 31, false},
		{`strconv.ParseFloat(s, 32)`, 1, 64, false},
		{`strconv.FormatFloat(1, 'g', -1, 64)`, 2, -2, false},
		{`strings.SplitN(s, s, -1)`, 2, -2, true},
		{`strings.SplitN(s, s, -1)`, 2, 0, false},
		{`strings.SplitN(s, s, 2)`, 2, -1, false},
		{`bytes.Replace(nil, nil, nil, -1)`, 3, -2, true},
		{`re.FindAllString(s, -1)`, 1, -2, true},
		{`re.FindAllString(s, -1)`, 1, 1, false},
		{`strings.Repeat(s, 1)`, 1, 1, false},
		{`own.SplitN(s, s, -1)`, 2, -2, false},
		{`held(s, s, -1)`, 2, -2, false},
	} {
		code := checked.File(t, `package p

import ("bytes"; "regexp"; "strconv"; "strings")

type owned struct{}
func (owned) SplitN(s, sep string, n int) []string

var (s string; re *regexp.Regexp; own owned; held = strings.SplitN)
var _, _, _ = bytes.Equal, strconv.Itoa, regexp.MustCompile
func f() { `+c.call+` }
`)
		call := code.Func("f").Body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr)
		was := code.Info.Types[call.Args[c.at]].Value
		if got := code.Info.SameArgument(call, c.at, was, constant.MakeInt64(c.v)); got != c.wants {
			t.Errorf("%s with %d: %t", c.call, c.v, got)
		}
	}
}
