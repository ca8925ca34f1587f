package programs

//operators math operator-replacement conditional-boundary primitive-returns one-returns increments invert-negatives

import "fmt"

type orderCursor struct{ pos, read int }

func (p *orderCursor) next() int {
	p.pos++
	p.read += 3
	return p.pos
}

// The compiler reads variables after the calls behind them in the statement.
func (p *orderCursor) both() (int, int) { return p.pos, p.next() }

func (p *orderCursor) store(buf []int) { buf[p.pos+1] = p.next() }

func (p *orderCursor) sum() int { return (p.pos + 1) + p.next() }

func (p *orderCursor) less() (bool, int) { return p.pos < p.read, p.next() }

func (p *orderCursor) minus() (int, int) { return -p.pos, p.next() }

// What stands before && and || is evaluated before what stands behind.
func (p *orderCursor) steps() bool { return p.pos*2 < 9 && p.next() > 2 || p.pos+1 > 3 }

func CaseOrder(in int) string {
	p := &orderCursor{pos: in}
	buf := make([]int, 40)
	a, b := p.both()
	p.store(buf)
	c := p.sum()
	d, e := p.less()
	f, g := p.minus()
	return fmt.Sprint(a, b, buf, c, d, e, f, g, p.steps(), *p)
}
