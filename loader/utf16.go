package loader

import (
	"encoding/binary"
	"unicode/utf16"
)

// decodeUTF16 decodes src when a byte order mark says that it is UTF-16.
func decodeUTF16(src []byte) ([]byte, bool) {
	if len(src) < 2 {
		return nil, false
	}
	var order binary.ByteOrder
	switch {
	case src[0] == 0xFF && src[1] == 0xFE:
		order = binary.LittleEndian
	case src[0] == 0xFE && src[1] == 0xFF:
		order = binary.BigEndian
	default:
		return nil, false
	}
	units := make([]uint16, 0, len(src)/2)
	for i := 2; i+1 < len(src); i += 2 {
		units = append(units, order.Uint16(src[i:]))
	}
	return []byte(string(utf16.Decode(units))), true
}

// utf16 reports a UTF-16 file that would have been checked. Offsets in its text are not those of the file, so nothing in
// it could be fixed; and most Kubernetes tools refuse it.
func (p *parser) utf16(decoded []byte) {
	relevant := false
	for _, d := range split(decoded) {
		h := peek(d, p.opt.Keys)
		relevant = relevant || h.hasAPIVersion && h.hasKind || h.wanted ||
			h.shape == flowMap && p.mentions(d.text)
	}
	if !relevant {
		p.skips = []Skip{{File: p.file.Name, Reason: reasonOther}}
		return
	}
	p.file.Source = decoded // what can be shown
	p.file.locate(nil)
	p.file.Problems = []Problem{{Span: p.file.spanAt(0, 0), Message: "the file is UTF-16: save it as UTF-8", Lost: true}}
}
