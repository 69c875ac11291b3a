package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
)

// universal puts programs of macOS for several processors into one file, from which
// the system takes what it needs. Each part stays as it is, with its signature:
//
//	0xcafebabe, number of parts, for each: processor, its kind, offset, size, alignment
//	padding, part, padding, part
//
// All numbers of the header are big-endian.
func universal(paths ...string) ([]byte, error) {
	const align = 14 // as a power of two: the pages of arm64
	var parts [][]byte
	header := new(bytes.Buffer)
	put := func(numbers ...uint32) {
		for _, n := range numbers {
			_ = binary.Write(header, binary.BigEndian, n) // a buffer does not fail
		}
	}
	put(0xcafebabe, uint32(len(paths)))
	offset := 1 << align
	for _, path := range paths {
		part, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if len(part) < 12 || binary.LittleEndian.Uint32(part) != 0xfeedfacf {
			return nil, fmt.Errorf("%s is not a program of macOS", path)
		}
		put(binary.LittleEndian.Uint32(part[4:]), binary.LittleEndian.Uint32(part[8:]), uint32(offset), uint32(len(part)), align)
		parts = append(parts, part)
		offset = roundUp(offset+len(part), 1<<align)
	}
	out := header.Bytes()
	for _, part := range parts {
		out = append(out, make([]byte, roundUp(len(out), 1<<align)-len(out))...)
		out = append(out, part...)
	}
	return out, nil
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
