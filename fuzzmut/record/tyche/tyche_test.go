package tyche

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema is that of testdata, compiled.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.Open("testdata/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	doc, err := jsonschema.UnmarshalJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLinesFollowTheSchema(t *testing.T) {
	var b bytes.Buffer
	cases := []Case{
		{
			RunStart: 1764000000, Property: "example.com/p.FuzzX", Status: Failed, StatusReason: "panic: <a> \"b\"\nc", Representation: "p.T{\n\tA: 1,\n}",
			Arguments: map[string]string{"1": "p.T{}"}, HowGenerated: "seed of f.Add", Features: Features{Size: 3, Kills: 1, Blocks: 2, Work: 9},
			Coverage: map[string][]int{"p.go": {3, 4, 7}}, Metadata: Metadata{Entry: "seed#0"},
		},
		{Property: "example.com/p.FuzzX", Status: Passed},
		{Property: "example.com/p.FuzzX", Status: GaveUp},
	}
	if err := Write(&b, cases); err != nil {
		t.Fatal(err)
	}
	s, n := schema(t), 0
	for line := range strings.Lines(b.String()) {
		n++
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err == nil {
			err = s.Validate(v)
		}
		if err != nil {
			t.Errorf("line %d: %v", n, err)
		}
	}
	if n != len(cases) || cases[0].Type != "" {
		t.Errorf("%d lines, or the cases were changed", n)
	}
	// The schema refuses what it should.
	for _, member := range []string{"status", "run_start", "coverage", "timing", "arguments"} {
		var c map[string]any
		first, _, _ := strings.Cut(b.String(), "\n")
		if err := json.Unmarshal([]byte(first), &c); err != nil {
			t.Fatal(err)
		}
		c[member] = "wrong"
		if s.Validate(c) == nil {
			t.Errorf("%s may be a wrong text", member)
		}
		delete(c, member)
		if s.Validate(c) == nil {
			t.Errorf("%s may be missing", member)
		}
	}
}
