package count

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// dump is a file of callgrind: two functions, an inlined file, a recursive call.
const dump = `# callgrind format
version: 1
part: 4

desc: Timerange: Basic block 2886235 - 3738766
desc: Trigger: Client Request: ur K R S

positions: line
events: Ir
summary: 1370

ob=(1) /tmp/a.test
fl=(5) /src/a.go
fn=(1) example.com/a.Loop
16 400
+3 100
cfi=(6) /src/b.go
cfn=(2) example.com/a.parse.abi0
calls=8 50
+2 800
fi=(6)
* 70
fe=(5)

fn=(2)
12 600
cfn=(3) example.com/a.parse.abi0'2
calls=2 12
12 200

fn=(3)
-2 200

totals: 1370
`

func TestReadDumps(t *testing.T) {
	folder := t.TempDir()
	write := func(name, run, section string) {
		text := strings.Replace(dump, "ur K R S", "ur "+run+" "+section, 1)
		testkit.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	write("dump.1", "1 0", "7") // before the last reset
	write("dump.2", "1 0", "9")
	write("dump.3", "1 0", "9")
	write("dump.4", "1 0", "8")
	write("dump.5", "1 1", "10")
	write("dump.6", "x 0", "10") // of another program
	write("dump", "3 0", "11")   // the end of the process
	profiles := testkit.Must(readDumps(folder))(t)
	testkit.MustEqual(t, len(profiles), 2, "number of profiles")
	want := Figures{N: 10, Instructions: 274, Functions: []Function{{"example.com/a.parse", "example.com/a.Loop", 160, 2},
		{"example.com/a.Loop", "", 114, 0}}}
	testkit.Equal(t, profiles[dumpKey{1, 0}].figures(10), want, "figures")
	testkit.Equal(t, profiles[dumpKey{1, 1}].figures(1).Instructions, 1370, "instructions")
}

func FuzzReadDump(f *testing.F) {
	f.Add(strings.Replace(dump, "ur K R S", "ur 1 0 1", 1))
	f.Add("desc: Trigger: Client Request: ur 1 0 1\nfn=(1)\ncalls=\n1 1\n* nan\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "dump.1")
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		profiles := make(map[dumpKey]*profile)
		testkit.SkipOn(t, readDump(path, profiles))
		for _, p := range profiles {
			sum := 0.0
			for _, f := range p.figures(1).Functions {
				sum += f.Self
			}
			testkit.ErrorIf(t, !(p.total >= 0) || sum < p.total*(1-1e-9) || sum > p.total*(1+1e-9),
				"functions have %v of %v instructions", sum, p.total)
		}
	})
}

// The log counts the last sections of each run, without the count of their marks, though copies of the process end in any
// order. A run that lacks the sum of a copy has no count.
func TestReadLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := "==7== Cachegrind, a tool\n==7== I   refs:      5\n"
	for i, mark := range []string{"0 0 1 begin 900", "0 0 1 end 999", "0 0 2 begin 1,000", "0 0 2 end 1,010",
		"1 0 3 end 1,234,667", "1 0 3 begin 1,234,567", "1 0 3 begin 2,000,000", "1 0 3 end 2,000,031",
		"2 0 4 begin ?", "2 0 4 end 2,000,400", "2 1 5 begin 2,000,500", "2 1 5 end 2,000,600",
		"3 0 6 begin 10", "3 0 7 begin 200", "3 0 6 end 100", "3 0 7 end 215", "4 0 8 begin 300", "4 0 8 end ?"} {
		mark, sum := mark[:strings.LastIndexByte(mark, ' ')], mark[strings.LastIndexByte(mark, ' ')+1:]
		log += fmt.Sprintf("**%d** ur %s\n==%d== \n==99== I   refs:      3\n==%d== I   refs:      %s\n", 20+i, mark, 20+i, 20+i, sum)
	}
	testkit.NoError(t, os.WriteFile(path, []byte(log), 0o600))
	want := map[dumpKey]float64{{1, 0}: 111, {2, 1}: 90, {3, 0}: 5}
	testkit.Equal(t, testkit.Must(readLog(path))(t), want, "counts")
}
