package uuid

import (
	"testing"

	"github.com/google/uuid"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"f47ac10b-58cc-0372-8567-0e02b2c3d479",
		"F47AC10B-58CC-4372-8567-0E02B2C3D479",
		"urn:uuid:f47ac10b-58cc-4372-8567-0e02b2c3d479",
		"URN:UUID:f47ac10b-58cc-4372-8567-0e02b2c3d479",
		"{f47ac10b-58cc-4372-8567-0e02b2c3d479}",
		"f47ac10b58cc437285670e02b2c3d479",
		"00000000-0000-0000-0000-000000000000",
		"ffffffff-ffff-ffff-ffff-ffffffffffff",
		"7d444840-9dc0-11d1-b245-5ffdce74fad2",
		"000001f5-5e9a-21ea-9e00-0242ac130003",
		"6ba7b810-9dad-31d1-80b4-00c04fd430c8",
		"1ec9414c-232a-6b00-b3c8-9f6bdeced846",
		"017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
		"f47ac10b-58cc-4372-c567-0e02b2c3d479",
		"f47ac10b-58cc-4372-e567-0e02b2c3d479",
		"f47ac10b-58cc-4372-0567-0e02b2c3d47z",
		"f47ac10b_58cc-4372-8567-0e02b2c3d479",
		"urn:oid:f47ac10b-58cc-4372-8567-0e02b2c3d479",
		"f47ac10b-58cc",
		"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := uuid.Parse(s)
		if fromBytes, errBytes := uuid.ParseBytes([]byte(s)); fromBytes != id || (errBytes == nil) != (err == nil) {
			t.Errorf("ParseBytes: %v, %v; Parse: %v, %v", fromBytes, errBytes, id, err)
		}
		if uuid.Validate(s) == nil && err != nil {
			t.Errorf("Validate accepts %q, Parse: %v", s, err)
		}
		if err != nil {
			t.Skip(err)
		}
		for _, form := range []string{id.String(), id.URN(), "{" + id.String() + "}"} {
			if again, err := uuid.Parse(form); err != nil || again != id {
				t.Errorf("%q parses as %v, %v", form, again, err)
			}
		}
		checkFields(t, id)
		checkMarshal(t, id)
	})
}

// checkFields looks at the parts of id that any version has.
func checkFields(t *testing.T, id uuid.UUID) {
	t.Helper()
	if seq := id.ClockSequence(); seq < 0 || seq > 0x3fff {
		t.Errorf("clock sequence %d", seq)
	}
	if n := len(id.NodeID()); n != 6 {
		t.Errorf("node ID of %d bytes", n)
	}
	if id.Version() > 15 {
		t.Errorf("version %v", id.Version())
	}
	_, _ = id.Time().UnixTime()
	_, _, _ = id.Variant().String(), id.Domain().String(), id.ID()
}

// checkMarshal sends id through each encoding and back.
func checkMarshal(t *testing.T, id uuid.UUID) {
	t.Helper()
	var text, binary, scanned uuid.UUID
	b, err := id.MarshalText()
	if err != nil || text.UnmarshalText(b) != nil || text != id {
		t.Errorf("text %q becomes %v, %v", b, text, err)
	}
	b, err = id.MarshalBinary()
	if err != nil || binary.UnmarshalBinary(b) != nil || binary != id {
		t.Errorf("binary %x becomes %v, %v", b, binary, err)
	}
	v, err := id.Value()
	if err != nil || scanned.Scan(v) != nil || scanned != id {
		t.Errorf("value %v becomes %v, %v", v, scanned, err)
	}
	if a, b := uuid.NewSHA1(id, []byte("x")), uuid.NewMD5(id, []byte("x")); a.Version() != 5 || b.Version() != 3 {
		t.Errorf("versions %v and %v", a.Version(), b.Version())
	}
}
