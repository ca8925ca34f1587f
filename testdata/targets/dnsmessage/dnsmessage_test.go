package dnsmessage

import (
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// seedBodies has one resource of each type, to be packed into messages.
func seedBodies() []dnsmessage.ResourceBody {
	name := dnsmessage.MustNewName("ns.example.org.")
	opt := dnsmessage.Option{Code: 10, Data: []byte{1, 2, 3}}
	return []dnsmessage.ResourceBody{
		&dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
		&dnsmessage.AAAAResource{AAAA: [16]byte{15: 1}},
		&dnsmessage.NSResource{NS: name},
		&dnsmessage.CNAMEResource{CNAME: name},
		&dnsmessage.PTRResource{PTR: name},
		&dnsmessage.MXResource{Pref: 7, MX: name},
		&dnsmessage.TXTResource{TXT: []string{"v=spf1", "", "x y"}},
		&dnsmessage.SRVResource{Priority: 1, Weight: 2, Port: 53, Target: name},
		&dnsmessage.SOAResource{NS: name, MBox: name, Serial: 1, Refresh: 2, Retry: 3, Expire: 4, MinTTL: 5},
		&dnsmessage.OPTResource{Options: []dnsmessage.Option{opt}},
		&dnsmessage.UnknownResource{Type: 999, Data: []byte{1, 2}},
	}
}

func addSeeds(f *testing.F) {
	name := dnsmessage.MustNewName("example.org.")
	question := dnsmessage.Question{Name: name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}
	all := dnsmessage.Message{Header: dnsmessage.Header{ID: 1, Response: true}, Questions: []dnsmessage.Question{question}}
	for _, body := range seedBodies() {
		r := dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: name, Class: dnsmessage.ClassINET, TTL: 60},
			Body:   body,
		}
		m := dnsmessage.Message{Header: dnsmessage.Header{ID: 2, Authoritative: true}, Answers: []dnsmessage.Resource{r}}
		f.Add(mustPack(f, &m))
		all.Answers = append(all.Answers, r)
	}
	all.Authorities, all.Additionals = all.Answers[:3], all.Answers[3:5]
	f.Add(mustPack(f, &all))
	query := dnsmessage.Message{Header: dnsmessage.Header{ID: 3, RecursionDesired: true}, Questions: []dnsmessage.Question{question}}
	f.Add(mustPack(f, &query))
	f.Add([]byte("\x00\x01\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\xc0\x0c\x00\x01\x00\x01")) // a pointer to itself
	f.Add([]byte("\x00\x01\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x3fab"))                   // a label over the end
	f.Add([]byte("short"))
}

func mustPack(f *testing.F, m *dnsmessage.Message) []byte {
	b, err := m.Pack()
	if err != nil {
		f.Fatal(err)
	}
	return b
}

func FuzzUnpack(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var m dnsmessage.Message
		if err := m.Unpack(b); err != nil {
			t.Skip(err)
		}
		walk(t, b, &m)
		packed, err := m.Pack()
		if err != nil {
			t.Skip(err)
		}
		var again dnsmessage.Message
		if err := again.Unpack(packed); err != nil {
			t.Fatalf("%v after packing %s", err, m.GoString())
		}
		if got, want := again.GoString(), m.GoString(); got != want {
			t.Errorf("became %s, was %s", got, want)
		}
	})
}

// walk goes through b with a Parser, step by step.
func walk(t *testing.T, b []byte, m *dnsmessage.Message) {
	t.Helper()
	var p dnsmessage.Parser
	if _, err := p.Start(b); err != nil {
		t.Fatalf("Start: %v", err)
	}
	if qs, err := p.AllQuestions(); err != nil || len(qs) != len(m.Questions) {
		t.Fatalf("%d questions, want %d: %v", len(qs), len(m.Questions), err)
	}
	for i, want := range m.Answers {
		h, err := p.AnswerHeader()
		if err != nil || h.Name != want.Header.Name || h.Type != want.Header.Type {
			t.Fatalf("answer %d: %v, want %v: %v", i, h.GoString(), want.Header.GoString(), err)
		}
		if r, err := p.Answer(); err != nil || r.GoString() != want.GoString() {
			t.Fatalf("answer %d: %v, want %v: %v", i, r.GoString(), want.GoString(), err)
		}
	}
	if err := p.SkipAllAnswers(); err != nil {
		t.Fatalf("end of the answers: %v", err)
	}
	if rs, err := p.AllAuthorities(); err != nil || len(rs) != len(m.Authorities) {
		t.Fatalf("%d authorities, want %d: %v", len(rs), len(m.Authorities), err)
	}
	// Skipping checks lengths that Unpack does not, so that it may fail here.
	_ = p.SkipAllAdditionals()
}
