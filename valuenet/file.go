package valuenet

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// A net's file is a safetensors file (https://github.com/huggingface/safetensors): 8 bytes with
// the header's length, the header in JSON, and the tensors' numbers. The tensors are
// called layer1.weight, layer1.bias, layer2.weight and so on. A weight has the shape [units,
// inputs], as torch.nn.Linear has it; its type is F32, or I16 in a file written in steps of a
// power of two. The metadata hold the net's shape and origin.
const (
	schema = "ur.net/1"

	maxHeader = 1 << 20 // bytes; a net's own header has about a thousand
)

// Metadata keys for the shape; all others are [Net.Meta].
const (
	keySchema     = "schema"
	keyRules      = "rules" // rules other than Finkel's: a built-in set's name, or a definition
	keyFeatures   = "features"
	keyHidden     = "hidden"
	keyActivation = "activation"
	keySteps      = "steps" // integers for 1 in the I16 tensors of a layer's weights and bias, by layer
	keyHash       = "hash"  // hash over the file's whole content
)

var headerKeys = []string{keySchema, keyRules, keyFeatures, keyHidden, keyActivation, keySteps, keyHash}

// tensor is an entry in the header.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// errFormat reports a file that is not a valid net.
var errFormat = errors.New("not a network")

func malformedFile(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFormat, fmt.Sprintf(format, args...))
}

// tensors returns the names and shapes of a net's tensors in file order.
func (s Shape) tensors() (names []string, shapes [][]int64) {
	widths := s.widths()
	for i, in := range widths[:len(widths)-1] {
		out := int64(widths[i+1])
		names = append(names, fmt.Sprintf("layer%d.weight", i+1), fmt.Sprintf("layer%d.bias", i+1))
		shapes = append(shapes, []int64{out, int64(in)}, []int64{out})
	}
	return names, shapes
}

// numberAt returns number i in a tensor, in file order.
func (n *Net) numberAt(tensor, i int) *float32 {
	l := &n.Layers[tensor/2]
	if tensor%2 == 1 {
		return &l.Bias[i]
	}
	return &l.Weights[i%l.In*l.Out+i/l.In]
}

// kindOf returns the numbers' type, and their bytes, by the steps in a net's layers: they are 0
// in a float32 file.
func kindOf(steps []int) (kind string, size int64) {
	if steps[0] == 0 {
		return "F32", 4
	}
	return "I16", 2
}

// Write writes a net in float32.
func (n *Net) Write(w io.Writer) error { return n.writeFile(w, make([]int, len(n.Layers))) }

// writeFile writes a net: in float32, or with steps, one for each layer, as the nearest
// multiples of 1/step in 16 bits.
func (n *Net) writeFile(w io.Writer, steps []int) error {
	if err := n.Check(); err != nil {
		return err
	}
	kind, size := kindOf(steps)
	meta := n.ownMeta()
	meta[keySchema], meta[keyFeatures] = schema, n.featureName()
	meta[keyHidden], meta[keyActivation] = joinInts(n.Hidden, ","), activation
	if rules := n.rulesText(); rules != "" {
		meta[keyRules] = rules
	}
	if steps[0] != 0 {
		meta[keySteps] = joinInts(steps, ",")
	}
	meta[keyHash] = n.fileHash(steps)
	header, end := map[string]any{"__metadata__": meta}, int64(0)
	names, shapes := n.tensors()
	for i, name := range names {
		begin := end
		end += size * countNumbers(shapes[i])
		header[name] = tensor{kind, shapes[i], [2]int64{begin, end}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("net: %w", err)
	}
	text = append(text, strings.Repeat(" ", -len(text)&7)...) // the numbers begin at a multiple of 8
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	data = append(data, text...)
	for i, shape := range shapes {
		for j := range countNumbers(shape) {
			data = appendNumber(data, *n.numberAt(i, int(j)), steps[i/2])
		}
	}
	_, err = w.Write(data)
	return err
}

// countNumbers returns how many numbers a tensor has by its shape.
func countNumbers(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

// ownMeta returns a copy of the metadata without the header's keys.
func (n *Net) ownMeta() map[string]string {
	meta := map[string]string{}
	maps.Copy(meta, n.Meta)
	maps.DeleteFunc(meta, func(key, _ string) bool { return slices.Contains(headerKeys, key) })
	return meta
}

// Unhashed reports whether the net was read from a file without a hash, in which damage to a
// number goes unnoticed: a file by an older version, or by another program.
func (n *Net) Unhashed() bool { return n.unhashed }

// fileHash returns a hash over the whole content of a net's file with the given steps,
// including the metadata, which [Net.Hash] leaves out.
func (n *Net) fileHash(steps []int) string {
	h := safefile.NewHash(schema)
	if rules := n.rulesText(); rules != "" {
		h.Text(keyRules)
		h.Text(rules)
	}
	h.Text(n.featureName())
	h.Text(joinInts(n.Hidden, ","))
	h.Text(activation)
	h.Map(n.ownMeta())
	var buf []byte
	for i, layer := range n.Layers {
		for _, x := range slices.Concat(layer.Weights, layer.Bias) {
			buf = appendNumber(buf[:0], x, steps[i])
			h.Number(uint64(math.Float32bits(readNumber(buf, 0, steps[i]))))
		}
	}
	return h.String()
}

// checkHash compares a net that was read with the hash in its file, if there is one, and converts
// counts.
func (n *Net) checkHash(want string) (*Net, error) {
	n.unhashed = want == ""
	if got := n.fileHash(make([]int, len(n.Layers))); want != "" && got != want {
		return nil, malformedFile("hash %.40[2]q of a damaged or edited file (want %[1]s)", got, want)
	}
	if n.counts {
		n.fromCounts()
	}
	return n, nil
}

// appendNumber appends a number in 32 bits, or with a step as a count of steps.
func appendNumber(data []byte, x float32, step int) []byte {
	if step == 0 {
		return binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	count := math.Round(float64(x) * float64(step))
	return binary.LittleEndian.AppendUint16(data, uint16(int16(max(math.MinInt16, min(math.MaxInt16, count)))))
}

// WriteCompact writes a net in half the bytes: every layer in 16 bits, in the smallest possible
// steps among the powers of two. Read back, the net has the rounded numbers.
func (n *Net) WriteCompact(w io.Writer) error {
	if err := n.Check(); err != nil {
		return err
	}
	steps := make([]int, len(n.Layers))
	for i, layer := range n.Layers {
		steps[i] = layer.roundingStep()
	}
	return n.writeFile(w, steps)
}

// roundingStep returns the largest power of two, at most 1<<15, at which every number of the layer fits
// 16 bits; at least 1.
func (l *Layer) roundingStep() int {
	most := float64(0)
	for _, x := range slices.Concat(l.Weights, l.Bias) {
		most = max(most, math.Abs(float64(x)))
	}
	step := 1 << 15
	for step > 1 && math.Round(most*float64(step)) > math.MaxInt16 {
		step /= 2
	}
	return step
}

// Open reads a net from a file: safetensors, or JSON as [Net.WriteJSON] writes it.
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

// Read reads a net in either format. The file is not trusted: memory grows only with the bytes
// read, sizes and offsets must match the shape, every number must be finite, and nothing
// may follow.
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
	n, hash, err := readNet(text, buffered)
	if err != nil {
		return nil, err
	}
	return n.checkHash(hash)
}

// readUpTo reads exactly n bytes; memory grows with the bytes available.
func readUpTo(r io.Reader, n int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, n))
	if err == nil && int64(len(data)) < n {
		err = malformedFile("truncated by %d bytes", n-int64(len(data)))
	}
	return data, err
}

// readNet returns the net from a header and the numbers behind it, and the hash in the header.
func readNet(header []byte, r *bufio.Reader) (n *Net, hash string, err error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, "", malformedFile("header is not JSON: %v", err)
	}
	meta := map[string]string{}
	if text, ok := raw["__metadata__"]; ok {
		if err := json.Unmarshal(text, &meta); err != nil {
			return nil, "", malformedFile("metadata are not strings: %v", err)
		}
		delete(raw, "__metadata__")
	}
	if meta[keySchema] != schema {
		return nil, "", malformedFile("its metadata have the schema %q (want %q)", meta[keySchema], schema)
	}
	shape, err := shapeOf(meta)
	if err != nil {
		return nil, "", malformedFile("%v", err)
	}
	steps, err := stepsOf(meta, len(shape.Hidden)+1)
	if err != nil {
		return nil, "", err
	}
	offsets, err := offsetsOf(shape, raw, steps)
	if err != nil {
		return nil, "", err
	}
	if n, err = NewNet(shape); err != nil {
		return nil, "", malformedFile("%v", err)
	}
	n.Meta = meta
	n.Meta = n.ownMeta()
	if err := n.readTensors(r, offsets, steps); err != nil {
		return nil, "", err
	}
	if err := n.Check(); err != nil {
		return nil, "", malformedFile("%v", err)
	}
	return n, meta[keyHash], nil
}

// shapeOf reads the shape from the metadata.
func shapeOf(meta map[string]string) (s Shape, err error) {
	if s.Rules, err = parseRules(meta[keyRules]); err != nil {
		return s, err
	}
	if err = s.setFeatures(meta[keyFeatures]); err != nil {
		return s, err
	}
	if err = checkActivation(meta[keyActivation]); err != nil {
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

// offsetsOf returns where a shape's tensors begin, and behind them their end. They lie one
// after another without gaps, in any order.
func offsetsOf(s Shape, raw map[string]json.RawMessage, steps []int) (begins []int64, err error) {
	kind, size := kindOf(steps)
	names, shapes := s.tensors()
	if len(raw) != len(names) {
		return nil, malformedFile("it has %d tensors (want %d)", len(raw), len(names))
	}
	next := map[int64]int64{} // end of a tensor by its beginning
	for i, name := range names {
		var t tensor
		if raw[name] == nil {
			return nil, malformedFile("tensor %q is missing", name)
		}
		if err := json.Unmarshal(raw[name], &t); err != nil {
			return nil, malformedFile("tensor %q: %v", name, err)
		}
		if t.Type != kind || !slices.Equal(t.Shape, shapes[i]) {
			return nil, malformedFile("tensor %q is %s %v (want %s %v)", name, t.Type, t.Shape, kind, shapes[i])
		}
		begin, end := t.Offsets[0], t.Offsets[1]
		if bytes := size * countNumbers(shapes[i]); begin < 0 || end-begin != bytes {
			return nil, malformedFile("tensor %q lies from byte %d to %d (want %d bytes)", name, begin, end, bytes)
		}
		begins = append(begins, begin)
		next[begin] = end
	}
	end := int64(0)
	for range names {
		if end = next[end]; end == 0 {
			return nil, malformedFile("tensors overlap, or have gaps between them")
		}
	}
	return append(begins, end), nil
}

// readTensors reads a net's numbers, whose tensors have the given offsets.
func (n *Net) readTensors(r *bufio.Reader, offsets []int64, steps []int) error {
	_, shapes := n.tensors()
	data, err := readUpTo(r, offsets[len(shapes)])
	if err != nil {
		return err
	}
	if _, err := r.ReadByte(); err == nil {
		return malformedFile("bytes follow the last tensor")
	} else if err != io.EOF {
		return err
	}
	for i, shape := range shapes {
		for j := range int(countNumbers(shape)) {
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
