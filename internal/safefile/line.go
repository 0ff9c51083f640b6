package safefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// checkedLine is a line of a file that shows damage: data with a checksum.
type checkedLine struct {
	CRC  string          `json:"crc"` // CRC-32C of the bytes of data, as 8 hexadecimal digits
	Data json.RawMessage `json:"data"`
}

// ErrLine reports a line that is incomplete, damaged, or of another form.
var ErrLine = errors.New("incomplete or damaged line")

// MarshalLine returns some data as a line {"crc":"xxxxxxxx","data":...} with their checksum.
func MarshalLine(data any) ([]byte, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(checkedLine{lineSum(text), text})
	return append(line, '\n'), err
}

// UnmarshalLine returns the data of a line of [MarshalLine], or [ErrLine].
func UnmarshalLine(line []byte) (json.RawMessage, error) {
	var l checkedLine
	if len(line) == 0 || line[len(line)-1] != '\n' || json.Unmarshal(line, &l) != nil || lineSum(l.Data) != l.CRC {
		return nil, ErrLine
	}
	return l.Data, nil
}

func lineSum(data []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}
