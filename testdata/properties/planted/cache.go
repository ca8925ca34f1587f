package planted

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// The bugs of a Cache.
const (
	CachePutKeepsAge  = 1 + iota // to put a key that is there does not make it the newest
	CacheResizeNewest            // to make the cache smaller by several entries removes the newest of them
	CacheRemoveOldest            // to remove the oldest of at least four leaves it where the next one is removed for it
)

// Cache keeps the entries that were used last.
type Cache struct {
	bug            int
	most           int
	entries        map[int]*entry
	newest, oldest *entry
	stale          *entry

	model []pair // the newest first
}

type entry struct {
	pair
	newer, older *entry
}

type pair struct{ key, value int }

// NewCache returns an empty Cache for four entries, with a bug.
func NewCache(bug int) *Cache { return &Cache{bug: bug, most: 4, entries: make(map[int]*entry)} }

func (c *Cache) unlink(e *entry) {
	if e.newer != nil {
		e.newer.older = e.older
	} else {
		c.newest = e.older
	}
	if e.older != nil {
		e.older.newer = e.newer
	} else {
		c.oldest = e.newer
	}
	e.newer, e.older = nil, nil
}

func (c *Cache) link(e *entry) {
	if e.older = c.newest; e.older != nil {
		e.older.newer = e
	} else {
		c.oldest = e
	}
	c.newest = e
}

func (c *Cache) drop(e *entry) {
	c.unlink(e)
	delete(c.entries, e.key)
}

func (c *Cache) evict() {
	for len(c.entries) > c.most {
		if c.stale != nil {
			c.stale = nil
			c.drop(c.newest)
			continue
		}
		c.drop(c.oldest)
	}
}

// Put and the other operations say whether the model did the same.
func (c *Cache) Put(key, value int) hunt.Outcome {
	e := c.entries[key]
	switch {
	case e == nil:
		e = &entry{pair: pair{key, value}}
		c.entries[key] = e
		c.link(e)
	case c.bug != CachePutKeepsAge:
		c.unlink(e)
		c.link(e)
	}
	e.value = value
	c.evict()
	c.model = slices.DeleteFunc(c.model, func(p pair) bool { return p.key == key })
	c.model = slices.Insert(c.model, 0, pair{key, value})
	c.model = c.model[:min(len(c.model), c.most)]
	return c.outcome()
}

// Get uses an entry.
func (c *Cache) Get(key int) hunt.Outcome {
	e := c.entries[key]
	at := slices.IndexFunc(c.model, func(p pair) bool { return p.key == key })
	if (e == nil) != (at < 0) || e != nil && e.value != c.model[at].value {
		return hunt.Failed
	}
	if e != nil {
		c.unlink(e)
		c.link(e)
		p := c.model[at]
		c.model = slices.Insert(slices.Delete(c.model, at, at+1), 0, p)
	}
	return hunt.Passed
}

// Remove removes an entry.
func (c *Cache) Remove(key int) hunt.Outcome {
	if e := c.entries[key]; e != nil {
		if c.bug == CacheRemoveOldest && e == c.oldest && len(c.entries) > 3 {
			c.stale = e
		}
		c.drop(e)
	}
	c.model = slices.DeleteFunc(c.model, func(p pair) bool { return p.key == key })
	return c.outcome()
}

// Resize makes the cache one for 1 to 8 entries.
func (c *Cache) Resize(n uint8) hunt.Outcome {
	c.most = 1 + int(n%8)
	if c.bug == CacheResizeNewest && len(c.entries) > c.most+2 {
		c.drop(c.newest)
	}
	c.evict()
	c.model = c.model[:min(len(c.model), c.most)]
	return c.outcome()
}

func (c *Cache) outcome() hunt.Outcome {
	if len(c.entries) != len(c.model) {
		return hunt.Failed
	}
	for _, p := range c.model {
		if e := c.entries[p.key]; e == nil || e.value != p.value {
			return hunt.Failed
		}
	}
	return hunt.Passed
}

// CacheOp is an operation as a value.
type CacheOp struct {
	Kind       uint8 `fuzz:"max=3"`
	Key, Value int
}

// Caches tests operations on an empty Cache.
func Caches(bug int) func(*[]CacheOp) hunt.Outcome {
	return func(ops *[]CacheOp) hunt.Outcome {
		c := NewCache(bug)
		for _, op := range *ops {
			if c.do(op) == hunt.Failed {
				return hunt.Failed
			}
		}
		return hunt.Passed
	}
}

func (c *Cache) do(op CacheOp) hunt.Outcome {
	switch op.Kind % 4 {
	case 0:
		return c.Put(op.Key, op.Value)
	case 1:
		return c.Get(op.Key)
	case 2:
		return c.Remove(op.Key)
	}
	return c.Resize(uint8(op.Key))
}
