//fuzzmut:ignore the whole file is debugging aid

package targetdir

import (
	"fmt"
	"strings"
)

// String formats s for people.
func (s Set) String() string {
	if len(s.words) == 0 {
		return "{}"
	}
	return fmt.Sprintf("{%s}/%d", strings.Join(s.words, " "), s.lookups)
}
