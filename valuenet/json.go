package valuenet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxJSON bounds the memory taken by a foreign file, in bytes: more than the text for any net with a practical size.
const maxJSON = 1 << 26

// netJSON is a net as plain JSON, the format in which TD-Ur's net is published: w1 lists units, each with a list of
// weights from its inputs, b1 the biases, and so on; the last layer has one unit, whose weights are a list and whose
// bias is a number. Without features, 32 inputs are counts and 60 squares; without an activation it is relu.
type netJSON struct {
	Meta       json.RawMessage `json:"meta,omitempty"`
	Rules      string          `json:"rules,omitempty"` // "" for Finkel's
	Features   string          `json:"features,omitempty"`
	Activation string          `json:"activation,omitempty"`
	W1         json.RawMessage `json:"w1"`
	B1         json.RawMessage `json:"b1"`
	W2         json.RawMessage `json:"w2"`
	B2         json.RawMessage `json:"b2"`
	W3         json.RawMessage `json:"w3,omitempty"`
	B3         json.RawMessage `json:"b3,omitempty"`
	Hash       string          `json:"hash,omitempty"`
}

// layerMessages returns the weights and biases in the layers there are.
func (j *netJSON) layerMessages() [][2]*json.RawMessage {
	list := [][2]*json.RawMessage{{&j.W1, &j.B1}, {&j.W2, &j.B2}}
	if j.W3 != nil || j.B3 != nil {
		list = append(list, [2]*json.RawMessage{&j.W3, &j.B3})
	}
	return list
}

// looksLikeJSON reports whether a file begins like an object. A header's length in
// safetensors, 8 bytes, would be far too great.
func looksLikeJSON(first []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(first, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(text) > 0 && text[0] == '{'
}

// readJSON reads a net from plain JSON.
func readJSON(r io.Reader) (*Net, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxJSON+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxJSON {
		return nil, malformedFile("JSON of more than %d bytes", maxJSON)
	}
	var j netJSON
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &j); err != nil {
		return nil, malformedFile("as JSON: %v", err)
	}
	n, err := j.toNet()
	if err != nil {
		return nil, malformedFile("as JSON: %v", err)
	}
	n.Meta = j.metaStrings()
	return n.checkHash(j.Hash)
}

// toNet converts to a net and checks it.
func (j *netJSON) toNet() (*Net, error) {
	n := new(Net)
	list := j.layerMessages()
	for i, raw := range list {
		layer, err := readLayer(*raw[0], *raw[1], i == len(list)-1)
		if err != nil {
			return nil, fmt.Errorf("w%d, b%d: %w", i+1, i+1, err)
		}
		if i < len(list)-1 {
			n.Hidden = append(n.Hidden, layer.Out)
		}
		n.Layers = append(n.Layers, layer)
	}
	usual := squaresName
	if n.Layers[0].In == countsCount {
		usual = countsName
	}
	if err := n.readNames(j.Rules, cmp.Or(j.Features, usual), cmp.Or(j.Activation, activation)); err != nil {
		return nil, err
	}
	return n, n.Check()
}

// readLayer reads a layer's weights and biases; those for the output may be a list and a number.
func readLayer(weights, bias json.RawMessage, last bool) (Layer, error) {
	var l Layer
	if weights == nil || bias == nil {
		return l, errors.New("the layer is not complete")
	}
	units, err := readList[[]float32](weights, last)
	if err == nil {
		l.Bias, err = readList[float32](bias, last)
	}
	if err != nil {
		return l, err
	}
	if len(units) == 0 || len(units) != len(l.Bias) || len(units[0]) == 0 {
		return l, fmt.Errorf("%d units and %d biases (want equal numbers)", len(units), len(l.Bias))
	}
	l.In, l.Out = len(units[0]), len(units)
	l.Weights = make([]float32, l.In*l.Out)
	for o, row := range units {
		if len(row) != l.In {
			return l, fmt.Errorf("unit %d has %d weights (want %d, as in the first unit)", o, len(row), l.In)
		}
		for in, w := range row {
			l.Weights[in*l.Out+o] = w
		}
	}
	return l, nil
}

// readList reads a list, or where one is enough the only member itself.
func readList[T any](text json.RawMessage, one bool) (list []T, err error) {
	if err = json.Unmarshal(text, &list); err != nil && one {
		list = make([]T, 1)
		err = json.Unmarshal(text, &list[0])
	}
	return list, err
}

// metaStrings returns the file's own description: strings unchanged, other values as text.
func (j *netJSON) metaStrings() map[string]string {
	meta := map[string]string{}
	var values map[string]any
	if json.Unmarshal(j.Meta, &values) != nil {
		return meta
	}
	for key, value := range values {
		if text, ok := value.(string); ok {
			meta[key] = text
		} else {
			meta[key] = fmt.Sprint(value)
		}
	}
	return meta
}
