// Package junit writes results as JUnit XML, which services of continuous integration show as
// tests. What makes the command end with exit code 1 or 4 is a failure there, and nothing else
// is.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Format writes JUnit XML.
type Format struct{}

// Write writes a result of fuzz tests, of tests, of golden values, of failing inputs or of a
// comparison.
func (Format) Write(w io.Writer, r report.Result) error {
	doc := document{Name: "fuzzmut"}
	switch r := r.(type) {
	case *report.Report:
		doc.fuzzed(r)
	case *report.TestReport:
		doc.tested(r)
	case *report.Verification:
		doc.verified(r)
	case *report.TriageReport:
		doc.sorted(r)
	case *behavior.Report:
		doc.compared(r)
	default:
		return fmt.Errorf("write JUnit XML: there is none for a %T", r)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write JUnit XML: %w", err)
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(&doc); err != nil {
		return fmt.Errorf("write JUnit XML: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("write JUnit XML: %w", err)
	}
	return nil
}

// A document has what is counted in it, too, as readers want it. The schema of Jenkins allows
// no number of skipped tests here.
type document struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     plain    `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Suites   []*suite `xml:"testsuite"`
}

type suite struct {
	Name      plain       `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"` // none: readers ask for the number
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Cases     []*testcase `xml:"testcase"`
	SystemOut *output     `xml:"system-out"`
}

type testcase struct {
	Name      plain    `xml:"name,attr"`
	Classname plain    `xml:"classname,attr"`
	Time      string   `xml:"time,attr"`
	Failure   *failure `xml:"failure"`
	Skipped   *skipped `xml:"skipped"`
}

type failure struct {
	Message plain `xml:"message,attr"`
	Type    plain `xml:"type,attr"`
	Text    plain `xml:",chardata"`
}

type skipped struct {
	Message plain `xml:"message,attr"`
}

type output struct {
	Text plain `xml:",chardata"`
}

// MarshalXML implements xml.Marshaler.
func (f *failure) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	start.Attr = []xml.Attr{
		{Name: xml.Name{Local: "message"}, Value: visible(string(f.Message))},
		{Name: xml.Name{Local: "type"}, Value: visible(string(f.Type))},
	}
	return element(e, start, f.Text)
}

// MarshalXML implements xml.Marshaler.
func (o *output) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return element(e, start, o.Text)
}

// element writes an element with text. Line feeds stay what they are: package xml escapes
// those of fields.
func element(e *xml.Encoder, start xml.StartElement, text plain) error {
	for _, token := range []xml.Token{start, xml.CharData(visible(string(text))), start.End()} {
		if err := e.EncodeToken(token); err != nil {
			return err
		}
	}
	return nil
}

// seconds formats a time as JUnit has it.
func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

// suite adds a suite.
func (d *document) suite(name string, took float64) *suite {
	s := &suite{Name: plain(name), Time: seconds(took)}
	d.Suites = append(d.Suites, s)
	return s
}

// A number follows a name that a suite has already: readers take tests of one name for one.
func (s *suite) free(name string) string {
	used := func(name string) bool {
		for _, c := range s.Cases {
			if string(c.Name) == name {
				return true
			}
		}
		return false
	}
	free := name
	for n := 2; used(free); n++ {
		free = fmt.Sprintf("%s #%d", name, n)
	}
	return free
}

// fuzzTest begins the suite of a fuzz test with the fuzz test itself, which passes if it was
// not interrupted.
func (d *document) fuzzTest(pkg, name string, took float64, interrupted bool) *suite {
	s := d.suite(pkg+"."+name, took)
	skip := ""
	if interrupted {
		skip = "interrupted"
	}
	d.add(s, pkg, name, nil, skip)
	return s
}

// add adds a test to a suite: one that failed, or was skipped, or passed.
func (d *document) add(s *suite, class, name string, f *failure, skip string) {
	c := &testcase{Name: plain(s.free(name)), Classname: plain(class), Time: seconds(0), Failure: f}
	s.Tests++
	d.Tests++
	switch {
	case f != nil:
		s.Failures++
		d.Failures++
	case skip != "":
		c.Skipped = &skipped{Message: plain(skip)}
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// say adds lines to what a suite says.
func (s *suite) say(lines ...string) {
	if len(lines) == 0 {
		return
	}
	if s.SystemOut == nil {
		s.SystemOut = &output{}
	}
	s.SystemOut.Text += plain(strings.Join(lines, "\n") + "\n")
}

// plain is text in which characters that XML 1.0 can't hold are written as escapes.
type plain string

// MarshalText implements encoding.TextMarshaler.
func (p plain) MarshalText() ([]byte, error) { return []byte(visible(string(p))), nil }

// visible escapes what XML 1.0 can't hold: most control characters, surrogates, two
// noncharacters, and bytes that are not UTF-8.
func visible(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == 0xfffe || r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}
