package properties

import "testing"

// Nothing that talks to others is called.
func TestConnectionsAreLeftOut(t *testing.T) {
	propose(t, []shape{
		{"by their names", `
func Dial(address string) (int, error) { return 0, nil }
func ListenPacket(address string) (int, error) { return 0, nil }
func Dialect(name string) int { return 0 }
type Client struct{ N int }
func (c Client) Connect(address string) (int, error) { return 0, nil }
`, []string{"DialectRepeated of Dialect"}},
	}, Repeated, ZeroOnError)
}
