package valuenet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// written returns what a net writes.
func written(t testing.TB, write func(io.Writer) error) []byte {
	t.Helper()
	return []byte(testkit.Written(t, write))
}

// asJSON returns a net as plain JSON, with a hash.
func asJSON(t testing.TB, n *Net) []byte {
	t.Helper()
	fields := map[string]any{
		"meta": n.Meta, "rules": n.rulesText(), "features": n.featureName(), "activation": activation,
		"hash": n.fileHash(make([]int, len(n.Layers))),
	}
	for l, layer := range n.Layers {
		units := make([][]float32, layer.Out)
		for i, w := range layer.Weights {
			units[i%layer.Out] = append(units[i%layer.Out], w)
		}
		var weights, bias any = units, layer.Bias
		if l == len(n.Layers)-1 {
			weights, bias = units[0], layer.Bias[0]
		}
		fields[fmt.Sprintf("w%d", l+1)], fields[fmt.Sprintf("b%d", l+1)] = weights, bias
	}
	return testkit.Must(json.Marshal(fields))(t)
}

// filesOf returns a net in all forms of files.
func filesOf(t testing.TB, n *Net) map[string][]byte {
	t.Helper()
	return map[string][]byte{"safetensors": written(t, n.Write), "compact": written(t, n.WriteCompact),
		"JSON": asJSON(t, n)}
}

func TestFile(t *testing.T) {
	for _, s := range shapes() {
		n := randomNet(t, s, 7)
		n.Meta = map[string]string{"method": "none", "note": "größer"}
		for form, data := range map[string][]byte{"safetensors": written(t, n.Write), "JSON": asJSON(t, n)} {
			got := testkit.Must(Read(bytes.NewReader(data)))(t)
			testkit.FatalIf(t, !reflect.DeepEqual(got, n), "%v as %s comes back as another net", s, form)
		}
	}
}

// TestFileLayout reads a file by hand, as the format is published.
func TestFileLayout(t *testing.T) {
	n := randomNet(t, Shape{Hidden: []int{3}}, 8)
	data := written(t, n.Write)
	length := binary.LittleEndian.Uint64(data)
	header := string(data[8 : 8+length])
	testkit.MustEqual(t, length%8, 0, "length of the header, modulo 8")
	testkit.WantText(t, header, `"layer1.weight":{"dtype":"F32","shape":[3,60],"data_offsets":[0,720]}`)
	number := func(i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(data[8+int(length)+4*i:]))
	}
	testkit.Equal(t, number(60*1+5), n.Layers[0].Weights[5*3+1], "the weight from input 5 to unit 1")
	testkit.Equal(t, number(60*3+2), n.Layers[0].Bias[2], "the bias of unit 2")
}

func TestCompactFile(t *testing.T) {
	for _, s := range shapes() {
		n := randomNet(t, s, 9)
		n.Layers[0].Weights[0] = 40 // steps of 1/512
		data := written(t, n.WriteCompact)
		got := testkit.Must(Read(bytes.NewReader(data)))(t)
		for l, layer := range n.Layers {
			step := float64(layer.roundingStep())
			for i, w := range layer.Weights {
				testkit.Near(t, float64(w-got.Layers[l].Weights[i]), 0, 0.5/step, "%v: error of weight %d of layer %d",
					s, i, l+1)
			}
		}
		testkit.Equal(t, written(t, got.WriteCompact), data, "%v: a compact file that was read", s)
	}
}

// TestReadRefuses changes a good file in ways that must be found.
func TestReadRefuses(t *testing.T) {
	n := randomNet(t, Shape{Hidden: []int{4, 3}}, 10)
	good := written(t, n.Write)
	length := int(binary.LittleEndian.Uint64(good))
	header, numbers := string(good[8:8+length]), good[8+length:]
	file := func(header string, numbers []byte) []byte {
		return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), numbers...)
	}
	swap := func(old, with string) []byte {
		testkit.MustEqual(t, strings.Contains(header, old), true, "the header %s has %q", header, old)
		return file(strings.Replace(header, old, with, 1), numbers)
	}
	nan := bytes.Clone(good)
	binary.LittleEndian.PutUint32(nan[8+length:], math.Float32bits(float32(math.NaN())))
	for name, data := range map[string][]byte{
		"nothing":               nil,
		"three bytes":           good[:3],
		"text":                  []byte("this is not a net at all"),
		"a vast header":         append(binary.LittleEndian.AppendUint64(nil, 1<<60), good[8:]...),
		"a cut header":          good[:20],
		"cut numbers":           good[:len(good)-1],
		"more bytes":            append(bytes.Clone(good), 0),
		"no number":             nan,
		"another schema":        swap("ur.net/1", "ur.net/9"),
		"no metadata":           swap("__metadata__", "metadata"),
		"unknown features":      swap(`"squares"`, `"circles"`),
		"an unknown activation": swap(`"relu"`, `"tanh"`),
		"other units":           swap(`"4,3"`, `"4,2"`),
		"vast units":            swap(`"4,3"`, `"4,300000000"`),
		"another shape":         swap("[4,60]", "[60,4]"),
		"a vast shape":          swap("[4,60]", "[4,4611686018427387904]"),
		"another type":          swap(`"F32"`, `"F64"`),
		"an overlap":            swap("[960,976]", "[956,972]"),
		"negative offsets":      swap("[960,976]", "[-16,0]"),
		"a missing tensor":      swap("layer2.bias", "layer2.base"),
		"a bad step":            swap(`"schema"`, `"steps":"3,3,3","schema"`),
		"JSON without weights":  []byte("{}"),
		"JSON with a gap":       []byte(`{"w1":[[1,2],[3]],"b1":[1,2],"w2":[1,2],"b2":0}`),
		"JSON of a wrong width": []byte(`{"w1":[[1,2],[3,4]],"b1":[1,2],"w2":[1,2],"b2":0}`),
		"JSON with text":        []byte(`{"w1":"x","b1":[1,2],"w2":[1,2],"b2":0}`),
		"JSON that ends":        []byte(`{"w1":[[1,2`),
	} {
		testkit.WantErrorIs(t, testkit.ErrorOf(Read(bytes.NewReader(data))), errFormat, "%s", name)
	}
}

func TestOpenNamesTheFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.safetensors")
	testkit.WriteText(t, name, "nothing of the kind")
	testkit.WantError(t, testkit.ErrorOf(Open(name)), name, "Open")
}

func FuzzRead(f *testing.F) {
	for _, s := range []Shape{{Hidden: []int{4, 3}}, {Hidden: []int{2}}} {
		for _, file := range filesOf(f, randomNet(f, s, 12)) {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Read(bytes.NewReader(data))
		testkit.SkipOn(t, err)
		testkit.NoError(t, n.Check())
		again := testkit.Must(Read(bytes.NewReader(written(t, n.Write))))(t)
		testkit.MustEqual(t, fmt.Sprint(again.Layers) == fmt.Sprint(n.Layers), true, "written and read, it is the net")
	})
}

// A damaged net is refused, or it is the same net.
func TestDamagedNets(t *testing.T) {
	n := randomNet(t, Shape{Hidden: []int{6, 3}}, 5)
	n.Meta = map[string]string{"learned by": "nobody"}
	for name, file := range filesOf(t, n) {
		want := testkit.Must(Read(bytes.NewReader(file)))(t)
		testkit.TryDamage(t, name, file, want, func(data []byte) (*Net, error) {
			got, err := Read(bytes.NewReader(data))
			if err == nil && got.Unhashed() {
				err = errors.New("reported to have no hash")
			}
			return got, err
		})
	}
}

// A file whose key of the hash is damaged does not pass for one without a hash.
func TestDamagedKeyOfHash(t *testing.T) {
	files := filesOf(t, randomNet(t, Shape{Hidden: []int{6, 3}}, 5))
	delete(files, "JSON") // no longer written, so often without a hash
	for name, file := range files {
		at := bytes.Index(file, []byte(`"hash"`))
		for i := range 8 * len("hash") {
			data := bytes.Clone(file)
			data[at+1+i/8] ^= 1 << (i % 8)
			testkit.WantError(t, testkit.ErrorOf(Read(bytes.NewReader(data))), "", "%s: %q", name, data[at:at+6])
		}
	}
}

// A file of an older version has no hash; it is read, and reported.
func TestNetsWithoutHash(t *testing.T) {
	n := randomNet(t, Shape{Hidden: []int{6, 3}}, 5)
	file := asJSON(t, n)
	old := testkit.Must(Read(bytes.NewReader(regexp.MustCompile(`"hash":"\w+",`).ReplaceAll(file, nil))))(t)
	testkit.Equal(t, old.Unhashed(), true, "the old net has no hash")
	testkit.Equal(t, old.Logit(randomPositions(1, 1)[0]), n.Logit(randomPositions(1, 1)[0]), "the old net's value")
	builtIn, _ := mustBuiltin(t, board.Finkel())
	testkit.Equal(t, builtIn.Unhashed(), false, "the built-in net has no hash")
}
