package text

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestEntryListText(t *testing.T) {
	m := func(id string) report.ListedMutant { return report.ListedMutant{ID: id, File: "p.go", Line: 7} }
	l := &report.EntryList{Tests: []report.ListedTest{{Package: "example.com/p", Name: "FuzzX", Killed: 6, Covered: 1, Entries: []report.ListedEntry{
		{Name: "seed#0", Origin: report.OriginSeed, Input: `"a"`, Kills: 1, Blocks: 1, AloneBlocks: 1, Values: []report.ListedValue{{Name: "p.F #1 result 0", Text: "p.T {\n\tA: 1\n}"}}},
		{Name: "fuzzmut-b-1", Origin: report.OriginFuzzmut, Input: `"b"`, Kills: 6, Alone: []report.ListedMutant{m("a"), m("b"), m("c"), m("d"), m("e")}},
		{Name: "fuzzmut-c-1", Origin: report.OriginFuzzmut, Input: `"c"`},
		{Name: "mine", Origin: report.OriginUser, Input: `"d"`},
	}}}}
	write := func(o Format) string {
		var b bytes.Buffer
		if err := o.Write(&b, l); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := `FuzzX  example.com/p  4 entries, which kill 6 mutants and cover 1 block
  seed#0  "a"
      kills 1 mutant; covers 1 block, 1 alone; 1 golden value; a seed of f.Add
  fuzzmut-b-1  "b"
      kills 6 mutants, 5 alone; covers 0 blocks; no golden values
      alone: a at p.go:7, b at p.go:7, c at p.go:7, 2 more; -v shows them
  fuzzmut-c-1  "c"
      kills 0 mutants; covers 0 blocks; no golden values; needed for nothing alone
  mine  "d"
      kills 0 mutants; covers 0 blocks; no golden values; yours
`
	if got := write(Format{}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	all := write(Format{Verbose: true})
	for _, text := range []string{"      p.F #1 result 0\n        p.T {\n        \tA: 1\n        }\n", "d at p.go:7, e at p.go:7\n"} {
		if !strings.Contains(all, text) {
			t.Errorf("no %q in\n%s", text, all)
		}
	}
	if got := write(Format{Quiet: true}); strings.Count(got, "\n") != 1 {
		t.Errorf("%q", got)
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(l.Canonical()); err != nil || strings.Contains(b.String(), "null") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
