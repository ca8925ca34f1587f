package reasons

import (
	"strings"
	"testing"
)

// A reader knows the class by the first words, and so does a script that groups the texts.
func TestTextsBeginAsTheirClass(t *testing.T) {
	seen := make(map[string]Kind)
	for i := range table {
		k := Kind(i)
		text := k.String()
		if other, ok := seen[text]; ok || text == "" {
			t.Errorf("reason %d: %q, like %d", k, text, other)
		}
		seen[text] = k
		class := k.Class()
		if strings.HasPrefix(text, "does not compile: ") != (class == NoCompile) || strings.HasPrefix(text, "the same ") != (class == NoChange) {
			t.Errorf("%q is of class %d", text, class)
		}
		if n := strings.Count(text, "%"); n != strings.Count(text, "%s") || n > 1 {
			t.Errorf("%q takes %d words", text, n)
		}
	}
	if len(table) != int(ReservesSpace)+1 {
		t.Errorf("%d reasons have a text", len(table))
	}
}

func TestReasonsSayWhatTheyAreAbout(t *testing.T) {
	var why Reason = LastUseOfImport.With("fmt")
	if why.String() != "does not compile: last use of import fmt" || why.Class() != NoCompile {
		t.Errorf("%v, of class %d", why, why.Class())
	}
	if why != LastUseOfImport.With("fmt") || why == LastUseOfImport.With("os") || why == Reason(LastUseOfImport) {
		t.Error("reasons are not told apart by what they are about")
	}
}
