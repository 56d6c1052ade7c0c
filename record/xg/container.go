package xg

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// Errors of files that are no .xg at all, or are damaged.
var (
	ErrNotXG     = errors.New("xg: the file does not begin with RGMH")
	ErrTruncated = errors.New("xg: the file ends too early")
	ErrChecksum  = errors.New("xg: a checksum is wrong, the file is damaged")
	ErrDamaged   = errors.New("xg: the archive is damaged")
)

// Sizes and limits of the container.
const (
	headerSize   = 8232
	trailerSize  = 36
	registrySize = 532 // of one file
	maxFiles     = 64
	maxInflated  = 256 << 20
)

// unpack returns the files of the archive by their names in lower case.
func unpack(data []byte) (map[string][]byte, error) {
	if len(data) < 4 || string(data[:4]) != "RGMH" {
		return nil, ErrNotXG
	}
	if len(data) < headerSize+trailerSize {
		return nil, fmt.Errorf("%w: %d bytes", ErrTruncated, len(data))
	}
	trailer := data[len(data)-trailerSize:]
	field := func(at int) int64 { return int64(int32(binary.LittleEndian.Uint32(trailer[at:]))) }
	count, registryLen, dataLen := field(4), field(12), field(16)
	start := int64(len(data)) - trailerSize - registryLen - dataLen
	if registryLen < 0 || dataLen < 0 || start < headerSize {
		return nil, fmt.Errorf("%w or is damaged: no archive at its end", ErrTruncated)
	}
	if count < 1 || count > maxFiles {
		return nil, fmt.Errorf("%w: %d files", ErrDamaged, count)
	}
	body := data[start : int64(len(data))-trailerSize]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(trailer) {
		return nil, fmt.Errorf("%w: of the archive", ErrChecksum)
	}
	registry := body[dataLen:]
	if field(20) == 1 {
		var err error
		if registry, err = inflate(registry, count*registrySize); err != nil {
			return nil, fmt.Errorf("registry: %w", err)
		}
	}
	if int64(len(registry)) < count*registrySize {
		return nil, fmt.Errorf("%w: the registry is too short", ErrDamaged)
	}
	files := map[string][]byte{}
	total := int64(0)
	for i := range count {
		entry := registry[i*registrySize : (i+1)*registrySize]
		name, content, err := unpackFile(entry, body[:dataLen])
		if err != nil {
			return nil, fmt.Errorf("file %q: %w", name, err)
		}
		if total += int64(len(content)); total > maxInflated {
			return nil, fmt.Errorf("%w: more than %d MiB", ErrDamaged, maxInflated>>20)
		}
		files[strings.ToLower(name)] = content
	}
	return files, nil
}

func unpackFile(entry, data []byte) (name string, content []byte, err error) {
	name = rec(entry).short(0, 255)
	field := func(at int) int64 { return int64(int32(binary.LittleEndian.Uint32(entry[at:]))) }
	size, stored, offset := field(512), field(516), field(520)
	if size < 0 || size > maxInflated || stored < 0 || offset < 0 || offset+stored > int64(len(data)) {
		return name, nil, fmt.Errorf("%w: it lies outside of the archive", ErrDamaged)
	}
	content = data[offset : offset+stored]
	if entry[528] == 0 {
		if content, err = inflate(content, size); err != nil {
			return name, nil, err
		}
	}
	if crc32.ChecksumIEEE(content) != binary.LittleEndian.Uint32(entry[524:]) {
		return name, nil, ErrChecksum
	}
	return name, content, nil
}

// inflate returns the content of a zlib stream, which has the given size.
func inflate(stream []byte, size int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(stream))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer z.Close()
	content, err := io.ReadAll(io.LimitReader(z, size+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if int64(len(content)) != size {
		return nil, fmt.Errorf("%w: %d bytes where %d are announced", ErrDamaged, len(content), size)
	}
	return content, nil
}
