package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

func builtInfo() *debug.BuildInfo {
	return &debug.BuildInfo{
		Main:     debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.time", Value: "2026-11-24T03:00:00Z"}},
	}
}

func TestRoffKeepsWhatIsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\n\nc\n":             "a\nb\n.PP\nc\n",
		"a\n\n\tb -c\n\n\td\n\ne": "a\n.PP\n.RS 4\n.nf\nb \\-c\n\nd\n.fi\n.RE\n.PP\ne\n",
		"\ta\n\t\tb":              ".RS 4\n.nf\na\n        b\n.fi\n.RE\n",
		".x\n'y' \\n `z` ~ ^":     "\\&.x\n\\(aqy\\(aq \\en \\(gaz\\(ga \\(ti \\(ha\n",
		"a\n\tb\nc":               "a\n.PP\n.RS 4\n.nf\nb\n.fi\n.RE\n.PP\nc\n",
		"":                        "\n",
	} {
		var b strings.Builder
		roffBody(&b, text)
		if b.String() != want {
			t.Errorf("%q: %q, want %q", text, b.String(), want)
		}
	}
}

func TestTheManPageHasAllTopicsAndCommands(t *testing.T) {
	page := manPage(builtInfo())
	if want := ".TH FUZZMUT 1 \"2026-11-24\" \"fuzzmut v1.2.3\"\n"; !strings.HasPrefix(page, want) {
		t.Errorf("it begins with %.60q, want %q", page, want)
	}
	for _, topic := range topics() {
		heading, _, _ := strings.Cut(strings.TrimPrefix(topic.text(), "# "), "\n")
		heading = roffText(strings.ToUpper(heading))
		if !strings.Contains(page, "\n.SH "+heading+"\n") {
			t.Errorf("no section %s", heading)
		}
	}
	for _, name := range commandNames() {
		if c := findPath(strings.Fields(name)); c.run != nil && !strings.Contains(page, ".B "+roffText(c.usage(name)[0].line)) {
			t.Errorf("no usage of %s", name)
		}
	}
	if again := manPage(builtInfo()); again != page {
		t.Error("two pages differ")
	}
	f := newFake(nil)
	f.check(t, exit.OK, "help", "-man")
	if !strings.HasPrefix(f.out.String(), ".TH FUZZMUT 1 ") {
		t.Errorf("help -man prints %.40q", f.out.String())
	}
	f = newFake(nil)
	f.check(t, exit.Usage, "help", "-man", "json")
}

// TestTheManPageIsReadable: mandoc finds no fault in the page, and man shows each line of the
// manual that is shown as it is.
func TestTheManPageIsReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fuzzmut.1")
	if err := os.WriteFile(path, []byte(manPage(builtInfo())), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Run("mandoc", func(t *testing.T) {
		mandoc, err := exec.LookPath("mandoc")
		if err != nil {
			t.Skip("mandoc is not installed")
		}
		if out, err := exec.Command(mandoc, "-man", "-T", "lint", "-W", "warning", path).CombinedOutput(); err != nil {
			t.Errorf("%v\n%.2000s", err, out)
		}
	})
	t.Run("man", func(t *testing.T) {
		man, err := exec.LookPath("man")
		if err != nil {
			t.Skip("man is not installed")
		}
		cmd := exec.Command(man, "-P", "cat", "-l", path)
		cmd.Env = append(os.Environ(), "MANWIDTH=130", "LC_ALL=C", "MANROFFOPT=-c", "GROFF_NO_SGR=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("man can't show files here: %v: %.200s", err, out)
		}
		shown := make(map[string]bool)
		for line := range strings.Lines(string(out)) {
			shown[words(line)] = true
		}
		for line := range strings.Lines(manual()) {
			if strings.HasPrefix(line, "\t") && len(line) < 100 && !shown[words(strings.ReplaceAll(line, "→", "->"))] {
				t.Errorf("not shown: %q", line)
			}
		}
	})
}
