package oracle

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestTheTableHasEachKindOnce(t *testing.T) {
	all := All()
	if len(all) != int(Memory) {
		t.Errorf("%d rows", len(all))
	}
	for k := Assertion; k <= Memory; k++ {
		if !slices.Contains(all, k) {
			t.Errorf("kind %d has no row", k)
		}
		if got, ok := Parse(k.String()); got != k || !ok {
			t.Errorf("Parse(%q) = %v, %v", k, got, ok)
		}
		if k.ByInput() == "" && k.ByTest() == "" {
			t.Errorf("nothing kills by %v", k)
		}
		if (k.ByInput() != "") != (k <= Cost) {
			t.Errorf("%v: what inputs kill by comes first", k)
		}
	}
	if !Difference.ByValue() || !OnlyInside.ByValue() || Assertion.ByValue() {
		t.Error("kinds that only a value shows")
	}
	if k, ok := Parse("luck"); k != 0 || ok {
		t.Errorf("Parse of no kind = %v, %v", k, ok)
	}
}

// Messages and files hold the names.
func TestKindsAreWrittenByName(t *testing.T) {
	type kill struct{ Kind Kind }
	for k, want := range map[Kind]string{0: `{"Kind":""}`, Difference: `{"Kind":"difference"}`, Memory: `{"Kind":"memory"}`} {
		data, err := json.Marshal(kill{k})
		if err != nil || string(data) != want {
			t.Errorf("%s (%v), want %s", data, err, want)
		}
		var got kill
		if err := json.Unmarshal(data, &got); err != nil || got.Kind != k {
			t.Errorf("%s is read as %v (%v)", data, got.Kind, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"Kind":"luck"}`), new(kill)); err == nil {
		t.Error("an unknown kind is accepted")
	}
}
