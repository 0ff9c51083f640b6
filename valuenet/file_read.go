package valuenet

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur/board"
)

// Open reads a net from a file: safetensors, or plain JSON as TD-Ur's net is published.
func Open(name string) (*Net, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, err := Read(f)
	if errors.Is(err, errFormat) {
		err = fmt.Errorf("%s is %w", name, err)
	}
	return n, err
}

// Read reads a net in either format. The file is not trusted: memory grows only with the bytes read, sizes and offsets
// must match the shape, every number must be finite, and nothing may follow.
func Read(r io.Reader) (*Net, error) {
	buffered := bufio.NewReader(r)
	first, err := buffered.Peek(8)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if looksLikeJSON(first) {
		return readJSON(buffered)
	}
	if len(first) < 8 {
		return nil, malformedFile("file of %d bytes (want 8 bytes for the length of the header first)", len(first))
	}
	buffered.Discard(8)
	length := binary.LittleEndian.Uint64(first)
	if length < 2 || length > maxHeader {
		return nil, malformedFile("it begins as neither JSON nor safetensors: a header would have %d bytes (want 2 to %d)", length, maxHeader)
	}
	text, err := readUpTo(buffered, int64(length))
	if err != nil {
		return nil, err
	}
	return readNet(text, buffered)
}

// readUpTo reads exactly n bytes; memory grows with the bytes available.
func readUpTo(r io.Reader, n int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, n))
	if err == nil && int64(len(data)) < n {
		err = malformedFile("truncated by %d bytes", n-int64(len(data)))
	}
	return data, err
}

// readNet returns the net from a header and the numbers behind it.
func readNet(header []byte, r *bufio.Reader) (*Net, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, malformedFile("header is not JSON: %v", err)
	}
	meta := map[string]string{}
	if text, ok := raw["__metadata__"]; ok {
		if err := json.Unmarshal(text, &meta); err != nil {
			return nil, malformedFile("metadata are not strings: %v", err)
		}
		delete(raw, "__metadata__")
	}
	if meta[keySchema] != schema {
		return nil, malformedFile("its metadata have the schema %q (want %q)", meta[keySchema], schema)
	}
	shape, err := shapeOf(meta)
	if err != nil {
		return nil, malformedFile("%v", err)
	}
	steps, err := stepsOf(meta, len(shape.Hidden)+1)
	if err != nil {
		return nil, err
	}
	offsets, err := offsetsOf(shape, raw, steps)
	if err != nil {
		return nil, err
	}
	n, err := NewNet(shape)
	if err != nil {
		return nil, malformedFile("%v", err)
	}
	n.Meta = meta
	n.Meta = n.ownMeta()
	if err := n.readTensors(r, offsets, steps); err != nil {
		return nil, err
	}
	if err := n.Check(); err != nil {
		return nil, malformedFile("%v", err)
	}
	return n.checkHash(meta[keyHash])
}

// shapeOf reads the shape from the metadata.
func shapeOf(meta map[string]string) (s Shape, err error) {
	if err = s.readNames(meta[keyRules], meta[keyFeatures], meta[keyActivation]); err != nil {
		return s, err
	}
	if s.Hidden, err = ParseHidden(meta[keyHidden]); err != nil {
		return s, err
	}
	return s, s.check()
}

// stepsOf reads the layers' steps, which are 0 in a float32 file.
func stepsOf(meta map[string]string, layers int) ([]int, error) {
	text, ok := meta[keySteps]
	if !ok {
		return make([]int, layers), nil
	}
	var steps []int
	for part := range strings.SplitSeq(text, ",") {
		step, err := strconv.Atoi(part)
		if err != nil || step < 1 || step > 1<<15 || step&(step-1) != 0 {
			return nil, malformedFile("invalid step %q of a layer (want a power of two from 1 to %d)", part, 1<<15)
		}
		steps = append(steps, step)
	}
	if len(steps) != layers {
		return nil, malformedFile("%d steps for %d layers", len(steps), layers)
	}
	return steps, nil
}

// offsetsOf returns where a shape's tensors begin. They lie one after another without gaps, in any order.
func offsetsOf(s Shape, raw map[string]json.RawMessage, steps []int) (begins []int64, err error) {
	want := s.tensors(steps)
	if len(raw) != len(want) {
		return nil, malformedFile("it has %d tensors (want %d)", len(raw), len(want))
	}
	next := map[int64]int64{} // end of a tensor by its beginning
	for _, w := range want {
		var t tensor
		if raw[w.name] == nil {
			return nil, malformedFile("tensor %q is missing", w.name)
		}
		if err := json.Unmarshal(raw[w.name], &t); err != nil {
			return nil, malformedFile("tensor %q: %v", w.name, err)
		}
		if t.Type != w.Type || !slices.Equal(t.Shape, w.Shape) {
			return nil, malformedFile("tensor %q is %s %v (want %s %v)", w.name, t.Type, t.Shape, w.Type, w.Shape)
		}
		begin, end := t.Offsets[0], t.Offsets[1]
		if bytes := w.Offsets[1] - w.Offsets[0]; begin < 0 || end-begin != bytes {
			return nil, malformedFile("tensor %q lies from byte %d to %d (want %d bytes)", w.name, begin, end, bytes)
		}
		begins = append(begins, begin)
		next[begin] = end
	}
	end := int64(0)
	for range want {
		if end = next[end]; end == 0 {
			return nil, malformedFile("tensors overlap, or have gaps between them")
		}
	}
	return begins, nil
}

// readTensors reads a net's numbers, whose tensors begin at the given offsets.
func (n *Net) readTensors(r *bufio.Reader, offsets []int64, steps []int) error {
	tensors := n.tensors(steps)
	data, err := readUpTo(r, tensors[len(tensors)-1].Offsets[1])
	if err != nil {
		return err
	}
	if _, err := r.ReadByte(); err == nil {
		return malformedFile("bytes follow the last tensor")
	} else if err != io.EOF {
		return err
	}
	for i, t := range tensors {
		for j := range t.numbers {
			*n.numberAt(i, j) = readNumber(data[offsets[i]:], j, steps[i/2])
		}
	}
	return nil
}

// readNumber reads number i in a tensor.
func readNumber(data []byte, i, step int) float32 {
	if step == 0 {
		return math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return float32(int16(binary.LittleEndian.Uint16(data[2*i:]))) / float32(step)
}

// builtinFiles are the built-in nets, as [Net.WriteCompact] writes them: Finkel's is
// builtin.safetensors, another rule set's has its name.
//
//go:embed *.safetensors
var builtinFiles embed.FS

// builtinNet is a built-in net and its integers.
type builtinNet struct {
	net     *Net
	integer *Integer
}

// builtins caches the built-in nets by file.
var builtins sync.Map // functions that return a builtinNet and an error, by rules

// loadBuiltin reads a built-in net once. A test checks that each passes [Quantise].
func loadBuiltin(file string) (builtinNet, error) {
	load, _ := builtins.LoadOrStore(file, sync.OnceValues(func() (b builtinNet, err error) {
		data, err := builtinFiles.ReadFile(file)
		if err != nil {
			return b, err
		}
		if b.net, err = Read(bytes.NewReader(data)); err != nil {
			return b, fmt.Errorf("built-in net %s: %w", file, err)
		}
		b.integer, err = quantiseNet(b.net)
		return b, err
	}))
	return load.(func() (builtinNet, error))()
}

// BuiltinFor returns a rule set's built-in net and its integers. Neither must be changed.
func BuiltinFor(r *board.Rules) (*Net, *Integer, error) {
	const finkelFile = "builtin.safetensors"
	file := finkelFile
	if !r.IsFinkel() {
		file = r.Name() + ".safetensors"
		if _, err := builtinFiles.Open(file); err != nil || file == finkelFile {
			return nil, nil, fmt.Errorf("no built-in net of the rule set %q (want net:FILE)", r.Name())
		}
	}
	b, err := loadBuiltin(file)
	if err == nil {
		err = b.net.CheckRules(r)
	}
	return b.net, b.integer, err
}
