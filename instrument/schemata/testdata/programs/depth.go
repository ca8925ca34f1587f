package programs

// operators depth-guard

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
)

var errDepth = errors.New("nested too deeply")

// CaseDepth has some calls more in progress than a guard allows, one function for each number.
func CaseDepth(in int) string {
	const n = 1005
	switch in {
	case 0:
		return fmt.Sprint(depthOf(n), depthOf(1000), depthOf(999))
	case 1:
		return fmt.Sprint(evenDepth(n), oddDepth(3*n))
	case 2:
		return fmt.Sprint(depthByPanic(n), depthByPanic(900))
	case 3:
		return fmt.Sprint(depthByExit(n))
	case 4:
		return fmt.Sprint(depthOfPulled(600))
	case 5:
		return fmt.Sprint(depthOfNode(n))
	}
	total, err := refusedDepth(n)
	return fmt.Sprint(total, err, err == errDepth)
}

func depthOf(n int) int {
	if n <= 0 {
		return 0
	}
	return depthOf(n-1) + 1
}

func evenDepth(n int) (steps int) {
	if n > 0 {
		steps = 1 + oddDepth(n-1)
	}
	return steps
}

func oddDepth(n int) int {
	if n <= 0 {
		return 0
	}
	return 1 + evenDepth(n-1)
}

// A panic unwinds many calls at once: they are no longer in progress.
func depthByPanic(n int) (what string) {
	for range 3 {
		func() {
			defer func() { what += fmt.Sprint(recover()) }()
			fallInto(n)
		}()
	}
	return what
}

func fallInto(n int) {
	if n == 0 {
		panic("bottom")
	}
	fallInto(n - 1)
}

// So does the end of a goroutine.
func depthByExit(n int) (ends int) {
	for range 3 {
		done := make(chan bool)
		go func() {
			defer close(done)
			ends++
			exitFrom(n / 2)
			ends += 100
		}()
		<-done
	}
	return ends
}

func exitFrom(n int) {
	if n == 0 {
		runtime.Goexit()
	}
	exitFrom(n - 1)
}

// Calls in coroutines that wait are in progress.
func depthOfPulled(n int) (sum int) {
	next, stop := iter.Pull(down(n))
	again, halt := iter.Pull(down(n))
	for range n + 1 {
		i, _ := next()
		j, ok := again()
		if !ok {
			break
		}
		sum += i*j + 1
	}
	stop()
	halt()
	return sum
}

func down(n int) iter.Seq[int] {
	return func(yield func(int) bool) { descend(n, yield) }
}

func descend(n int, yield func(int) bool) bool {
	if n == 0 {
		return yield(0)
	}
	return yield(n) && descend(n-1, yield)
}

type depthNode interface {
	text(b *strings.Builder) (int, error)
}

type depthLeaf string

func (l depthLeaf) text(b *strings.Builder) (int, error) { return b.WriteString(string(l)) }

type depthList []depthNode

// With an error in place of zero values the callers stop.
func (l depthList) text(b *strings.Builder) (n int, err error) {
	for _, node := range l {
		k, err := node.text(b)
		if n += k; err != nil {
			return n, err
		}
		b.WriteByte(',')
	}
	return n, nil
}

func depthOfNode(n int) string {
	var node depthNode = depthLeaf("x")
	for range n {
		node = depthList{node, depthLeaf("y")}
	}
	var b strings.Builder
	written, err := node.text(&b)
	return fmt.Sprint(written, b.Len(), err)
}

func refusedDepth(n int) (sum int, err error) {
	if n == 0 {
		return 1, nil
	}
	sum, err = refusedDepth(n - 1)
	return sum + 1, err
}
