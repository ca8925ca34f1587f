package layout

import "fmt"

// Layout v2 is that of package input in the branch of go-118-fuzz-build from which OSS-Fuzz
// builds go-118-fuzz-build_v2. The arguments of fixed size come first, in the order of the
// parameters, the highest byte of each first. A byte for each string and []byte follows, its
// weight, and then their bytes: each has a part of what is left in proportion to its weight,
// rounded down, and the last one has the rest. What is missing at the end is zero.

// decodeV2 makes values.
func decodeV2(data []byte, types []string) ([]any, error) {
	values := make([]any, len(types))
	var texts []int // parameters
	for i, typ := range types {
		size, fixed := sizes[typ]
		if !fixed {
			if fromText(nil, typ) == nil {
				return nil, errType(typ)
			}
			texts = append(texts, i)
			continue
		}
		var bits uint64
		if bits, data = cut(data, size); typ == "bool" {
			bits &= 1
		}
		values[i] = valueOf(bits, typ)
	}
	weights := make([]byte, len(texts))
	data = data[copy(weights, data):]
	lengths := parts(len(data), weights)
	for i, param := range texts {
		values[param] = fromText(data[:lengths[i]], types[param])
		data = data[lengths[i]:]
	}
	return values, nil
}

// cut takes a number off the data. Bytes that are missing are zero.
func cut(data []byte, size int) (bits uint64, rest []byte) {
	var all [8]byte
	n := copy(all[:size], data)
	return readBits(all[:size]), data[n:]
}

// parts says how many of total bytes each text has.
func parts(total int, weights []byte) []int {
	lengths, sum, left := make([]int, len(weights)), 0, total
	for _, w := range weights {
		sum += int(w)
	}
	for i, w := range weights {
		switch {
		case i == len(weights)-1:
			lengths[i] = left
		case sum > 0:
			lengths[i] = total * int(w) / sum
		default:
			lengths[i] = total / len(weights)
		}
		left -= lengths[i]
	}
	return lengths
}

// encodeV2 makes bytes of values.
func encodeV2(values []any) (data []byte, err error) {
	var texts []byte
	var lengths []int
	for _, v := range values {
		if text, ok := textOf(v); ok {
			texts, lengths = append(texts, text...), append(lengths, len(text))
			continue
		}
		bits, size, fixed := bitsOf(v)
		if !fixed {
			return nil, errType(fmt.Sprintf("%T", v))
		}
		data = appendBits(data, bits, size)
	}
	weights, ok := weigh(lengths)
	if !ok {
		return nil, fmt.Errorf("no weights of a byte each split %d bytes into lengths %v", len(texts), lengths)
	}
	return append(append(data, weights...), texts...), nil
}

// most is the largest weight.
const most = 255

// weigh finds weights that give texts their lengths, with the smallest sum; ok is false if
// there are none.
func weigh(lengths []int) (weights []byte, ok bool) {
	total, fit := 0, true
	for _, n := range lengths {
		total += n
		fit = fit && n <= most
	}
	if fit { // then each length is its weight
		for _, n := range lengths {
			weights = append(weights, byte(n))
		}
		return weights, true
	}
	for sum := 1; sum <= most*len(lengths); sum++ {
		if weights, ok := weighTo(lengths, total, sum); ok {
			return weights, true
		}
	}
	return nil, false
}

// weighTo is weigh for weights of a given sum. A text of n of total bytes has that length for
// the weights w with n <= total*w/sum < n+1; the last one has what the others leave.
func weighTo(lengths []int, total, sum int) (weights []byte, ok bool) {
	last := len(lengths) - 1
	left := sum // for those after
	slack := 0  // by which the weights chosen so far could be larger
	room := make([]int, last)
	for i, n := range lengths[:last] {
		low := (n*sum + total - 1) / total
		high := min(((n+1)*sum-1)/total, most)
		if low > high {
			return nil, false
		}
		weights = append(weights, byte(low))
		room[i] = high - low
		left, slack = left-low, slack+high-low
	}
	over := max(left-most, 0) // more than the last one can have
	if left < 0 || over > slack {
		return nil, false
	}
	weights = append(weights, byte(left-over))
	for i := range room {
		more := min(over, room[i])
		weights[i], over = weights[i]+byte(more), over-more
	}
	return weights, true
}
