package trial

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
)

func TestWithoutListsWhatIsMissing(t *testing.T) {
	entry := func(path string) corpus.Entry { return corpus.Entry{Path: path} }
	was := &Replay{Entries: []corpus.Entry{entry(""), entry("a"), entry("b")}}
	least := &Replay{Entries: []corpus.Entry{entry(""), entry("b")}}
	if gone := was.Without(least); len(gone) != 1 || gone[0].Path != "a" {
		t.Errorf("%v", gone)
	}
}
