package valuenet

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A damaged net is refused, or it is the same net.
func TestDamagedNets(t *testing.T) {
	n := randomNet(t, Shape{Hidden: []int{6, 3}}, 5)
	n.Meta = map[string]string{"learned by": "nobody"}
	for name, file := range map[string][]byte{
		"safetensors": written(t, func(b *bytes.Buffer) error { return n.Write(b) }),
		"compact":     written(t, func(b *bytes.Buffer) error { return n.WriteCompact(b) }),
		"JSON":        written(t, func(b *bytes.Buffer) error { return n.WriteJSON(b) }),
	} {
		want, err := Read(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		testkit.TryDamage(t, name, file, func(data []byte) testkit.Outcome {
			got, err := Read(bytes.NewReader(data))
			switch {
			case err != nil:
				return testkit.Refused
			case got.Unhashed():
				return testkit.Reported
			case !reflect.DeepEqual(got, want):
				return testkit.Changed
			}
			return testkit.Same
		})
	}
}

// A file of an older version has no hash; it is read, and reported.
func TestNetsWithoutHash(t *testing.T) {
	n := randomNet(t, Shape{Hidden: []int{6, 3}}, 5)
	file := written(t, func(b *bytes.Buffer) error { return n.WriteJSON(b) })
	at := bytes.Index(file, []byte(`,"hash"`))
	old, err := Read(bytes.NewReader(append(file[:at:at], "}\n"...)))
	if err != nil || !old.Unhashed() || old.Logit(randomPositions(1, 1)[0]) != n.Logit(randomPositions(1, 1)[0]) {
		t.Errorf("read with %v", err)
	}
	if builtIn, _, err := BuiltinFor(board.Finkel()); err != nil || builtIn.Unhashed() {
		t.Errorf("the built-in net has no hash: %v", err)
	}
}
