package operator

import (
	"strings"
	"testing"
)

func names(ops []*Operator) string {
	var list []string
	for _, op := range ops {
		list = append(list, op.Name)
	}
	return strings.Join(list, ",")
}

func TestByNames(t *testing.T) {
	def, err := ByNames("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range def {
		if op.Group != GroupDefault {
			t.Errorf("default holds %s of group %s", op.Name, op.Group)
		}
	}
	for _, op := range mustSelect(t, "all") {
		if op.Group > GroupAll {
			t.Errorf("all holds %s of group %s", op.Name, op.Group)
		}
	}
	cases := []struct{ spec, want string }{
		{"math", "math"},
		{" statement-deletion , math,math", "math,statement-deletion"}, // in the order of All
		{"default,defer-removal", names(def) + ",defer-removal"},
		{"guards,math", "math,nil-guard,bounds-guard,divisor-guard,assertion-guard,size-guard,result-guard,loop-guard,depth-guard"},
		{"strong,math", names(mustSelect(t, "strong"))},
	}
	for _, c := range cases {
		if got := names(mustSelect(t, c.spec)); got != c.want {
			t.Errorf("ByNames(%q) = %s, want %s", c.spec, got, c.want)
		}
	}
}

func mustSelect(t *testing.T, spec string) []*Operator {
	t.Helper()
	ops, err := ByNames(spec)
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func TestByNamesReportsTheFirstUnknownName(t *testing.T) {
	for range 10 { // never in map order
		_, err := ByNames("math,zeta,beta")
		if err == nil || !strings.HasPrefix(err.Error(), `unknown operator "beta"`) {
			t.Fatalf("error %v, want one about beta", err)
		}
	}
	if _, err := ByNames(" ,"); err == nil || !strings.Contains(err.Error(), "no operators selected") {
		t.Errorf("an empty list gives %v", err)
	}
}

func TestOperatorsAreDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range All() {
		if seen[op.Name] {
			t.Errorf("%s: declared twice", op.Name)
		}
		seen[op.Name] = true
		if op.Doc == "" || op.Example == "" || op.Group < GroupDefault || op.Group > GroupNone || op.Inspect == nil {
			t.Errorf("%s: incomplete", op.Name)
		}
	}
}
