package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/train"
)

// readStudy returns the results of a study: a row is a point of the learning curve of a setting.
func readStudy(rows []experiment.Row) (results []train.StudyResult) {
	for _, row := range rows {
		plies, _ := strconv.Atoi(row.Keys["plies"])
		point := train.StudyPoint{Lambda: row.Metrics["point.lambda"], Rate: row.Metrics["point.rate"], Hidden: row.Keys["hidden"], Plies: plies}
		if n := len(results); n == 0 || results[n-1].Point != point {
			results = append(results, train.StudyResult{Point: point})
		}
		curve := &results[len(results)-1].Curve
		*curve = append(*curve, train.Point{Games: int64(row.Metrics["games"]), Seconds: row.Metrics["seconds"], Regret: &row.Median})
	}
	return results
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
