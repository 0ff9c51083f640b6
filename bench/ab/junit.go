package ab

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// suiteXML is a report in JUnit's XML for CI servers: a test for each row, a failure for each
// slower row, and a skipped test for each undecided row.
type suiteXML struct {
	XMLName  xml.Name  `xml:"testsuite"`
	Name     string    `xml:"name,attr"`
	Tests    int       `xml:"tests,attr"`
	Failures int       `xml:"failures,attr"`
	Skipped  int       `xml:"skipped,attr"`
	Time     float64   `xml:"time,attr"`
	Cases    []caseXML `xml:"testcase"`
	Output   string    `xml:"system-out"`
}

type caseXML struct {
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	Failure *messageXML `xml:"failure,omitempty"`
	Skipped *messageXML `xml:"skipped,omitempty"`
}

type messageXML struct {
	Message string `xml:"message,attr"`
}

// writeJUnit writes the report as JUnit's XML.
func (r *Report) writeJUnit(w io.Writer) error {
	s := suiteXML{Name: r.Title(), Time: r.Seconds, Output: r.Summary() + "\n" + r.Provenance()}
	for _, row := range r.Rows {
		c := caseXML{Class: row.Unit, Name: row.Name}
		message := &messageXML{fmt.Sprintf("%s: %s ± %s %s", row.Verdict, percent(row.Delta), row.margin(), row.Reason)}
		switch row.Verdict {
		case verdict.Slower:
			c.Failure = message
			s.Failures++
		case verdict.Undecided, verdict.Missing, verdict.Advisory:
			c.Skipped = message
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	for _, p := range r.inState(Failed) {
		s.Cases = append(s.Cases, caseXML{Class: "build", Name: p.Path, Failure: &messageXML{p.Error}})
		s.Failures++
	}
	s.Tests = len(s.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(s); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}
