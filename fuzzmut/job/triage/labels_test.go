package triage

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLabels(t *testing.T) {
	for content, want := range map[string]any{
		`{"a": "one", "b": {"bug": "two", "kind": "panic"}}`: map[string]string{"a": "one", "b": "two"},
		`{}`:                      map[string]string{},
		`[1]`:                     "not a JSON object",
		`{"a": {"kind": "hang"}}`: `the label of "a" is neither`,
		`{"a": 3}`:                `the label of "a" is neither`,
	} {
		path := filepath.Join(t.TempDir(), "labels.json")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := ReadLabels(path)
		if text, bad := want.(string); bad {
			if err == nil || !strings.Contains(err.Error(), text) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: error %v, want %q", content, err, text)
			}
			continue
		}
		if diff := cmp.Diff(want, any(got)); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", content, err, diff)
		}
	}
	if _, err := ReadLabels("nowhere"); err == nil {
		t.Error("a missing file is read")
	}
}

// FuzzParseLabels checks that every input that is labelled has a label.
func FuzzParseLabels(f *testing.F) {
	f.Add([]byte(`{"a": "overflow", "b": {"bug": "nil", "commit": "1234"}}`))
	f.Add([]byte(`{"a": ["overflow"]}`))
	f.Add([]byte(`{"a": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		labels, err := parseLabels(data)
		if err != nil {
			return
		}
		for name, label := range labels {
			if label == "" {
				t.Errorf("%q has no label", name)
			}
		}
		text, err := json.Marshal(labels)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := parseLabels(text); err != nil || !maps.Equal(labels, again) {
			t.Errorf("%v: read %v, and again %v", err, labels, again)
		}
	})
}
