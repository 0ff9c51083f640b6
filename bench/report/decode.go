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
// takes the output, package by package, and from the log of a workflow the lines without their times.
func decode(content []byte) []byte {
	if order := byteOrder(content); order != nil {
		units := make([]uint16, len(content)/2)
		for i := range units {
			units[i] = order.Uint16(content[2*i:])
		}
		content = []byte(string(utf16.Decode(units)))
	}
	content = bytes.ReplaceAll(content, []byte("\ufeff"), nil)
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	if !bytes.Contains(content, []byte("\n")) {
		content = bytes.ReplaceAll(content, []byte("\r"), []byte("\n"))
	}
	content = bytes.ReplaceAll(content, []byte("\rBenchmark"), []byte("\nBenchmark")) // behind a bar of progress
	content = withoutTimes(content)
	if !eventLine().Match(content) {
		return colour().ReplaceAll(content, nil)
	}
	type event struct{ Action, Package, ImportPath, Test, Output string }
	var events []event
	for line := range bytes.Lines(content) {
		e := event{Output: string(line)} // as of the go command itself
		if eventLine().Match(line) {
			e = event{}
			_ = json.Unmarshal(line, &e) // half an event has no output
		}
		if e.Action == "build-fail" {
			e.Action, e.Package = "fail", e.ImportPath
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

// byteOrder returns that of a text in UTF-16, which begins with its mark, or has names of benchmarks in UTF-16 only. It is
// nil for others.
func byteOrder(content []byte) binary.ByteOrder {
	at := bytes.Index(content, []byte("B\x00e\x00n\x00c\x00h\x00m"))
	isWide := at >= 0 && !bytes.Contains(content, []byte("Benchmark"))
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")), isWide && at%2 == 0:
		return binary.LittleEndian
	case bytes.HasPrefix(content, []byte("\xfe\xff")), isWide:
		return binary.BigEndian
	}
	return nil
}

// withoutTimes returns the lines of a workflow's log, all of which begin with their time.
func withoutTimes(content []byte) []byte {
	if at := lineTime().FindIndex(content); at == nil || at[0] > 0 ||
		len(lineTime().FindAllIndex(content, -1)) < len(textLine().FindAllIndex(content, -1)) {
		return content
	}
	return lineTime().ReplaceAll(content, nil)
}

var (
	lineTime  = text.Regexp(`(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?`)
	textLine  = text.Regexp(`(?m)^.*\S`)
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
