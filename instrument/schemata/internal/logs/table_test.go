package logs

import (
	"go/importer"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// TestNamesOfTheStandardLibrary: what the tables name is there.
func TestNamesOfTheStandardLibrary(t *testing.T) {
	imp := importer.Default()
	for module, rows := range modules {
		for _, r := range rows {
			if strings.Contains(module, ".") {
				continue
			}
			pkg, err := imp.Import(r.path)
			if err != nil {
				t.Fatal(err)
			}
			for n := range strings.FieldsSeq(r.names) {
				var obj types.Object
				if r.recv == "" {
					obj = pkg.Scope().Lookup(n)
				} else if of := pkg.Scope().Lookup(r.recv); of != nil {
					obj, _, _ = types.LookupFieldOrMethod(of.Type(), true, pkg, n)
				}
				if fn, ok := obj.(*types.Func); !ok || typing.ReceiverName(fn) != r.recv {
					t.Errorf("%s has no %s.%s", r.path, r.recv, n)
				}
			}
		}
	}
}

// TestNamesAreOfOneKind: no function stands in two rows.
func TestNamesAreOfOneKind(t *testing.T) {
	seen := make(map[name]bool)
	for module, rows := range modules {
		for _, r := range rows {
			if r.path != module && !strings.HasPrefix(r.path, module+"/") {
				t.Errorf("%s is no package of %s", r.path, module)
			}
			for n := range strings.FieldsSeq(r.names) {
				key := name{r.path, r.recv, n}
				if seen[key] {
					t.Errorf("%v stands twice", key)
				}
				seen[key] = true
			}
		}
	}
}

// function returns a function or method of a package, as code that imports it has it.
func function(path, recv, name string) *types.Func {
	pkg := types.NewPackage(path, "p")
	var v *types.Var
	if recv != "" {
		named := types.NewNamed(types.NewTypeName(0, pkg, recv, nil), types.NewStruct(nil, nil), nil)
		v = types.NewVar(0, pkg, "", types.NewPointer(named))
	}
	return types.NewFunc(0, pkg, name, types.NewSignatureType(v, nil, nil, nil, nil, false))
}

func TestTabled(t *testing.T) {
	for _, c := range []struct {
		path, recv, name, caller string
		want                     Kind
	}{
		{"go.uber.org/zap", "Logger", "Info", "example.com/p", Writes},
		{"go.uber.org/zap", "Logger", "Fatal", "example.com/p", Ends},
		{"go.uber.org/zap", "Logger", "Core", "example.com/p", Asks},
		{"go.uber.org/zap", "", "String", "example.com/p", Builds},
		{"go.uber.org/zap", "", "Info", "example.com/p", Other},
		{"go.uber.org/zap", "Config", "Build", "example.com/p", Other},
		{"go.uber.org/zap", "Logger", "Info", "go.uber.org/zap/zapgrpc", Other},
		{"go.uber.org/zap", "Logger", "Info", "go.uber.org/zapper", Writes},
		{"k8s.io/klog/v2", "Verbose", "Infof", "example.com/p", Writes},
		{"github.com/DataDog/datadog-go/v5/statsd", "Client", "Incr", "example.com/p", Writes},
		{"github.com/rs/zerolog", "Event", "Str", "example.com/p", Builds},
		{"github.com/rs/zerolog", "Event", "Msg", "example.com/p", Writes},
		{"github.com/rs/zerolog", "Logger", "Str", "example.com/p", Other},
		{"example.com/v2ray", "Logger", "Info", "example.com/p", Other},
	} {
		if got := tabled(function(c.path, c.recv, c.name), c.caller); got != c.want {
			t.Errorf("%s.%s.%s called by %s: kind %d", c.path, c.recv, c.name, c.caller, got)
		}
	}
}

func TestNamed(t *testing.T) {
	fn, method := function("example.com/a/b", "", "F"), function("example.com/a/b", "T", "F")
	for name, want := range map[string][2]bool{
		"example.com/a/b.F": {true, false}, "b.F": {true, false}, "p.F": {true, false}, "a/b.F": {}, "b.f": {}, "F": {},
		"example.com/a/b.T.F": {false, true}, "b.T.F": {false, true}, "b.U.F": {},
	} {
		if got := [2]bool{named([]string{name}, fn), named([]string{name}, method)}; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
