// Package literal prints values as Go source.
package literal

import (
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Source returns an expression that gives v in a file of the package with the import
// path pkg. ok is false if v holds what no expression there can give: fields of other
// packages' types that are not exported, functions, or cycles.
func Source(v reflect.Value, pkg string) (expr string, ok bool) {
	p := &printer{pkg: pkg, ok: true}
	expr = p.value(addressable(v), v.Type(), 0)
	return expr, p.ok
}

// addressable returns v as a variable, whose fields can all be read.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// part returns a field of a variable, exported or not.
func part(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// maxDepth bounds what a value may hold inside each other.
const maxDepth = 1000

// width is the most bytes that the parts of a value may take in one line. If they
// take more, each part gets a separate line.
const width = 80

type printer struct {
	pkg string
	ok  bool
}

// value prints v where a value of type want is expected: the same, or an interface.
func (p *printer) value(v reflect.Value, want reflect.Type, depth int) string {
	if depth > maxDepth {
		p.ok = false
		return "nil"
	}
	t := v.Type()
	if t.Kind() == reflect.Interface {
		if v.IsNil() {
			return "nil"
		}
		return p.value(addressable(v.Elem()), want, depth)
	}
	if s, ok := p.special(v); ok {
		return s
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return p.basic(v, want)
	case reflect.Pointer:
		s := p.pointer(v, depth)
		if t.Name() != "" && t != want && !v.IsNil() {
			return p.typed(t) + "(" + s + ")" // &… and new have the type *T
		}
		return s
	case reflect.Slice:
		return p.slice(v, want, depth)
	case reflect.Array:
		return p.typed(t) + p.elements(v, depth)
	case reflect.Map:
		return p.mapping(v, want, depth)
	case reflect.Struct:
		return p.structure(v, depth)
	}
	p.ok = p.ok && v.IsZero() && want == t // channels, functions, unsafe pointers
	return "nil"
}

// typed prints a type.
func (p *printer) typed(t reflect.Type) string {
	if t.Name() != "" {
		return p.named(t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + p.typed(t.Elem())
	case reflect.Slice:
		return "[]" + p.typed(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), p.typed(t.Elem()))
	case reflect.Map:
		return "map[" + p.typed(t.Key()) + "]" + p.typed(t.Elem())
	case reflect.Struct:
		var fields []string
		for i := range t.NumField() {
			fields = append(fields, p.field(t.Field(i)))
		}
		if len(fields) == 0 {
			return "struct{}"
		}
		return "struct{ " + strings.Join(fields, "; ") + " }"
	}
	return t.String()
}

func (p *printer) field(f reflect.StructField) string {
	s := f.Name + " " + p.typed(f.Type)
	if f.Anonymous {
		s = p.typed(f.Type)
	}
	if f.Tag != "" {
		s += " " + quote(string(f.Tag))
	}
	return s
}

// qualifier is an import path before a name, as in the names of instances of generic
// types.
var qualifier = regexp.MustCompile(`([\w.\-~/%]*/)?([\w\-~%]+)\.(\w)`)

// named prints the name of a type. A type that is not exported, or is declared in a
// function, can be named nowhere else.
func (p *printer) named(t reflect.Type) string {
	name := t.Name()
	if i := strings.IndexByte(name, '['); i >= 0 {
		args := strings.ReplaceAll(name[i:], p.pkg+".", "")
		for _, m := range qualifier.FindAllStringSubmatch(args, -1) {
			p.exported(m[3])
		}
		name = name[:i] + qualifier.ReplaceAllString(args, "$2.$3")
	}
	if t.PkgPath() == "" || t.PkgPath() == p.pkg {
		return name
	}
	p.exported(name)
	return strings.TrimSuffix(path.Base(t.String()[:strings.IndexByte(t.String(), '.')]), "_test") + "." + name
}

// exported notes that other packages can't write a name, unless it is exported.
func (p *printer) exported(name string) {
	if c := name[0]; c < 'A' || c > 'Z' && c < 0x80 {
		p.ok = false
	}
}

// basic prints a number, string or boolean, with its type where the expression would
// have another one.
func (p *printer) basic(v reflect.Value, want reflect.Type) string {
	t := v.Type()
	text, own := p.constant(v)
	if t == want && t.Kind() != reflect.Interface || t == own {
		return text
	}
	return p.typed(t) + "(" + text + ")"
}

// constant prints the constant that v is, and the type that the expression has by
// itself.
func (p *printer) constant(v reflect.Value) (text string, own reflect.Type) {
	switch {
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), reflect.TypeFor[bool]()
	case v.Kind() == reflect.String:
		return quote(v.String()), reflect.TypeFor[string]()
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10), reflect.TypeFor[int]()
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10), reflect.TypeFor[int]()
	case v.CanFloat():
		return p.float(v.Float(), v.Type())
	}
	c := v.Complex()
	half := reflect.TypeFor[float64]()
	re, _ := p.float(real(c), half)
	im, _ := p.float(imag(c), half)
	if v.Type().Kind() == reflect.Complex64 {
		return "complex64(complex(" + re + ", " + im + "))", v.Type()
	}
	return "complex(" + re + ", " + im + ")", reflect.TypeFor[complex128]()
}

func (p *printer) float(f float64, t reflect.Type) (text string, own reflect.Type) {
	double := reflect.TypeFor[float64]()
	cast := func(s string) (string, reflect.Type) {
		if t != double {
			return p.typed(t) + "(" + s + ")", t
		}
		return s, t
	}
	switch {
	case math.IsNaN(f):
		return cast("math.NaN()")
	case math.IsInf(f, 0):
		return cast(fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, f))))
	case f == 0 && math.Signbit(f):
		return cast("math.Copysign(0, -1)")
	}
	text = strconv.FormatFloat(f, 'g', -1, t.Bits())
	if !strings.ContainsAny(text, ".e") {
		return text, reflect.TypeFor[int]()
	}
	return text, double
}

// quote prints a string as readable as it may be.
func quote(s string) string {
	if strconv.CanBackquote(s) && strings.ContainsAny(s, "\"\\") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

func (p *printer) pointer(v reflect.Value, depth int) string {
	if v.IsNil() {
		return "(" + p.typed(v.Type()) + ")(nil)"
	}
	elem := v.Elem()
	s := p.value(elem, elem.Type(), depth+1)
	if k := elem.Kind(); (k == reflect.Struct || k == reflect.Array || k == reflect.Slice || k == reflect.Map) && strings.HasSuffix(s, "}") {
		return "&" + s
	}
	text, ok := strings.CutPrefix(s, "*") // *big.NewInt(…)
	if ok {
		return text
	}
	if k := elem.Kind(); k == reflect.Pointer || k == reflect.Struct || strings.HasPrefix(s, p.typed(elem.Type())+"(") {
		return "new(" + s + ")"
	}
	return "new(" + p.typed(elem.Type()) + "(" + s + "))"
}

func (p *printer) slice(v reflect.Value, want reflect.Type, depth int) string {
	t := v.Type()
	if v.IsNil() {
		return p.null(t, want)
	}
	if t.Elem() == reflect.TypeFor[byte]() && v.Len() > 0 {
		return strings.Replace(p.typed(t), "[]uint8", "[]byte", 1) + "(" + quote(string(v.Bytes())) + ")"
	}
	return p.typed(t) + p.elements(v, depth)
}

// null prints the nil of a type.
func (p *printer) null(t, want reflect.Type) string {
	if t == want {
		return "nil"
	}
	return p.typed(t) + "(nil)"
}

func (p *printer) elements(v reflect.Value, depth int) string {
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = p.inside(v.Index(i), v.Type().Elem(), depth)
	}
	return braces(parts)
}

// inside prints an element of a composite literal, or a field.
func (p *printer) inside(v reflect.Value, want reflect.Type, depth int) string {
	if v.Kind() == reflect.Pointer && v.IsNil() && v.Type() == want {
		return "nil"
	}
	return p.value(v, want, depth+1)
}

func (p *printer) mapping(v reflect.Value, want reflect.Type, depth int) string {
	t := v.Type()
	if v.IsNil() {
		return p.null(t, want)
	}
	var parts []string
	for it := v.MapRange(); it.Next(); {
		parts = append(parts, p.inside(addressable(it.Key()), t.Key(), depth)+": "+p.inside(addressable(it.Value()), t.Elem(), depth))
	}
	slices.Sort(parts)
	return p.typed(t) + braces(parts)
}

func (p *printer) structure(v reflect.Value, depth int) string {
	t := v.Type()
	var parts []string
	for i := range t.NumField() {
		f := t.Field(i)
		if v.Field(i).IsZero() {
			continue
		}
		if !f.IsExported() && f.PkgPath != p.pkg || f.Name == "_" {
			p.ok = false
		}
		parts = append(parts, f.Name+": "+p.inside(part(v, i), f.Type, depth))
	}
	return p.typed(t) + braces(parts)
}

// braces puts parts into braces, each on its own line if they are long.
func braces(parts []string) string {
	line := strings.Join(parts, ", ")
	if len(line) <= width && !strings.Contains(line, "\n") {
		return "{" + line + "}"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, part := range parts {
		b.WriteString("\t" + strings.ReplaceAll(part, "\n", "\n\t") + ",\n")
	}
	return b.String() + "}"
}

// special prints values whose fields are not exported.
func (p *printer) special(v reflect.Value) (string, bool) {
	if v.Kind() != reflect.Struct {
		return "", false
	}
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() && x.Location() == time.UTC {
			return "time.Time{}", true
		}
		zone := "UTC()"
		if _, offset := x.Zone(); offset != 0 {
			zone = fmt.Sprintf(`In(time.FixedZone("", %d))`, offset)
		}
		return fmt.Sprintf("time.Unix(%d, %d).%s", x.Unix(), x.Nanosecond(), zone), true
	case big.Int:
		if x.IsInt64() {
			return fmt.Sprintf("*big.NewInt(%d)", x.Int64()), true
		}
		return fmt.Sprintf("*func() *big.Int { n, _ := new(big.Int).SetString(%q, 10); return n }()", x.String()), true
	case netip.Addr:
		if x.IsValid() {
			return fmt.Sprintf("netip.MustParseAddr(%q)", x), true
		}
	case netip.Prefix:
		if x.IsValid() {
			return fmt.Sprintf("netip.MustParsePrefix(%q)", x), true
		}
	case netip.AddrPort:
		if x.IsValid() {
			return fmt.Sprintf("netip.MustParseAddrPort(%q)", x), true
		}
	}
	return "", false
}

// Type returns the name of a type in a file of the package pkg.
func Type(t reflect.Type, pkg string) string {
	return (&printer{pkg: pkg}).typed(t)
}
