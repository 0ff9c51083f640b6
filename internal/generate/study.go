package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/seed-09dcdc84/ur/train"
)

// readStudy reads the results of a study.
func readStudy(name string) ([]train.StudyResult, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var study train.Study
	if err := json.Unmarshal(first, &study); err != nil {
		return nil, fmt.Errorf("%s: line 1: %w", name, err)
	}
	results, _, err := study.ReadResults(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return results, nil
}

// writeStudy writes the results of a study, best first, as "ur train study" prints them.
func writeStudy(w io.Writer, results []train.StudyResult) error {
	fmt.Fprintln(w, "```")
	if err := train.WriteStudyTable(w, results); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "```")
	return err
}
