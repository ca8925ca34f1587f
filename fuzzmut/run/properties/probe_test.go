package properties

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/relations"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// TestProbes compares all probes of a package, and a property of relations, with a golden file, and has go
// vet compile them.
func TestProbes(t *testing.T) {
	dir, r := module(t, filepath.Join("testdata", "probes.txtar"))
	var parts []target.Part
	var list bytes.Buffer
	write := func(p *Property) {
		part, err := p.Source(p.Name, p.Seeds)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
		fmt.Fprintf(&list, "%s\n", part.Text)
	}
	for _, p := range Probes(r) {
		write(p.Property)
		if p.Name == "FuzzVersionNextRows" {
			write(p.Shown)
			write(p.Claim([]relations.Relation{
				{Holds: "got.Major() == version.Major()+1", Fails: "got.Major() != version.Major()+1", Shows: []string{"got.Major()", "version.Major()"}},
				{Holds: "strings.HasSuffix(got.String(), got.Label)", Fails: "!strings.HasSuffix(got.String(), got.Label)", Shows: []string{"got.String()", "got.Label"}, Package: "strings"},
			}))
		}
	}
	goldenfile.Compare(t, "probes.golden", list.Bytes())
	vetted(t, dir, r, parts)
}

// Of the relations of a property those are kept which fail with mutants, as few as are enough.
func TestNarrowedProperties(t *testing.T) {
	_, r := module(t, filepath.Join("testdata", "probes.txtar"))
	for _, p := range Probes(r) {
		if p.Name != "FuzzVersionNextRows" {
			continue
		}
		relation := func(holds string) relations.Relation {
			return relations.Relation{Holds: holds, Fails: "!(" + holds + ")", Shows: []string{"got.Label"}}
		}
		claim := p.Claim([]relations.Relation{relation(`got.Label == ""`), relation("got.Major() == 1"), relation("got.Major() > 0"), relation("version.Major() == 1")})
		claim.Name, claim.Plain = "FuzzMine", "FuzzMine"
		fails := func(holds ...string) (text string) {
			for _, h := range holds {
				text += "    x_test.go:1: 3: got.Label = \"a\"; want: " + h + "\n"
			}
			return text
		}
		narrow := claim.Narrowed([]string{fails("got.Major() == 1"), fails("got.Major() == 1", "got.Major() > 0"), fails(`got.Label == ""`)})
		if narrow == nil || narrow.Name != "FuzzMine" || narrow.Sentence != `In each call of Version.Next, got.Major() == 1; got.Label == "". That is what the code does today.` {
			t.Errorf("%+v", narrow)
		}
		if again := narrow.Narrowed([]string{fails("got.Major() == 1"), fails(`got.Label == ""`)}); again != nil {
			t.Errorf("narrowed again: %+v", again)
		}
		if none := claim.Narrowed([]string{"a panic"}); none != nil {
			t.Errorf("narrowed to nothing: %+v", none)
		}
		if none := p.Claim([]relations.Relation{relation("version.Major() == 1")}); none != nil {
			t.Errorf("a relation about no result: %+v", none)
		}
		if strings.Contains(claim.Sentence, "version.Major() == 1") {
			t.Errorf("a relation about no result: %s", claim.Sentence)
		}
		return
	}
	t.Error("there is no probe of Version.Next")
}
