package valuenet

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A net's file is a safetensors file (https://github.com/huggingface/safetensors): 8 bytes with the header's length,
// the header in JSON, and the tensors' numbers. The tensors are called layer1.weight, layer1.bias, layer2.weight and so
// on. A weight has the shape [units, inputs], as torch.nn.Linear has it; its type is F32, or I16 in a file written in
// steps of a power of two. The metadata hold the net's shape and origin.
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
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`

	name    string
	numbers int // how many it has
}

// errFormat reports a file that is not a valid net.
var errFormat = errors.New("not a network")

func malformedFile(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFormat, fmt.Sprintf(format, args...))
}

// tensors returns a net's tensors one after another in file order. They are of float32 where the steps in a net's
// layers are 0.
func (s Shape) tensors(steps []int) (list []tensor) {
	kind, size := "I16", int64(2)
	if steps[0] == 0 {
		kind, size = "F32", 4
	}
	end := int64(0)
	add := func(name string, numbers int, shape ...int) {
		begin := end
		end += size * int64(numbers)
		list = append(list, tensor{kind, shape, [2]int64{begin, end}, name, numbers})
	}
	widths := s.widths()
	for i, in := range widths[:len(widths)-1] {
		out := widths[i+1]
		add(fmt.Sprintf("layer%d.weight", i+1), out*in, out, in)
		add(fmt.Sprintf("layer%d.bias", i+1), out, out)
	}
	return list
}

// numberAt returns number i in a tensor, in file order.
func (n *Net) numberAt(tensor, i int) *float32 {
	l := &n.Layers[tensor/2]
	if tensor%2 == 1 {
		return &l.Bias[i]
	}
	return &l.Weights[i%l.In*l.Out+i/l.In]
}

// Write writes a net in float32.
func (n *Net) Write(w io.Writer) error { return n.writeFile(w, make([]int, len(n.Layers))) }

// writeFile writes a net: in float32, or with steps, one for each layer, as the nearest multiples of 1/step in 16 bits.
func (n *Net) writeFile(w io.Writer, steps []int) error {
	if err := n.Check(); err != nil {
		return err
	}
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
	header, tensors := map[string]any{"__metadata__": meta}, n.tensors(steps)
	for _, t := range tensors {
		header[t.name] = t
	}
	text, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("net: %w", err)
	}
	text = append(text, strings.Repeat(" ", -len(text)&7)...) // the numbers begin at a multiple of 8
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	data = append(data, text...)
	for i, t := range tensors {
		for j := range t.numbers {
			data = appendNumber(data, *n.numberAt(i, j), steps[i/2])
		}
	}
	_, err = w.Write(data)
	return err
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

// hashForm matches the form of a hash. No other metadata of this package's writer has it.
var hashForm = text.Regexp(`^[0-9a-f]{16}$`)

// checkHash compares a net that was read with the hash in its file, if there is one, and converts counts.
func (n *Net) checkHash(want string) (*Net, error) {
	n.unhashed = want == ""
	for key, value := range n.Meta {
		if n.unhashed && hashForm().MatchString(value) {
			return nil, malformedFile("damaged key %.40q of a hash (want %q)", key, keyHash)
		}
	}
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
