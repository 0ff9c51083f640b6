package deploy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
)

// kubernetes knows what objects look like in the version of Kubernetes that the schema
// under testdata is of.
type kubernetes struct {
	Kubernetes string            `json:"kubernetes"` // version
	Kinds      map[string]string `json:"kinds"`      // definition by apiVersion/kind
	compiler   *jsonschema.Compiler
}

func newKubernetes(t *testing.T) *kubernetes {
	t.Helper()
	text, err := os.ReadFile("testdata/kubernetes.json")
	if err != nil {
		t.Fatal(err)
	}
	k := &kubernetes{compiler: jsonschema.NewCompiler()}
	if err := json.Unmarshal(text, k); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	k.compiler.DefaultDraft(jsonschema.Draft4)
	if err := k.compiler.AddResource("kubernetes.json", schema); err != nil {
		t.Fatal(err)
	}
	return k
}

// check says what is wrong with an object.
func (k *kubernetes) check(object map[string]any) error {
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	definition, ok := k.Kinds[version+"/"+kind]
	if !ok {
		return errors.New("unknown kind " + version + "/" + kind)
	}
	schema, err := k.compiler.Compile("kubernetes.json#/definitions/" + definition)
	if err != nil {
		return err
	}
	return schema.Validate(object)
}

// objects reads the documents of a file of YAML.
func objects(t *testing.T, text string) (list []map[string]any) {
	t.Helper()
	in := yaml.NewDecoder(strings.NewReader(text))
	for {
		var object map[string]any
		err := in.Decode(&object)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if object != nil {
			list = append(list, object)
		}
	}
}

// readManifest reads the manifest.
func readManifest(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../deploy/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every object of the manifest is one by the schema of Kubernetes, and the page says of
// which version.
func TestManifestIsOfTheSchema(t *testing.T) {
	k := newKubernetes(t)
	list := objects(t, readManifest(t))
	if len(list) != 4 {
		t.Errorf("the manifest has %d objects, want 4", len(list))
	}
	for _, object := range list {
		if err := k.check(object); err != nil {
			t.Errorf("%v: %v", object["kind"], err)
		}
	}
	page, err := os.ReadFile("../../../docs/kubernetes.md")
	if err != nil || !strings.Contains(string(page), "Kubernetes "+k.Kubernetes) {
		t.Errorf("docs/kubernetes.md does not say that the manifest is of Kubernetes %s (%v)", k.Kubernetes, err)
	}
}

// A manifest with a slip in it is refused.
func TestSchemaRefuses(t *testing.T) {
	k := newKubernetes(t)
	manifest := readManifest(t)
	for old, slip := range map[string]string{
		"replicas: 4":         "replicas: many",
		"containerPort: 4222": "containerport: 4222",
		"serviceName: fleet":  "serviceNames: fleet",
		"kind: Deployment":    "kind: Deploiment",
		"key: token}":         "keys: token}",
		"restartPolicy: OnFailure\n      securityContext: {": "restartPolicy: OnFailure\n      securityContext: {user: 1, ",
	} {
		changed := strings.ReplaceAll(manifest, old, slip)
		if changed == manifest {
			t.Errorf("the manifest does not have %q", old)
		}
		refused := false
		for _, object := range objects(t, changed) {
			refused = refused || k.check(object) != nil
		}
		if !refused {
			t.Errorf("%q is taken", slip)
		}
	}
}

// The containers run commands of ur that exist, with flags that they know, and find the
// server by the name of its service.
func TestManifestRunsCommandsThatExist(t *testing.T) {
	args := regexp.MustCompile(`(?m)^ +args: (\[.*\])$`).FindAllStringSubmatch(readManifest(t), -1)
	if len(args) != 3 {
		t.Fatalf("%d containers have arguments, want 3", len(args))
	}
	for _, a := range args {
		var words []string
		if err := yaml.Unmarshal([]byte(a[1]), &words); err != nil {
			t.Fatal(err)
		}
		if err := cli.Program().Run(context.Background(), append(words, "--help"), strings.NewReader(""), io.Discard, io.Discard); err != nil {
			t.Errorf("ur %s: %v", strings.Join(words, " "), err)
		}
	}
	if n := strings.Count(readManifest(t), "nats://fleet:4222"); n != 2 {
		t.Errorf("%d containers ask the server by its name, want 2", n)
	}
}
