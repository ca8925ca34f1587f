package load

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// exports remembers where the export data of standard packages is, from one Load to the next. To
// ask the go command for it takes longer than to read it.
type exports struct {
	mu    sync.Mutex
	files map[string]string // by what they are made with, and import path
}

// exportData is for the life of the process: what is asked for says all that decides the answer.
var exportData = exports{files: make(map[string]string)}

// find gives standard packages the export data that is known and still there, and returns the import paths of
// the others.
func (e *exports) find(made string, needed map[*packages.Package]bool, standard func(*packages.Package) bool) (others map[string]bool) {
	others = make(map[string]bool)
	e.mu.Lock()
	defer e.mu.Unlock()
	for p := range needed {
		file := e.files[made+p.PkgPath]
		if _, err := os.Stat(file); err == nil && standard(p) {
			p.ExportFile = file
		} else {
			others[p.PkgPath] = true
		}
	}
	return others
}

// keep remembers the export data of standard packages.
func (e *exports) keep(made string, needed map[*packages.Package]bool, standard func(*packages.Package) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for p := range needed {
		if p.ExportFile != "" && standard(p) {
			e.files[made+p.PkgPath] = p.ExportFile
		}
	}
}

// placed are variables that say where the go command runs and has its temporary files.
var placed = map[string]bool{"PWD": true, "OLDPWD": true, "GOTMPDIR": true, "TMPDIR": true}

// madeWith is all that decides what the standard library is compiled to.
func madeWith(t *gotool.Toolchain) string {
	var b strings.Builder
	for _, part := range append([]string{t.Command, t.Root, t.Version}, t.Making("modfile", "mod")...) {
		b.WriteString(part + "\n")
	}
	for _, v := range t.Env {
		if name, _, _ := strings.Cut(v, "="); !placed[name] {
			b.WriteString(v + "\n")
		}
	}
	return b.String()
}

// standard returns what says of a package whether it is one of the standard library, as it is on disk.
func (l *loader) standard(overlay map[string][]byte) func(*packages.Package) bool {
	for path := range overlay {
		if l.tool.InRoot(path) {
			return func(*packages.Package) bool { return false }
		}
	}
	return func(p *packages.Package) bool {
		return p.Module == nil && p.ID == p.PkgPath && len(p.GoFiles) > 0 && l.tool.InRoot(filepath.Dir(p.GoFiles[0]))
	}
}
