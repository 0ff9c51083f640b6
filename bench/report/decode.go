package report

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// decode returns a text in UTF-8 with Go's ends of lines: PowerShell writes UTF-16. From the events of "go test -json" it
// takes the output, package by package, and from the log of a workflow or a container the lines without their prefix.
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
	content = withoutPrefix(colour().ReplaceAll(content, nil))
	if !eventLine().Match(content) {
		return content
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

// withoutPrefix returns the lines without the text in front of all of them, such as the time in the log of a workflow or the
// name of a container. Its digits may differ from line to line.
func withoutPrefix(content []byte) []byte {
	found := beginning().FindSubmatch(content)
	if found == nil || len(found[1]) == 0 {
		return content
	}
	prefix := regexp.QuoteMeta(string(found[1]))
	words := strings.TrimRight(prefix, " \t")
	line, err := regexp.Compile(`(?m)^` + digits().ReplaceAllString(words, `\d+`) + `(?:` + prefix[len(words):] + `|[ \t]*$)`)
	if err != nil || len(line.FindAllIndex(content, -1)) < len(textLine().FindAllIndex(content, -1)) {
		return content
	}
	return line.ReplaceAll(content, nil)
}

var (
	// beginning matches the first line of benchmarks, with the text in front of it.
	beginning = text.Regexp(`(?m)^(.*?)(?:(?:goos|pkg): \S+\s*$|Benchmark\S*\s+\d+\s|` + eventStart + `)`)
	digits    = text.Regexp(`\d+`)
	textLine  = text.Regexp(`(?m)^.*\S`)
	eventLine = text.Regexp(`(?m)^` + eventStart)
	colour    = text.Regexp(`\x1b\[[0-9;]*[A-Za-z]`)
	wideText  = text.Regexp(`(?:[ -~]\x00){4}|(?:\x00[ -~]){4}`)

	runLine = text.Regexp(`(?m)^` + RunComment)
	sumLine = text.Regexp(`(?m)^# sha256 [0-9a-f]*\n?`)
)

// eventStart matches the beginning of an event of "go test -json".
const eventStart = `\{ ?"(?:Time|Action|Package|ImportPath|Test|Elapsed|Output)": ?["0-9]`

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
