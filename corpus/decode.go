package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math"
	"strconv"
	"strings"
)

// A SyntaxError says what is wrong with an encoded entry, where, and what to
// write instead.
type SyntaxError struct {
	Line    int    // from 1
	Text    string // the line, shortened; "" if the whole file is meant
	Problem string
	Fix     string
}

func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("line %d: ", e.Line)
	if e.Text != "" {
		s += e.Text + ": "
	}
	return s + e.Problem + "; " + e.Fix
}

// Unmarshal decodes an entry. It accepts exactly what go test accepts: each
// line after the first is empty or a conversion of a literal to a basic type,
// in any spelling, with LF or CRLF. An entry without any value is valid here;
// [CheckTypes] refuses it.
//
// The error is a *[SyntaxError].
func Unmarshal(data []byte) ([]any, error) {
	first, rest, more := bytes.Cut(data, []byte("\n"))
	if err := checkHeader(first, more); err != nil {
		return nil, err
	}
	var vals []any
	for n := 2; more; n++ {
		var line []byte
		line, rest, more = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		v, err := parseValue(line)
		if err != nil {
			err.Line, err.Text = n, shorten(line)
			return nil, err
		}
		vals = append(vals, v)
	}
	return vals, nil
}

// checkHeader checks the first line; more says whether another follows.
func checkHeader(line []byte, more bool) error {
	const fix = `the first line must be "` + header + `", and one line per value must follow`
	text := strings.TrimSuffix(string(line), "\r")
	switch {
	case text == header && more:
		return nil
	case text == header:
		return &SyntaxError{Line: 1, Problem: "the file ends after its first line", Fix: fix}
	case text == "" && !more:
		return &SyntaxError{Line: 1, Problem: "the file is empty", Fix: fix}
	case strings.TrimPrefix(text, "\ufeff") == header:
		return &SyntaxError{Line: 1, Problem: "the file begins with a byte order mark", Fix: "save it without one"}
	}
	return &SyntaxError{Line: 1, Text: shorten(line), Problem: "not a fuzz corpus entry in Go's encoding", Fix: fix}
}

// shorten quotes a line for a message.
func shorten(line []byte) string {
	const most = 60 // bytes shown
	if len(line) > most {
		return strconv.Quote(string(line[:most])) + "..."
	}
	return strconv.Quote(string(line))
}

const fixLine = `write one value per line, as in int(3), string("x") or []byte("\x00")`

// parseValue decodes one line. The error lacks its Line and Text.
func parseValue(line []byte) (any, *SyntaxError) {
	typ, arg, err := parseConversion(line)
	if err != nil {
		return nil, err
	}
	if want, ok := spelling[typ]; !ok {
		return nil, &SyntaxError{Problem: "no fuzz test takes a " + typ, Fix: fixLine}
	} else if v, err := convert(typ, arg); err != nil {
		return nil, &SyntaxError{Problem: err.Error(), Fix: "write " + want}
	} else {
		return v, nil
	}
}

// spelling holds what may be written for each type, for messages.
var spelling = map[string]string{
	"[]byte":               `[]byte("...") with a Go string literal`,
	"string":               `string("...") with a Go string literal`,
	"bool":                 "bool(true) or bool(false)",
	"byte":                 `byte('\x00') to byte('\xff'), or byte(0) to byte(255)`,
	"rune":                 "rune('x') with a Go rune literal, or rune(120)",
	"int":                  "int(...) with an integer literal",
	"int8":                 "int8(...) with an integer literal from -128 to 127",
	"int16":                "int16(...) with an integer literal from -32768 to 32767",
	"int32":                "int32(...) with an integer literal from -2147483648 to 2147483647",
	"int64":                "int64(...) with an integer literal of at most 64 bits",
	"uint":                 "uint(...) with an integer literal from 0",
	"uint8":                "uint8(...) with an integer literal from 0 to 255",
	"uint16":               "uint16(...) with an integer literal from 0 to 65535",
	"uint32":               "uint32(...) with an integer literal from 0 to 4294967295",
	"uint64":               "uint64(...) with an integer literal of at most 64 bits, from 0",
	"float32":              "float32(...) with a number, NaN, +Inf or -Inf",
	"float64":              "float64(...) with a number, NaN, +Inf or -Inf",
	"math.Float32frombits": "math.Float32frombits(0x...) with 32 bits",
	"math.Float64frombits": "math.Float64frombits(0x...) with 64 bits",
}

// parseConversion takes "T(x)" apart. It uses Go's own parser, as go test does,
// so that comments, raw strings and odd literals are read alike.
func parseConversion(line []byte) (typ string, arg ast.Expr, serr *SyntaxError) {
	expr, err := parser.ParseExprFrom(token.NewFileSet(), "", line, 0)
	if err != nil {
		return "", nil, &SyntaxError{Problem: parseProblem(err), Fix: fixLine}
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", nil, &SyntaxError{Problem: "not a conversion of one value", Fix: fixLine}
	}
	typ, ok = typeName(call.Fun)
	if !ok {
		return "", nil, &SyntaxError{Problem: "not a conversion to a basic type or []byte", Fix: fixLine}
	}
	return typ, call.Args[0], nil
}

// parseProblem gives the first error of the parser without its file position,
// which counts from the start of the line.
func parseProblem(err error) string {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Sprintf("column %d: %s", list[0].Pos.Column, list[0].Msg)
	}
	return err.Error()
}

// typeName spells the type of a conversion if it is a name, math.Name, or
// a slice of a named type.
func typeName(fun ast.Expr) (string, bool) {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name, true
	case *ast.SelectorExpr:
		pkg, ok := fun.X.(*ast.Ident)
		if !ok {
			return "", false
		}
		return pkg.Name + "." + fun.Sel.Name, true
	case *ast.ArrayType:
		elem, ok := fun.Elt.(*ast.Ident)
		if !ok || fun.Len != nil {
			return "", false
		}
		return "[]" + elem.Name, true
	}
	return "", false
}

// convert gives the value of arg converted to typ, a key of spelling.
func convert(typ string, arg ast.Expr) (any, error) {
	if typ == "bool" {
		return convertBool(arg)
	}
	lit, err := parseLiteral(arg)
	if err != nil {
		return nil, err
	}
	switch typ {
	case "string":
		return lit.unquote()
	case "[]byte":
		s, err := lit.unquote()
		return []byte(s), err
	case "byte":
		if lit.kind == token.CHAR {
			return lit.char8()
		}
		typ = "uint8"
	case "rune":
		if lit.kind == token.CHAR {
			return lit.char()
		}
		typ = "int32"
	}
	return lit.number(typ)
}

func convertBool(arg ast.Expr) (any, error) {
	if id, ok := arg.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
		return id.Name == "true", nil
	}
	return nil, errors.New("neither true nor false")
}

// A literal is the argument of a conversion: a Go literal, perhaps with a minus
// sign before it, or NaN, +Inf or -Inf as a token.FLOAT.
type literal struct {
	text string
	kind token.Token
}

func parseLiteral(arg ast.Expr) (literal, error) {
	switch arg := arg.(type) {
	case *ast.BasicLit:
		return literal{arg.Value, arg.Kind}, nil
	case *ast.Ident:
		if arg.Name == "NaN" {
			return literal{"NaN", token.FLOAT}, nil
		}
	case *ast.UnaryExpr:
		return parseSigned(arg)
	}
	return literal{}, errors.New("not a literal")
}

// parseSigned reads a sign and what follows. Before Inf, go test takes every
// operator but minus for a plus; entries that it replays must not be refused.
func parseSigned(arg *ast.UnaryExpr) (literal, error) {
	switch x := arg.X.(type) {
	case *ast.BasicLit:
		if arg.Op == token.SUB {
			return literal{"-" + x.Value, x.Kind}, nil
		}
	case *ast.Ident:
		if x.Name == "Inf" && arg.Op == token.SUB {
			return literal{"-Inf", token.FLOAT}, nil
		}
		if x.Name == "Inf" {
			return literal{"+Inf", token.FLOAT}, nil
		}
	}
	return literal{}, errors.New("not a literal with at most a minus sign")
}

func (l literal) unquote() (string, error) {
	if l.kind != token.STRING {
		return "", errors.New("not a string literal")
	}
	s, err := strconv.Unquote(l.text)
	if err != nil {
		return "", errors.New("not a valid string literal")
	}
	return s, nil
}

// char reads a rune literal. It may be '\xff' or a surrogate half, so it can't
// go through a string.
func (l literal) char() (rune, error) {
	r, _, _, err := strconv.UnquoteChar(l.text[1:len(l.text)-1], '\'')
	if err != nil {
		return 0, errors.New("not a valid rune literal")
	}
	return r, nil
}

func (l literal) char8() (byte, error) {
	r, err := l.char()
	if err == nil && r > math.MaxUint8 {
		err = errors.New("the rune does not fit into a byte")
	}
	return byte(r), err
}

// number gives the value of l as a numeric type, or as the float whose bits it
// holds.
func (l literal) number(typ string) (any, error) {
	switch typ {
	case "float32":
		f, err := l.float(32)
		return float32(f), err
	case "float64":
		return l.float(64)
	case "math.Float32frombits":
		bits, err := l.uint(32)
		return math.Float32frombits(uint32(bits)), err
	case "math.Float64frombits":
		bits, err := l.uint(64)
		return math.Float64frombits(bits), err
	case "uint", "uint8", "uint16", "uint32", "uint64":
		return l.unsigned(typ)
	}
	return l.signed(typ)
}

// signed gives l as a signed integer. An int is read with 64 bits and wrapped
// to the size of int on this machine, as go test does: the entry may come from
// a machine with another size, and may be worth running all the same.
func (l literal) signed(typ string) (any, error) {
	switch typ {
	case "int":
		i, err := l.int(64)
		return int(i), err
	case "int8":
		i, err := l.int(8)
		return int8(i), err
	case "int16":
		i, err := l.int(16)
		return int16(i), err
	case "int32":
		i, err := l.int(32)
		return int32(i), err
	}
	return l.int(64)
}

// unsigned is signed for unsigned integers.
func (l literal) unsigned(typ string) (any, error) {
	switch typ {
	case "uint":
		u, err := l.uint(64)
		return uint(u), err
	case "uint8":
		u, err := l.uint(8)
		return uint8(u), err
	case "uint16":
		u, err := l.uint(16)
		return uint16(u), err
	case "uint32":
		u, err := l.uint(32)
		return uint32(u), err
	}
	return l.uint(64)
}

func (l literal) int(bits int) (int64, error) {
	if l.kind != token.INT {
		return 0, errors.New("not an integer literal")
	}
	i, err := strconv.ParseInt(l.text, 0, bits)
	return i, numberProblem(err)
}

func (l literal) uint(bits int) (uint64, error) {
	if l.kind != token.INT {
		return 0, errors.New("not an integer literal")
	}
	u, err := strconv.ParseUint(l.text, 0, bits)
	return u, numberProblem(err)
}

func (l literal) float(bits int) (float64, error) {
	if l.kind != token.INT && l.kind != token.FLOAT {
		return 0, errors.New("not a number")
	}
	f, err := strconv.ParseFloat(l.text, bits)
	return f, numberProblem(err)
}

// numberProblem drops the name of the strconv function and the text, which the
// message shows already.
func numberProblem(err error) error {
	var num *strconv.NumError
	if errors.As(err, &num) {
		return num.Err
	}
	return err
}
