package wire

// A Feature is something that coverage tells inputs apart by: a block together with a
// range of how often it was executed, its bucket.
type Feature uint32

// Buckets is the number of buckets of a block.
const Buckets = 1 << bucketBits

const bucketBits = 3

// FeatureOf returns the feature of a block, which is the number of its counter, and a
// bucket below Buckets.
func FeatureOf(block uint32, bucket int) Feature { return Feature(block<<bucketBits | uint32(bucket)) }

// Block returns the number of the block, in the order of instrument.Program.Blocks.
func (f Feature) Block() int { return int(f >> bucketBits) }

// Bucket returns the number of the bucket: the more often the block was executed, the
// higher.
func (f Feature) Bucket() int { return int(f & (Buckets - 1)) }

// Features are mostly ascending. On the wire they are as IDs are.
type Features []Feature

// MarshalText implements encoding.TextMarshaler.
func (l Features) MarshalText() ([]byte, error) { return marshalSteps(l), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Features) UnmarshalText(text []byte) (err error) {
	*l, err = unmarshalSteps[Feature](text)
	return err
}
