package abtest

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Late is a slowdown in work that comes late, seldom, elsewhere or in the background, so that the first operations do not
// show it. The second commit of its module replaces one call of Spin in the code.
type Late struct {
	Name, About string // About says when the slower code runs
	code        string // of package m; STEPS stands for the argument of a call of Spin
	setUp, op   string // of the benchmark: before its loop, and in an operation
	main        string // of the test program, or further tests; "" for none
	lib, tool   string // of packages m/lib and m/tool; "" for none
	steps       [2]string
	Runs        int // comparisons with different seeds; 0 for one
}

// spin is the work of all kinds: n steps of about a nanosecond.
const spin = `
//go:noinline
func Spin(n int) (s uint32) {
	for i := range n {
		s = s*31 + uint32(i)^s>>3
	}
	return s
}
`

// LateKinds returns the kinds of late work.
func LateKinds() []Late {
	return []Late{
		{Name: "flush", About: "at each 64th operation", steps: [2]string{"10_000", "200_000"},
			code:  "type W struct { n int; S uint32 }\nfunc (w *W) Write() {\n\tw.S += Spin(5_000)\n\tif w.n++; w.n%64 == 0 {\n\t\tw.flush()\n\t}\n}\n//go:noinline\nfunc (w *W) flush() { w.S += Spin(STEPS) }\n",
			setUp: "var w W", op: "w.Write()"},
		{Name: "second", About: "from the second operation on, of 8 ms", steps: [2]string{"8_000_000", "17_000_000"},
			code:  "type C struct{ warm bool }\nfunc (c *C) Do() uint32 {\n\tif !c.warm {\n\t\tc.warm = true\n\t\treturn Spin(8_000_000)\n\t}\n\treturn c.fast()\n}\n//go:noinline\nfunc (c *C) fast() uint32 { return Spin(STEPS) }\n",
			setUp: "var c C", op: "sink += c.Do()"},
		{Name: "child", About: "in the test binary that the benchmark starts", steps: [2]string{"10_000_000", "40_000_000"},
			code: "//go:noinline\nfunc Work() uint32 { return Spin(STEPS) }\n",
			op:   "c := exec.Command(os.Args[0])\n\t\tc.Env = append(os.Environ(), \"CHILD=1\")\n\t\tc.Run()",
			main: "func TestMain(m *testing.M) {\n\tif os.Getenv(\"CHILD\") == \"1\" {\n\t\tprintln(Work())\n\t\tos.Exit(0)\n\t}\n\tos.Exit(m.Run())\n}\n"},
		{Name: "helper", About: "in a test of the binary that the benchmark starts", steps: [2]string{"10_000_000", "40_000_000"},
			code: "//go:noinline\nfunc Work() uint32 { return Spin(STEPS) }\n",
			op:   "c := exec.Command(os.Args[0], \"-test.run=TestHelper\")\n\t\tc.Env = append(os.Environ(), \"CHILD=1\")\n\t\tc.Run()",
			main: "func TestHelper(t *testing.T) {\n\tif os.Getenv(\"CHILD\") == \"1\" {\n\t\tprintln(Work())\n\t}\n}\n"},
		{Name: "tool", About: "in a program of the module that the benchmark builds", steps: [2]string{"10_000_000", "40_000_000"},
			code: "var none = 0\n", lib: "package lib\n" + spin + "\nfunc Work() uint32 { return Spin(STEPS) }\n",
			tool:  "package main\n\nimport \"example.com/m/lib\"\n\nfunc main() { println(lib.Work()) }\n",
			setUp: "program := filepath.Join(b.TempDir(), \"tool\")\n\tif out, err := exec.Command(\"go\", \"build\", \"-o\", program, \"example.com/m/tool\").CombinedOutput(); err != nil {\n\t\tb.Fatal(string(out))\n\t}\n\tb.ResetTimer()",
			op:    "exec.Command(program).Run()"},
		{Name: "janitor", About: "in a goroutine each 30 ms, under a lock", steps: [2]string{"1_000", "20_000_000"},
			code:  "type Cache struct { mu sync.Mutex; S uint32 }\nfunc New() *Cache {\n\tc := &Cache{}\n\tgo func() {\n\t\tfor range time.Tick(30 * time.Millisecond) {\n\t\t\tc.clean()\n\t\t}\n\t}()\n\treturn c\n}\nfunc (c *Cache) Put() {\n\tc.mu.Lock()\n\tc.S++\n\tc.mu.Unlock()\n}\n//go:noinline\nfunc (c *Cache) clean() {\n\tc.mu.Lock()\n\tc.S += Spin(STEPS)\n\tc.mu.Unlock()\n}\nvar Shared = New()\n",
			setUp: "c := Shared", op: "c.Put()"},
		{Name: "background", About: "in a goroutine each 25 ms", steps: [2]string{"1_000", "12_000_000"},
			code: "var started sync.Once\nfunc Do() uint32 {\n\tstarted.Do(func() {\n\t\tgo func() {\n\t\t\tfor range time.Tick(25 * time.Millisecond) {\n\t\t\t\treport()\n\t\t\t}\n\t\t}()\n\t})\n\treturn Spin(300)\n}\n//go:noinline\nfunc report() uint32 { return Spin(STEPS) }\n",
			op:   "sink += Do()"},
		{Name: "growth", About: "beyond half a million elements", steps: [2]string{"10", "100"},
			code:  "type Tree struct { v []int; S uint32 }\nfunc (t *Tree) Add(i int) {\n\tt.S += Spin(10)\n\tif t.v = append(t.v, i); len(t.v) > 500_000 {\n\t\tt.S += large()\n\t}\n}\n//go:noinline\nfunc large() uint32 { return Spin(STEPS) }\n",
			setUp: "var t Tree", op: "t.Add(i)"},
		{Name: "buffer", About: "once 20 ms have passed", steps: [2]string{"100", "20_000"},
			code:  "type B struct { begin time.Time; n int; S uint32 }\nfunc (b *B) Add() {\n\tb.S += Spin(200)\n\tif b.n++; b.n%64 == 0 && time.Since(b.begin) > 20*time.Millisecond {\n\t\tb.write()\n\t}\n}\n//go:noinline\nfunc (b *B) write() { b.S += Spin(STEPS) }\n",
			setUp: "w := B{begin: time.Now()}", op: "w.Add()"},
		{Name: "rotation", About: "at each megabyte written", steps: [2]string{"1_000", "1_000_000"},
			code:  "type Log struct { n int; S uint32 }\nfunc (l *Log) Write(k int) {\n\tl.S += Spin(50)\n\tif l.n += k; l.n > 1<<20 {\n\t\tl.n = 0\n\t\tl.rotate()\n\t}\n}\n//go:noinline\nfunc (l *Log) rotate() { l.S += Spin(STEPS) }\n",
			setUp: "var l Log", op: "l.Write(100)"},
		{Name: "finalizer", About: "in a finalizer", steps: [2]string{"10", "1_500"},
			code: "type H struct{ p [64]byte }\nvar S uint32\nfunc New() *H {\n\th := &H{}\n\truntime.SetFinalizer(h, func(*H) { release() })\n\treturn h\n}\n//go:noinline\nfunc release() { S += Spin(STEPS) }\nvar Last *H\n",
			op:   "Last = New()"},
		{Name: "cleanup", About: "in a cleanup", steps: [2]string{"10", "1_500"},
			code: "type H struct{ p [64]byte }\nvar S uint32\nfunc New() *H {\n\th := &H{}\n\truntime.AddCleanup(h, func(int) { release() }, 0)\n\treturn h\n}\n//go:noinline\nfunc release() { S += Spin(STEPS) }\nvar Last *H\n",
			op:   "Last = New()"},
		{Name: "processors", About: "where the machine has several processors", steps: [2]string{"1_000", "2_000"},
			code: "func Do() uint32 {\n\tif runtime.NumCPU() > 1 {\n\t\treturn many()\n\t}\n\treturn Spin(1_000)\n}\n//go:noinline\nfunc many() uint32 { return Spin(STEPS) }\n",
			op:   "sink += Do()"},
		{Name: "chance", About: "in one of four processes, by a drawn size", steps: [2]string{"1_000", "8_000"},
			code: "var work = pick()\nfunc pick() func() uint32 {\n\tif rand.IntN(4) == 0 {\n\t\treturn func() uint32 { return Spin(STEPS) }\n\t}\n\treturn func() uint32 { return Spin(1_000) }\n}\n",
			op:   "sink += work()"},
		{Name: "draw", About: "in one of four processes, by a drawn path", steps: [2]string{"1_000", "8_000"},
			code: "var slow = rand.IntN(4) == 0\nfunc Do() uint32 {\n\tif slow {\n\t\treturn other()\n\t}\n\treturn Spin(1_000)\n}\n//go:noinline\nfunc other() uint32 { return Spin(STEPS) }\n",
			op:   "sink += Do()"},
		{Name: "cache", About: "once a cache of 200,000 entries is full", steps: [2]string{"20", "200"},
			code:  "type LRU struct { m map[int]bool; S uint32 }\nfunc (l *LRU) Put(i int) {\n\tl.S += Spin(100)\n\tif len(l.m) >= 200_000 {\n\t\tl.evict()\n\t}\n\tl.m[i] = true\n}\n//go:noinline\nfunc (l *LRU) evict() {\n\tl.S += Spin(STEPS)\n\tfor k := range l.m {\n\t\tdelete(l.m, k)\n\t\treturn\n\t}\n}\n",
			setUp: "l := LRU{m: map[int]bool{}}", op: "l.Put(i)"},
		{Name: "pool", About: "once a pool of 100,000 buffers is empty", steps: [2]string{"20", "300"},
			code:  "type Pool struct { left int; S uint32 }\nfunc (p *Pool) Get() {\n\tp.S += Spin(100)\n\tif p.left--; p.left < 0 {\n\t\tp.make()\n\t}\n}\n//go:noinline\nfunc (p *Pool) make() { p.S += Spin(STEPS) }\n",
			setUp: "p := Pool{left: 100_000}", op: "p.Get()"},
		{Name: "retry", About: "in a pause at each 100,000th operation", steps: [2]string{"1", "30"},
			code: "var n int\nfunc Do() uint32 {\n\tif n++; n%100_000 == 0 {\n\t\tretry()\n\t}\n\treturn Spin(300)\n}\n//go:noinline\nfunc retry() { time.Sleep(STEPS * time.Millisecond) }\n",
			op:   "sink += Do()"},
		{Name: "compaction", About: "at each 65,536th operation", steps: [2]string{"1_000", "10_000_000"},
			code:  "type Store struct { n int; S uint32 }\nfunc (s *Store) Put() {\n\ts.S += Spin(50)\n\tif s.n++; s.n&0xffff == 0 {\n\t\ts.compact()\n\t}\n}\n//go:noinline\nfunc (s *Store) compact() { s.S += Spin(STEPS) }\n",
			setUp: "var s Store", op: "s.Put()"},
		{Name: "rehash", About: "when a map of its own doubles", steps: [2]string{"1", "60"},
			code:  "type Set struct { slots []int; n int; S uint32 }\nfunc (s *Set) Add(i int) {\n\ts.S += Spin(20)\n\tif s.n == len(s.slots) {\n\t\ts.grow()\n\t}\n\ts.slots[s.n] = i\n\ts.n++\n}\n//go:noinline\nfunc (s *Set) grow() {\n\tif s.slots = make([]int, max(1024, 2*s.n)); s.n > 100_000 {\n\t\ts.S += Spin(s.n * STEPS)\n\t}\n}\n",
			setUp: "var s Set", op: "s.Add(i)"},
		{Name: "pile", About: "the more, the more goroutines wait", steps: [2]string{"1", "40"},
			code:  "type Group struct { waiting atomic.Int64; S uint32 }\nfunc (g *Group) Go() {\n\tg.S += Spin(2_000)\n\tif g.waiting.Add(1)%64 == 0 {\n\t\tgo func() { time.Sleep(time.Minute) }()\n\t\tg.scan()\n\t}\n}\n//go:noinline\nfunc (g *Group) scan() { g.S += Spin(int(g.waiting.Load()) * STEPS / 4) }\n",
			setUp: "var g Group", op: "g.Go()"},
		{Name: "file", About: "once a file has more than a megabyte", steps: [2]string{"100", "10_000"},
			code:  "type File struct { size int; out *os.File; S uint32 }\nfunc (f *File) Append() {\n\tn, _ := f.out.Write(make([]byte, 256))\n\tif f.size += n; f.size > 1<<20 {\n\t\tf.index()\n\t}\n}\n//go:noinline\nfunc (f *File) index() { f.S += Spin(STEPS) }\n",
			setUp: "out, err := os.Create(filepath.Join(b.TempDir(), \"log\"))\n\tif err != nil {\n\t\tb.Fatal(err)\n\t}\n\tdefer out.Close()\n\tf := File{out: out}", op: "f.Append()"},
		{Name: "first", About: "at the first use of a path after 10,000 operations", steps: [2]string{"1_000", "600_000_000"},
			code:  "type Codec struct { n int; once sync.Once; S uint32 }\nfunc (c *Codec) Do() {\n\tif c.n++; c.n > 10_000 {\n\t\tc.once.Do(c.load)\n\t}\n\tc.S += Spin(300)\n}\n//go:noinline\nfunc (c *Codec) load() { c.S += Spin(STEPS) }\n",
			setUp: "var c Codec", op: "c.Do()"},
		{Name: "check", About: "in a check of all elements at each 4,096th", steps: [2]string{"1", "100"},
			code:  "type List struct { v []int; S uint32 }\nfunc (l *List) Add(i int) {\n\tl.S += Spin(50)\n\tif l.v = append(l.v, i); len(l.v)&0xfff == 0 {\n\t\tl.check()\n\t}\n}\n//go:noinline\nfunc (l *List) check() { l.S += Spin(len(l.v) / 16 * STEPS / 8) }\n",
			setUp: "var l List", op: "l.Add(i)"},
		{Name: "level", About: "once the log level has changed after 50 ms", steps: [2]string{"10", "600"},
			code: "var begin = time.Now()\nvar verbose atomic.Bool\nfunc init() {\n\tgo func() {\n\t\ttime.Sleep(50 * time.Millisecond)\n\t\tverbose.Store(true)\n\t}()\n}\nfunc Do() uint32 {\n\tif verbose.Load() {\n\t\treturn Spin(500) + trace()\n\t}\n\treturn Spin(500)\n}\n//go:noinline\nfunc trace() uint32 { return Spin(STEPS) }\n",
			op:   "sink += Do()"},
		{Name: "clear", About: "when a map of 131,072 entries is cleared", steps: [2]string{"1_000", "30_000_000"},
			code:  "type Seen struct { m map[int]bool; S uint32 }\nfunc (s *Seen) Add(i int) {\n\tif s.m[i] = true; len(s.m) >= 1<<17 {\n\t\ts.clear()\n\t}\n}\n//go:noinline\nfunc (s *Seen) clear() {\n\tclear(s.m)\n\ts.S += Spin(STEPS)\n}\n",
			setUp: "s := Seen{m: map[int]bool{}}", op: "s.Add(i)"},
		{Name: "ring", About: "when a ring of a million elements begins again", steps: [2]string{"1_000", "60_000_000"},
			code:  "type Ring struct { at int; S uint32 }\nfunc (r *Ring) Push() {\n\tr.S += Spin(30)\n\tif r.at++; r.at == 1_000_000 {\n\t\tr.at = 0\n\t\tr.wrap()\n\t}\n}\n//go:noinline\nfunc (r *Ring) wrap() { r.S += Spin(STEPS) }\n",
			setUp: "var r Ring", op: "r.Push()"},
		{Name: "sample", About: "in one of 1,000 operations, by chance", steps: [2]string{"100", "400_000"},
			code: "func Do() uint32 {\n\tif rand.IntN(1000) == 0 {\n\t\treturn traced()\n\t}\n\treturn Spin(500)\n}\n//go:noinline\nfunc traced() uint32 { return Spin(STEPS) }\n",
			op:   "sink += Do()"},
		{Name: "bucket", About: "once a budget of 30 ms is used up", steps: [2]string{"10", "1_000"},
			code:  "type Limiter struct { begin time.Time; n, S uint32 }\nfunc (l *Limiter) Take() {\n\tl.S += Spin(400)\n\tif l.n++; l.n%16 == 0 && time.Since(l.begin) > 30*time.Millisecond {\n\t\tl.wait()\n\t}\n}\n//go:noinline\nfunc (l *Limiter) wait() { l.S += Spin(16 * STEPS) }\n",
			setUp: "l := Limiter{begin: time.Now()}", op: "l.Take()"},
		{Name: "timeout", About: "in a timer that ends after 100 ms", steps: [2]string{"10", "80_000_000"},
			code:  "type Session struct { S atomic.Uint32 }\nfunc Open() *Session {\n\ts := &Session{}\n\tvar again func()\n\tagain = func() {\n\t\ts.expire()\n\t\ttime.AfterFunc(100*time.Millisecond, again)\n\t}\n\ttime.AfterFunc(100*time.Millisecond, again)\n\treturn s\n}\nfunc (s *Session) Do() { s.S.Add(Spin(500)) }\n//go:noinline\nfunc (s *Session) expire() { s.S.Add(Spin(STEPS)) }\nvar Shared = Open()\n",
			setUp: "s := Shared", op: "s.Do()"},
		{Name: "period", About: "each 100 ms, by a quarter", steps: [2]string{"1_000", "25_000_000"}, Runs: 20,
			code:  "type W struct { n int; S uint32 }\nfunc (w *W) Write() {\n\tw.S += Spin(100_000)\n\tif w.n++; w.n%1000 == 0 {\n\t\tw.flush()\n\t}\n}\n//go:noinline\nfunc (w *W) flush() { w.S += Spin(STEPS) }\n",
			setUp: "var w W", op: "w.Write()"},
	}
}

// imports returns the import declaration of a file for the packages that its text uses.
func imports(text string, always ...string) string {
	for _, path := range []string{"math/rand/v2", "os", "os/exec", "path/filepath", "runtime", "sync", "sync/atomic", "time"} {
		name := strings.TrimSuffix(path, "/v2")
		if name = name[strings.LastIndexByte(name, '/')+1:]; regexp.MustCompile(`\b` + name + `\.`).MatchString(text) {
			always = append(always, path)
		}
	}
	if len(always) == 0 {
		return ""
	}
	return "import (\n\t\"" + strings.Join(always, "\"\n\t\"") + "\"\n)\n\n"
}

// files returns the files of a commit.
func (l Late) files(side int) map[string]string {
	test := "var sink uint32\n\nfunc BenchmarkLate(b *testing.B) {\n\t" + l.setUp + "\n\tfor i := 0; i < b.N; i++ {\n\t\t" + l.op + "\n\t}\n}\n\n" + l.main
	all := map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n",
		"m.go":      "package m\n\n" + imports(l.code) + l.code + spin,
		"m_test.go": "package m\n\n" + imports(test, "testing") + test}
	if l.lib != "" {
		all["lib/lib.go"], all["tool/main.go"] = l.lib, l.tool
	}
	for name, text := range all {
		all[name] = strings.ReplaceAll(text, "STEPS", l.steps[side])
	}
	return all
}

// Make makes a repository in a folder, whose second commit is slower than its first.
func (l Late) Make(dir string) error {
	err := errors.Join(os.MkdirAll(dir, 0o777), Git(dir, "init", "-q", "-b", "main"))
	for side, tag := range []string{"base", "head"} {
		for name, text := range l.files(side) {
			path := filepath.Join(dir, filepath.FromSlash(name))
			err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666))
		}
		err = errors.Join(err, commit(dir, tag))
	}
	return err
}
