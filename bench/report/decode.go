package report

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf16"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// decode returns a text in UTF-8 with Go's ends of lines: PowerShell writes UTF-16. From the events of "go test -json" it
// takes the output, package by package.
func decode(content []byte) []byte {
	if order := (map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian,
		"\xfe\xff": binary.BigEndian})[string(content[:min(2, len(content))])]; order != nil {
		units := make([]uint16, len(content)/2)
		for i := range units {
			units[i] = order.Uint16(content[2*i:])
		}
		content = []byte(string(utf16.Decode(units)))
	}
	content = bytes.ReplaceAll(content, []byte("\ufeff"), nil)
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	if !eventLine().Match(content) {
		return colour().ReplaceAll(content, nil)
	}
	type event struct{ Action, Package, Test, Output string }
	var events []event
	for line := range bytes.Lines(content) {
		e := event{Output: string(line)} // as of the go command itself
		if eventLine().Match(line) {
			e = event{}
			_ = json.Unmarshal(line, &e) // half an event has no output
		}
		if e.Action == "fail" { // perhaps without a text
			e.Output = "\n" + map[bool]string{true: "FAIL\t" + e.Package, false: "--- FAIL: " + e.Test}[e.Test == ""] + "\n"
		}
		events = append(events, e)
	}
	var out bytes.Buffer
	for _, of := range text.Groups(events, func(e event) string { return e.Package }) {
		for _, e := range of {
			out.WriteString(e.Output)
		}
	}
	return colour().ReplaceAll(out.Bytes(), nil)
}

var (
	eventLine = text.Regexp(`(?m)^\{ ?"(?:Time|Action|Package|ImportPath|Test|Elapsed|Output)": ?["0-9]`)
	colour    = text.Regexp(`\x1b\[[0-9;]*[A-Za-z]`)
	wideText  = text.Regexp(`(?:[ -~]\x00){4}|(?:\x00[ -~]){4}`)

	runLine = text.Regexp(`(?m)^` + RunComment)
	sumLine = text.Regexp(`(?m)^# sha256 [0-9a-f]*\n?`)
)

// checkSums compares the checksum at each run's end with its lines. Git may have changed the ends of all lines.
func checkSums(content []byte) error {
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	sums := sumLine().FindAllIndex(content, -1)
	if len(runLine().FindAll(content, -1)) > len(sums) {
		return errors.New("missing checksum in the last line: the file is truncated")
	}
	begin := 0
	for _, at := range sums {
		if strings.TrimSpace(string(content[at[0]:at[1]])) != strings.TrimSpace(Checksum(content[begin:at[0]])) {
			return errors.New("checksum mismatch: the file was edited or damaged")
		}
		begin = at[1]
	}
	return nil
}
