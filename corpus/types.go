package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// argTypes are the types that (*testing.F).Fuzz accepts, as [Types] spells them.
var argTypes = [...]string{
	"[]byte", "string", "bool", "float32", "float64",
	"int", "int8", "int16", "int32", "int64",
	"uint", "uint8", "uint16", "uint32", "uint64",
}

// Types gives the types of vals as Go source: "[]byte" for a slice of bytes,
// otherwise what reflect.Type.String gives ("uint8" for a byte, "int32" for a
// rune, since a value does not tell them apart).
func Types(vals []any) []string {
	types := make([]string, len(vals))
	for i, v := range vals {
		types[i] = canonicalType(fmt.Sprintf("%T", v))
	}
	return types
}

// canonicalType maps the alternative spellings of a type to one.
func canonicalType(name string) string {
	switch name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	case "[]uint8":
		return "[]byte"
	}
	return name
}

// canonicalTypes maps the spellings of types.
func canonicalTypes(names []string) []string {
	types := make([]string, len(names))
	for i, name := range names {
		types[i] = canonicalType(name)
	}
	return types
}

// CheckTypes returns an error unless vals could be the arguments of a fuzz
// target that takes want, in any of the spellings "byte", "uint8", "rune",
// "int32", "[]byte" and "[]uint8".
func CheckTypes(vals []any, want []string) error {
	wanted := canonicalTypes(want)
	has := Types(vals)
	if slices.Equal(has, wanted) {
		return nil
	}
	return fmt.Errorf("has %s; the fuzz target takes (%s)", describe(has), strings.Join(wanted, ", "))
}

// describe counts and lists types: "2 values of types (int, string)".
func describe(types []string) string {
	switch len(types) {
	case 0:
		return "no values"
	case 1:
		return "1 value of type (" + types[0] + ")"
	}
	return fmt.Sprintf("%d values of types (%s)", len(types), strings.Join(types, ", "))
}

// Supported says whether (*testing.F).Fuzz accepts an argument of the type, in
// any of its spellings.
func Supported(typ string) bool {
	return slices.Contains(argTypes[:], canonicalType(typ))
}
