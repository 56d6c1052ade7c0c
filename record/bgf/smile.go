package bgf

import (
	"errors"
	"fmt"
	"math"
)

// ErrSmile is wrapped by errors about a document that is not SMILE.
var ErrSmile = errors.New("bgf: the document is not SMILE")

// Limits of a document.
const (
	maxDepth   = 200
	maxString  = 1 << 20
	maxShared  = 1024
	maxValues  = 20 << 20 // values in a document
	maxInflate = 256 << 20
)

// A smile reads a SMILE document.
type smile struct {
	data         []byte
	at           int
	names        []string
	values       []string
	sharedNames  bool
	sharedValues bool
	count        int
}

var smileMagic = []byte(":)\n")

// decodeSmile returns the value of a document: nil, bool, int64, float64, string, []byte, []any or
// map[string]any. Big numbers are read as nil.
func decodeSmile(data []byte) (any, error) {
	if len(data) < 4 {
		return nil, fmt.Errorf("%w: it is too short", ErrSmile)
	}
	s := &smile{data: data, at: 4, sharedNames: data[3]&1 != 0, sharedValues: data[3]&2 != 0}
	return s.value(0)
}

func (s *smile) fail(what string) error { return fmt.Errorf("%w: %s at byte %d", ErrSmile, what, s.at) }

func (s *smile) byte() (byte, error) {
	if s.at >= len(s.data) {
		return 0, s.fail("it ends too early")
	}
	s.at++
	return s.data[s.at-1], nil
}

func (s *smile) take(n int) ([]byte, error) {
	if n < 0 || n > len(s.data)-s.at {
		return nil, s.fail("it ends too early")
	}
	s.at += n
	return s.data[s.at-n : s.at], nil
}

// vint reads an unsigned number: seven bits a byte, and six in the last, which has its top bit set.
func (s *smile) vint() (uint64, error) {
	var v uint64
	for range 11 {
		b, err := s.byte()
		if err != nil {
			return 0, err
		}
		if b&0x80 != 0 {
			return v<<6 | uint64(b&0x3f), nil
		}
		v = v<<7 | uint64(b)
	}
	return 0, s.fail("a number is too long")
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// long reads a text up to the byte FC.
func (s *smile) long() (string, error) {
	start := s.at
	for s.at < len(s.data) {
		if s.data[s.at] == 0xfc {
			s.at++
			return string(s.data[start : s.at-1]), nil
		}
		s.at++
		if s.at-start > maxString {
			return "", s.fail("a text is too long")
		}
	}
	return "", s.fail("it ends too early")
}

// short reads a text of n bytes and remembers it in shared, if that is wanted.
func (s *smile) short(n int, shared *[]string, remember bool) (string, error) {
	data, err := s.take(n)
	if err != nil {
		return "", err
	}
	text := string(data)
	if remember && n <= 64 {
		if len(*shared) == maxShared {
			*shared = (*shared)[:0]
		}
		*shared = append(*shared, text)
	}
	return text, nil
}

func (s *smile) back(shared []string, index int) (string, error) {
	if index >= len(shared) {
		return "", s.fail("a reference leads nowhere")
	}
	return shared[index], nil
}

// sevenBits reads n bytes of seven bits as one number, right-aligned.
func (s *smile) sevenBits(n int) (uint64, error) {
	data, err := s.take(n)
	if err != nil {
		return 0, err
	}
	var v uint64
	for _, b := range data {
		v = v<<7 | uint64(b&0x7f)
	}
	return v, nil
}

// packed skips n bytes that are packed in groups of seven bits.
func (s *smile) packed() error {
	n, err := s.vint()
	if err != nil {
		return err
	}
	if n > uint64(len(s.data)) {
		return s.fail("it ends too early")
	}
	_, err = s.take(int((n*8 + 6) / 7))
	return err
}

func (s *smile) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, s.fail("it is nested too deep")
	}
	if s.count++; s.count > maxValues {
		return nil, s.fail("it has too many values")
	}
	b, err := s.byte()
	if err != nil {
		return nil, err
	}
	switch {
	case 0x01 <= b && b <= 0x1f:
		return s.back(s.values, int(b)-1)
	case b == 0x20:
		return "", nil
	case b == 0x21:
		return nil, nil //nolint:nilnil // null
	case b == 0x22, b == 0x23:
		return b == 0x23, nil
	case b == 0x24, b == 0x25:
		v, err := s.vint()
		return zigzag(v), err
	case b == 0x26:
		return nil, s.packed()
	case b == 0x28:
		v, err := s.sevenBits(5)
		return float64(math.Float32frombits(uint32(v))), err
	case b == 0x29:
		v, err := s.sevenBits(10)
		return math.Float64frombits(v), err
	case b == 0x2a:
		if _, err := s.vint(); err != nil {
			return nil, err
		}
		return nil, s.packed()
	case 0x40 <= b && b <= 0x7f:
		n := int(b&31) + 1
		if b >= 0x60 {
			n += 32
		}
		return s.short(n, &s.values, s.sharedValues)
	case 0x80 <= b && b <= 0xbf:
		n := int(b&31) + 2
		if b >= 0xa0 {
			n += 32
		}
		return s.short(n, &s.values, s.sharedValues)
	case 0xc0 <= b && b <= 0xdf:
		return zigzag(uint64(b & 31)), nil
	}
	return s.structure(b, depth)
}

func (s *smile) structure(b byte, depth int) (any, error) {
	switch {
	case b == 0xe0, b == 0xe4:
		return s.long()
	case b == 0xe8:
		return nil, s.packed()
	case b == 0xfd:
		n, err := s.vint()
		if err != nil || n > uint64(len(s.data)) {
			return nil, s.fail("a length is wrong")
		}
		return s.take(int(n))
	case 0xec <= b && b <= 0xef:
		low, err := s.byte()
		if err != nil {
			return nil, err
		}
		return s.back(s.values, int(b&3)<<8+int(low))
	case b == 0xf8:
		return s.array(depth)
	case b == 0xfa:
		return s.object(depth)
	}
	return nil, s.fail(fmt.Sprintf("the byte %02x", b))
}

func (s *smile) array(depth int) (any, error) {
	list := []any{}
	for {
		if s.at < len(s.data) && s.data[s.at] == 0xf9 {
			s.at++
			return list, nil
		}
		v, err := s.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
}

func (s *smile) object(depth int) (any, error) {
	fields := map[string]any{}
	for {
		name, end, err := s.name()
		if err != nil {
			return nil, err
		}
		if end {
			return fields, nil
		}
		if fields[name], err = s.value(depth + 1); err != nil {
			return nil, err
		}
	}
}

// name reads the name of a field, or the end of the object.
func (s *smile) name() (name string, end bool, err error) {
	b, err := s.byte()
	if err != nil {
		return "", false, err
	}
	switch {
	case b == 0xfb:
		return "", true, nil
	case b == 0x20:
		return "", false, nil
	case 0x30 <= b && b <= 0x33:
		low, err := s.byte()
		if err != nil {
			return "", false, err
		}
		name, err = s.back(s.names, int(b&3)<<8+int(low))
		return name, false, err
	case b == 0x34:
		name, err = s.long()
	case 0x40 <= b && b <= 0x7f:
		name, err = s.back(s.names, int(b&63))
	case 0x80 <= b && b <= 0xbf:
		name, err = s.short(int(b&63)+1, &s.names, s.sharedNames)
	case 0xc0 <= b && b <= 0xf7:
		name, err = s.short(int(b&63)+2, &s.names, s.sharedNames)
	default:
		err = s.fail(fmt.Sprintf("the byte %02x where a name is wanted", b))
	}
	return name, false, err
}
