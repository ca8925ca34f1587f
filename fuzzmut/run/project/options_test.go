package project

import (
	"testing"
	"time"
)

func TestParseFuzzTime(t *testing.T) {
	for s, want := range map[string]FuzzTime{
		"30s":    {Duration: 30 * time.Second},
		"1m30s":  {Duration: 90 * time.Second},
		"20000x": {Execs: 20000},
		"1x":     {Execs: 1},
	} {
		got, err := ParseFuzzTime(s)
		if err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", s, got, err, want)
		}
		if again, err := ParseFuzzTime(got.String()); err != nil || again != got {
			t.Errorf("%q: String is %q, which reads as %+v, %v", s, got, again, err)
		}
	}
	for _, s := range []string{"", "30", "x", "0x", "-1x", "0s", "-3s", "1.5x", "99999999999999999999x", "10 s"} {
		if got, err := ParseFuzzTime(s); err == nil {
			t.Errorf("%q: got %+v, want an error", s, got)
		}
	}
}

func TestParseInputs(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", "default"},
		{"default", "default"},
		{"bytes", "bytes"},
		{"mutagen+mixed", "mutagen+mixed"},
		{"Bytes", ""},
		{"fuzzchick+mixed", ""},
		{"mutagen+", ""},
	}
	for _, tt := range tests {
		got, err := ParseInputs(tt.in)
		if (err == nil) != (tt.want != "") || err == nil && got != tt.want {
			t.Errorf("%q: %q, %v", tt.in, got, err)
		}
	}
}

func TestParseUntil(t *testing.T) {
	for text, want := range map[string]string{
		"30s": "30s", "20000x": "20000x", "1/30s": "30s", "5/1m": "5/1m0s", "5/100000x": "5/100000x",
		"5/": "", "/1m": "", "0/1m": "", "-1/1m": "", "5/0x": "", "5/min": "", "1/2/1m": "", "": "",
	} {
		got, err := ParseUntil(text)
		if (err != nil) != (want == "") || err == nil && got.String() != want {
			t.Errorf("%q: %v, %v, want %q", text, got, err, want)
		}
	}
}
