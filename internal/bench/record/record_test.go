package record

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

func TestSlugTellsProcessorsApart(t *testing.T) {
	tests := []struct {
		environment experiment.Environment
		want        string
	}{
		{experiment.Environment{CPU: "AMD EPYC", Family: 25, Model: 17, Arch: "amd64"}, "amd-epyc-family25-model17-amd64"},
		{experiment.Environment{CPU: "Intel(R) Xeon(R) CPU @ 2.20GHz", Family: 6, Model: 79, Arch: "amd64"}, "intel-r-xeon-r-cpu-2-20ghz-family6-model79-amd64"},
		{experiment.Environment{CPU: "unknown", Arch: "arm64"}, "unknown-arm64"},
		{experiment.Environment{CPU: "../../etc", Arch: "386"}, "etc-386"},
	}
	for _, test := range tests {
		if got := test.environment.Slug(); got != test.want {
			t.Errorf("slug of %q is %q, want %q", test.environment.CPU, got, test.want)
		}
	}
}

func TestRecordIsReadBack(t *testing.T) {
	dir := t.TempDir()
	run, e := exampleRun(t), exampleEnvironment()
	results := run.Results(e, []bench.Skipped{{Engine: "a/b", Reason: "needs more"}})
	results.Features = e.Features
	record := Record{Results: results, Scaling: exampleScaling(), Pieces: examplePieces(), Profile: exampleHotspots(), Environment: e}
	folder, err := Write(dir, run, record)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bench.txt", "ladder.json", "scaling.json", "pieces.json", "profile.json", "history.jsonl", "environment.json"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v; want a file that others can read", name, info, err)
		}
	}
	records, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	record.Slug = "example-9000-family25-model17-amd64"
	record.History = []HistoryEntry{newHistoryEntry(e, results)}
	want := []Record{record}
	if !reflect.DeepEqual(records, want) {
		t.Errorf("read back\n%+v\nwant\n%+v", records, want)
	}
}

func TestRecordMayHaveNoScaling(t *testing.T) {
	dir := t.TempDir()
	run, e := exampleRun(t), exampleEnvironment()
	folder, err := Write(dir, run, Record{Results: run.Results(e, nil), Scaling: exampleScaling(), Environment: e})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "scaling.json")
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "scaling.json") {
		t.Errorf("truncated file: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if records, err := Read(dir); err != nil || records[0].Scaling != nil {
		t.Errorf("records %+v, error %v; want one without a scaling", records, err)
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no records") {
		t.Errorf("empty folder: %v", err)
	}
	folder := filepath.Join(dir, "cpu")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "not a complete record") {
		t.Errorf("folder without files: %v", err)
	}
	for _, name := range []string{"ladder.json", "environment.json"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "ladder.json") {
		t.Errorf("truncated file: %v", err)
	}
}

func TestFailedWriteLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bench.txt")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := wholefile.Write(file, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if text, _ := os.ReadFile(file); string(text) != "old" {
		t.Errorf("file holds %q after a failed write", text)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are left, want 1", len(entries))
	}
}

func TestReadEnvironment(t *testing.T) {
	e := experiment.ReadEnvironment()
	if e.CPU == "" || e.Cores < 1 || e.OS == "" || e.Arch == "" || e.Go == "" || e.Date == "" {
		t.Errorf("environment %+v has holes", e)
	}
}
