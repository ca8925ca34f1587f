package fleet

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// space is a network namespace of Linux that is connected with this one.
type space struct {
	name  string
	here  string // address in this one
	there string // the device in the other
}

// newSpace makes one, which needs the rights to.
func newSpace() (*space, error) {
	id := os.Getpid() % 60_000
	s := &space{name: fmt.Sprintf("fuzzmut%d", id), here: fmt.Sprintf("10.%d.%d.1", 200+id/256%50, id%256), there: fmt.Sprintf("fzb%d", id)}
	device, other := fmt.Sprintf("fza%d", id), strings.TrimSuffix(s.here, "1")+"2"
	for _, args := range []string{
		"netns add " + s.name,
		"link add " + device + " type veth peer name " + s.there + " netns " + s.name,
		"addr add " + s.here + "/24 dev " + device,
		"link set " + device + " up",
		"-n " + s.name + " addr add " + other + "/24 dev " + s.there,
		"-n " + s.name + " link set " + s.there + " up",
		"-n " + s.name + " link set lo up",
	} {
		if err := ip(strings.Fields(args)...); err != nil {
			s.remove()
			return nil, fmt.Errorf("a network namespace needs the right to make one: %w", err)
		}
	}
	return s, nil
}

func ip(args ...string) error {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// remove removes it, and with it the devices.
func (s *space) remove() { ip("netns", "del", s.name) } //nolint:errcheck // it may not be there

// cutNetwork cuts the network of the first worker during a slice of it, for a time.
func cutNetwork(ctx context.Context, x *fleet, o *outcome) {
	file := filepath.Join(x.dir, "worker0.txt")
	for {
		text, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(text), " in ") { // it has done one, and begins another
			break
		}
		if !sleep(ctx, 50*time.Millisecond) {
			return
		}
	}
	if ip("-n", x.space.name, "link", "set", x.space.there, "down") != nil {
		return
	}
	o.harmed++
	sleep(ctx, cutFor)
	ip("-n", x.space.name, "link", "set", x.space.there, "up") //nolint:errcheck // the job then ends without it
}
