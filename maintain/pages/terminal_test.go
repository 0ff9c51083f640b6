package main

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func TestTerminal(t *testing.T) {
	got := string(drawTerminal(`a "screen"`, "\x1b[1;38;2;10;20;30;48;2;1;2;3mA  <B\x1b[m c\n\x1b[92m○\x1b[0m\n", 10))
	for _, want := range []string{
		`<rect x="14.0" y="14" width="42.3" height="18.3" fill="rgb(1,2,3)"/>`,
		`<text x="14.0" y="28" textLength="8.4" lengthAdjust="spacingAndGlyphs" fill="rgb(10,20,30)" font-weight="bold">A</text>`,
		`<text x="39.2" y="28" textLength="16.8" lengthAdjust="spacingAndGlyphs" fill="rgb(10,20,30)" font-weight="bold">&lt;B</text>`,
		`<text x="64.4" y="28" textLength="8.4" lengthAdjust="spacingAndGlyphs">c</text>`,
		`fill="#b5e890">○</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	for decoder := xml.NewDecoder(strings.NewReader(got)); ; {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
