// Schema takes from the API description of Kubernetes what the manifest of a fleet needs:
// the kinds of objects in it and all that these refer to, without the descriptions, as a
// JSON schema that refuses fields which do not exist.
//
//	go run ./fleet/internal/deploy/schema > fleet/internal/deploy/testdata/kubernetes.json
//
// The description is that of the module k8s.io/kubernetes, which the go command fetches.
package main

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// version is that of Kubernetes.
const version = "v1.36.3"

// kinds are those that the manifest may have, by apiVersion and kind.
var kinds = map[string]string{
	"v1/Service":          "io.k8s.api.core.v1.Service",
	"v1/Secret":           "io.k8s.api.core.v1.Secret",
	"apps/v1/Deployment":  "io.k8s.api.apps.v1.Deployment",
	"apps/v1/StatefulSet": "io.k8s.api.apps.v1.StatefulSet",
	"batch/v1/Job":        "io.k8s.api.batch.v1.Job",
}

// What the API takes as a number too, and says in prose alone.
var alsoNumbers = []string{"io.k8s.apimachinery.pkg.util.intstr.IntOrString", "io.k8s.apimachinery.pkg.api.resource.Quantity"}

func main() {
	log.SetFlags(0)
	all, err := definitions()
	if err != nil {
		log.Fatal("schema: ", err)
	}
	for _, name := range alsoNumbers {
		all[name] = map[string]any{"type": []string{"string", "number"}}
	}
	kept := map[string]any{}
	for _, name := range kinds {
		keep(all, kept, name)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	if err := out.Encode(map[string]any{"kubernetes": version, "kinds": kinds, "definitions": kept}); err != nil {
		log.Fatal("schema: ", err)
	}
}

// definitions reads those of the API description.
func definitions() (map[string]any, error) {
	out, err := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@"+version).Output()
	if err != nil {
		return nil, err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		return nil, err
	}
	var api struct{ Definitions map[string]any }
	return api.Definitions, json.Unmarshal(text, &api)
}

// keep keeps a definition and all that it refers to.
func keep(all, kept map[string]any, name string) {
	if kept[name] != nil {
		return
	}
	d, _ := all[name].(map[string]any)
	kept[name] = d
	if d["properties"] != nil {
		d["additionalProperties"] = false
	}
	prune(all, kept, d)
}

// prune takes away what does not restrict anything, and follows references.
func prune(all, kept map[string]any, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			text, isText := inner.(string)
			switch {
			case key == "description" && isText, key == "format", strings.HasPrefix(key, "x-kubernetes"):
				delete(v, key)
			case key == "$ref" && isText:
				keep(all, kept, strings.TrimPrefix(text, "#/definitions/"))
			default:
				prune(all, kept, inner)
			}
		}
	case []any:
		for _, inner := range v {
			prune(all, kept, inner)
		}
	}
}
