package havoc

import "slices"

// Limits of byte slices that are records.
const (
	recordsMost = 64 // of what a change makes longer
	// recordZero is the byte of a record that stands for 0, and recordLast the one of the
	// first number that is counted from the end of something.
	recordZero = '0'
	recordLast = recordZero + 192
)

// records applies a stack of changes to m.buf that keep its records whole: what changes of bytes
// insert or remove has all records after it read as others.
func (m *Mutator) records() {
	for n := m.stack(); n > 0; n-- {
		recordChanges[m.r.Intn(len(recordChanges))](m)
	}
}

// recordChanges are drawn alike. Each but the first needs a record, and inserts one if there is none.
var recordChanges = [...]func(m *Mutator){
	(*Mutator).insertRecord,
	(*Mutator).insertRecord,
	(*Mutator).repeatRecord,
	(*Mutator).removeRecords,
	(*Mutator).removeRecords,
	(*Mutator).otherFirst,
	(*Mutator).otherFirst,
	(*Mutator).otherRest,
	(*Mutator).otherRest,
	(*Mutator).otherRest,
	(*Mutator).moveRecord,
	(*Mutator).recordsOfOther,
	(*Mutator).endOfOther,
}

// count is the number of whole records.
func (m *Mutator) count() int { return len(m.buf) / m.record }

// at draws a record; false: there is none, and one was inserted.
func (m *Mutator) at() (int, bool) {
	n := m.count()
	if n == 0 {
		m.insertRecord()
		return 0, false
	}
	return m.r.Intn(n) * m.record, true
}

// insertRecord inserts a record with any first byte and small numbers after it.
func (m *Mutator) insertRecord() {
	rec := make([]byte, m.record)
	rec[0] = byte(m.r.Uint64())
	for i := range rec[1:] {
		rec[i+1] = m.number(recordZero)
	}
	m.put(m.r.Intn(m.count()+1)*m.record, rec)
}

// put inserts records, as far as there is room.
func (m *Mutator) put(at int, list []byte) {
	room := min(m.maxLen/m.record, recordsMost) - m.count()
	if n := len(list) / m.record; n < room {
		room = n
	}
	if room > 0 {
		m.buf = slices.Insert(m.buf, at, list[:room*m.record]...)
	}
}

// number draws a byte in place of another: 0 and what is near it are likelier.
func (m *Mutator) number(was byte) byte {
	switch u := m.r.Uint64(); u & 7 {
	case 0, 1:
		return recordZero
	case 2, 3, 4:
		return recordZero + byte(u>>3&7)
	case 5:
		return was + 1 - byte(u>>3&1)*2
	case 6:
		return recordLast + byte(u>>3&3)
	default:
		return byte(u >> 3)
	}
}

// repeatRecord inserts a copy of a record at any place.
func (m *Mutator) repeatRecord() {
	if from, ok := m.at(); ok {
		m.put(m.r.Intn(m.count()+1)*m.record, slices.Clone(m.buf[from:from+m.record]))
	}
}

// removeRecords removes up to three records, but not the last one.
func (m *Mutator) removeRecords() {
	if from, ok := m.at(); ok && m.count() > 1 {
		n := min(1+m.r.Intn(3), m.count()-1, (len(m.buf)-from)/m.record)
		m.buf = slices.Delete(m.buf, from, from+n*m.record)
	}
}

// otherFirst gives a record another first byte, at times one near it.
func (m *Mutator) otherFirst() {
	if from, ok := m.at(); ok {
		if u := m.r.Uint64(); u&1 == 0 {
			m.buf[from] += byte(u>>1&15) - 8
		} else {
			m.buf[from] = byte(u >> 1)
		}
	}
}

// otherRest changes one further byte of a record.
func (m *Mutator) otherRest() {
	if from, ok := m.at(); ok && m.record > 1 {
		i := from + 1 + m.r.Intn(m.record-1)
		m.buf[i] = m.number(m.buf[i])
	}
}

// moveRecord puts a record at another place.
func (m *Mutator) moveRecord() {
	if from, ok := m.at(); ok {
		rec := slices.Clone(m.buf[from : from+m.record])
		m.buf = slices.Delete(m.buf, from, from+m.record)
		m.put(m.r.Intn(m.count()+1)*m.record, rec)
	}
}

// recordsOfOther inserts records of another input.
func (m *Mutator) recordsOfOther() {
	n := m.donate.length() / m.record
	if n == 0 {
		m.insertRecord()
		return
	}
	from := m.r.Intn(n)
	to := min(n, from+1+m.r.Intn(4))
	m.put(m.r.Intn(m.count()+1)*m.record, slices.Clone(m.donate.slice(m, from*m.record, to*m.record)))
}

// endOfOther goes on, from some record, with the end of another input.
func (m *Mutator) endOfOther() {
	n := m.donate.length() / m.record
	if n == 0 {
		m.insertRecord()
		return
	}
	m.buf = m.buf[:m.r.Intn(m.count()+1)*m.record]
	from := m.r.Intn(n)
	m.put(len(m.buf), slices.Clone(m.donate.slice(m, from*m.record, n*m.record)))
}
