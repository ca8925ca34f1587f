package literals

import "fmt"

// What TestVerbShowsWhatDiffers prints, and has type-checked from this file.
type (
	grade  uint8
	share  float64
	label  string
	closed struct{ Cents, Note int }
	open   struct{ Cents, Note int }
	holds  struct{ Of closed }
	secret struct{ of closed }
	points struct{ To *open }
	format struct{}
	chain  struct {
		Next []chain
		Of   closed
	}
)

func (grade) String() string          { return "grade" }
func (share) String() string          { return "share" }
func (label) Error() string           { return "label" }
func (closed) String() string         { return "closed" }
func (open) String(int) string        { return "open" }
func (format) Format(fmt.State, rune) {}

var _ fmt.Formatter = format{}
