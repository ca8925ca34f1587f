package corrupt

import "testing"

func TestDamagedFilesAreRefusedOrReadWhole(t *testing.T) {
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			tally, err := Check(k, 10*len(damages), 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range tally.Wrong {
				t.Error(w)
			}
			t.Logf("%d files: %d refused, %d whole", tally.Files, tally.Refused, tally.Whole)
			if tally.Refused == 0 || tally.Whole == 0 {
				t.Errorf("%d of %d files refused: is anything damaged, or read?", tally.Refused, tally.Files)
			}
		})
	}
}

// The checker must notice a reader that stops in the middle, and one that panics.
func TestTheCheckerNotices(t *testing.T) {
	k := Kind{Name: "toy", Sample: func() ([]byte, error) { return []byte("one\ntwo\n"), nil }}
	for name, read := range map[string]func(string, []byte) (string, error){
		"by half": func(_ string, data []byte) (string, error) {
			return missing(notBlank(string(data)), []string{"one", "two"}), nil
		},
		"panic": func(_ string, data []byte) (string, error) { return "", [1]error{}[min(max(len(data)-8, 0), 1)] },
	} {
		k.Read = read
		if tally, err := Check(k, len(damages), 1); err != nil || len(tally.Wrong) == 0 {
			t.Errorf("%s: %+v, %v", name, tally, err)
		}
	}
}
