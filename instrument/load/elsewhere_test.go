package load

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatFuzzTestsCallElsewhere(t *testing.T) {
	r, err := Load(t.Context(), Config{Pattern: ".", Dir: unpack(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

func Own(s string) string { return s }
-- m_test.go --
package m

import (
	"net/mail"
	"net/url"
	"strings"
	"testing"
)

func FuzzOwn(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { Own(s) }) }

func FuzzCommon(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { strings.ToUpper(Own(s)) }) }

func FuzzOthers(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { parse(strings.ToUpper(s)) }) }

func parse(s string) {
	mail.ParseAddress(s)
	u, _ := url.Parse(s)
	u.String()
}
-- x_test.go --
package m_test

import (
	"testing"

	"example.com/m"
)

func FuzzOutside(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { m.Own(s) }) }
`)})
	if err != nil {
		t.Fatal(err)
	}
	for fuzz, want := range map[string][]string{
		"FuzzOwn": nil, "FuzzOutside": nil, "FuzzCommon": {"strings"}, "FuzzOthers": {"net/mail", "net/url"},
	} {
		if diff := cmp.Diff(want, r.Elsewhere(fuzz)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", fuzz, diff)
		}
	}
	r.SetMutated([]string{"net/mail"})
	if diff := cmp.Diff([]string{"net/url"}, r.Elsewhere("FuzzOthers")); diff != "" {
		t.Errorf("with one of them mutated (-want +got):\n%s", diff)
	}
}
