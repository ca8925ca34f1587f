package csv

import (
	"bytes"
	"encoding/csv"
	"testing"
)

func FuzzReadAll(f *testing.F) {
	for _, s := range []string{
		"a,b,c\n1,2,3\n", "\"a \"\"word\"\"\",\"1\n2\",\n", "#c\na;b\n", " x,\t\"y\"\r\n\r\n,\n", "\"open",
	} {
		f.Add([]byte(s), uint8(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, mode uint8) {
		r := csv.NewReader(bytes.NewReader(data))
		r.LazyQuotes, r.TrimLeadingSpace, r.FieldsPerRecord = mode&1 != 0, mode&2 != 0, -1
		if mode&4 != 0 {
			r.Comment = '#'
		}
		if mode&8 != 0 {
			r.Comma = ';'
		}
		records, err := r.ReadAll()
		if err != nil {
			return
		}
		var out bytes.Buffer
		w := csv.NewWriter(&out)
		w.UseCRLF = mode&16 != 0
		if err := w.WriteAll(records); err != nil {
			t.Fatal(err)
		}
		again := csv.NewReader(&out)
		again.FieldsPerRecord = -1
		if got, err := again.ReadAll(); err != nil || len(got) > len(records) {
			t.Errorf("read %q, %v; written %q", got, err, records)
		}
	})
}
