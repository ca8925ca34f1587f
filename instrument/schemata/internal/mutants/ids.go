package mutants

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/equivalence"
)

// ordinals tell changes at one site from equal ones at other sites of the unit.
type ordinals map[string]int

// Count counts the changes at a site that operators propose, whatever is proved about the
// values there, and whether mutants are made of them: so what leaves out a mutant, a rule of
// a later release for one, gives no ID of its to another.
func (u *Unit) Count(s Site) ordinals {
	site, node := s.Describe()
	bare := *site
	bare.NotNil, bare.Taken = false, nil
	list, found := u.file.list, ordinals{}
	for _, op := range list.Operators {
		for _, c := range op.Inspect(&bare) {
			key := u.key(op, u.file.src.Node(node), equivalence.Name(site, c))
			if _, counted := found[key]; !counted {
				found[key] = list.next(key)
			}
		}
	}
	return found
}

// key names a mutant by what it does in which function, so that edits elsewhere in
// the file leave it alone. Its plain edit would not do: that also repairs what the
// change alone would break, an import left unused for one. Equal changes in one
// function are distinguished by order.
func (u *Unit) key(op *operator.Operator, original, change string) string {
	return strings.Join([]string{u.file.list.ImportPath, u.Scope, op.Name, original, change}, "\x00")
}

// next returns how many changes of the package had a key before.
func (l *List) next(key string) int {
	if l.counted == nil {
		l.counted = map[string]int{}
	}
	n := l.counted[key]
	l.counted[key]++
	return n
}

// id returns a name for a mutant that no other has. Equal changes in one function
// are distinguished by an ordinal.
func (l *List) id(key string, ordinal int) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", key, ordinal, n))
		id := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:8])[:12])
		if !l.ids[id] {
			if l.ids == nil {
				l.ids = map[string]bool{}
			}
			l.ids[id] = true
			return id
		}
	}
}
