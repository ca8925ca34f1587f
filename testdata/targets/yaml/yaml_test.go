package yaml

import (
	"testing"

	"github.com/goccy/go-yaml"
)

func FuzzUnmarshal(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, 2.5, true, null]\nc: {d: e, f: }\n",
		"- a\n- - b\n  - c\n- d: e\n  f: g\n",
		"base: &b {x: 1}\nuse: *b\nmerged:\n  <<: *b\n  y: 2\n",
		"text: |\n  line\n  more\nfolded: >-\n  a\n  b\nkeep: |+\n  x\n\n",
		"s: 'it''s'\nd: \"tab\\t\\u00e9\\x41\"\n",
		"? complex\n: value\n",
		"!!binary aGVsbG8=\n",
		"- !!float 1\n- !!str 2\n- !!int \"3\"\n",
		"# head\na: b # line\n# foot\n",
		"%YAML 1.2\n---\na: b\n...\n",
		"n: 0x1F\no: 0o17\nb: 0b101\ne: 1e3\ni: .inf\nm: -.inf\nu: 1_000\n",
		"d: 2001-12-14t21:59:43.10-05:00\n",
		"a: yes\nb: ~\nc: ''\n",
		"{a: [1, {b: c}], \"d\": 'e'}\n",
		"multi:\n  plain text\n  over lines\n",
		"a:\n- 1\n- 2\nb:\n  - 3\n",
		"a: b: c\n", "[1, 2", "\ta: b\n", "a: *unknown\n", "a: 1\na: 2\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v any
		err := yaml.Unmarshal(b, &v)
		var m map[string]any
		_ = yaml.Unmarshal(b, &m)
		if err != nil {
			t.Skip()
		}
		out, err := yaml.Marshal(v)
		if err != nil {
			t.Fatalf("Marshal of %#v: %v", v, err)
		}
		if len(out) == 0 {
			t.Errorf("%#v encodes as nothing", v)
		}
	})
}
