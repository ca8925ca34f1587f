// Package layout has the forms of bytes from which OSS-Fuzz and ClusterFuzzLite make the
// arguments of a fuzz target: libFuzzer knows inputs of bytes alone.
package layout

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Layout is how the arguments of a fuzz target are read from bytes. Values are those that
// package testing takes, types their names, with []byte, uint8 and int32 for those that have
// several.
type Layout struct {
	Name string // for the command line
	Doc  string // the build script that uses it
	// encode makes bytes from which decode makes the values again, or what decode takes for
	// other values if there are none.
	encode func(values []any) ([]byte, error)
	decode func(data []byte, types []string) ([]any, error)
}

// The layouts.
var (
	// V2 is that of compile_native_go_fuzzer_v2.
	V2 = &Layout{"v2", "compile_native_go_fuzzer_v2", encodeV2, decodeV2}
	// V1 is that of compile_native_go_fuzzer.
	V1 = &Layout{"v1", "compile_native_go_fuzzer", encodeV1, decodeV1}
	// Raw is one argument and nothing else, for a []byte or string.
	Raw = &Layout{"raw", "compile_go_fuzzer, and any target of libFuzzer", encodeRaw, decodeRaw}
)

// All lists the layouts.
var All = []*Layout{V2, V1, Raw}

// Names returns the names of the layouts.
func Names() []string {
	var names []string
	for _, l := range All {
		names = append(names, l.Name)
	}
	return names
}

// Parse finds a layout by its name.
func Parse(name string) (*Layout, error) {
	i := slices.IndexFunc(All, func(l *Layout) bool { return l.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%q is no layout; write %s", name, strings.Join(Names(), ", "))
	}
	return All[i], nil
}

// Encode returns bytes from which Decode makes these values. It fails if the layout has none.
func (l *Layout) Encode(values []any) ([]byte, error) {
	data, err := l.encode(values)
	if err != nil {
		return nil, err
	}
	back, err := l.decode(data, typesOf(values))
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(values, back, same) {
		return nil, errors.New("no bytes stand for these values")
	}
	return data, nil
}

// Decode makes the values of an input of given types, as the build script's fuzz target does.
// It fails where the target returns without a call.
func (l *Layout) Decode(data []byte, types []string) ([]any, error) {
	return l.decode(data, types)
}

func encodeRaw(values []any) ([]byte, error) {
	if len(values) == 1 {
		switch v := values[0].(type) {
		case []byte:
			return v, nil
		case string:
			return []byte(v), nil
		}
	}
	return nil, errRaw(typesOf(values))
}

func decodeRaw(data []byte, types []string) ([]any, error) {
	if len(types) == 1 {
		switch types[0] {
		case "[]byte":
			return []any{data}, nil
		case "string":
			return []any{string(data)}, nil
		}
	}
	return nil, errRaw(types)
}

func errRaw(types []string) error {
	return fmt.Errorf("the fuzz target takes (%s), not a single []byte or string", strings.Join(types, ", "))
}
