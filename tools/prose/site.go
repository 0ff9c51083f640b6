// Command site renders the module's documents as pages of a website:
//
//	go -C tools/prose run . MODULE SITE
package main

import (
	"bytes"
	"fmt"
	"html/template"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// source is the address of all files outside the website.
const source = "https://github.com/seed-09dcdc84/ur/blob/main/"

var (
	page = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{.Title}}</title>
<style>
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark }
table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { padding: .2rem .6rem; border: 1px solid #8886 }
pre { overflow-x: auto; padding: .8rem; background: #8882 }
img { max-width: 100% }
</style>
<nav><a href="{{.Root}}README.html">Documents</a> · <a href="{{.Root}}">Play</a></nav>
{{.Body}}
`))
	link  = regexp.MustCompile(`(href|src)="([^":#]+)(#[^"]*)?"`)
	title = regexp.MustCompile(`(?m)^# (.*)$`)
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// run writes the tracked documents and images.
func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%d arguments (want MODULE and SITE)", len(args))
	}
	list, err := exec.Command("git", "-C", args[0], "ls-files", ":(glob)*.md", ":(glob)docs/*.md", "docs/plots").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	files := strings.Fields(string(list))
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(args[0], name))
		if err != nil {
			return err
		}
		to := name
		if strings.HasSuffix(name, ".md") {
			to = htmlName(name)
			if text, err = render(name, text, files); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		file := filepath.Join(args[1], to)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func htmlName(name string) string { return strings.TrimSuffix(name, ".md") + ".html" }

// render returns a document's page. Links to other documents lead to their pages, all other
// relative links to the repository.
func render(name string, text []byte, files []string) ([]byte, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var body, out bytes.Buffer
	if err := markdown.Convert(text, &body); err != nil {
		return nil, err
	}
	site := make(map[string]bool)
	for _, file := range files {
		site[file] = true
	}
	linked := link.ReplaceAllStringFunc(body.String(), func(found string) string {
		parts := link.FindStringSubmatch(found)
		switch target := path.Join(path.Dir(name), parts[2]); {
		case !site[target]:
			return fmt.Sprintf(`%s="%s%s%s"`, parts[1], source, target, parts[3])
		case strings.HasSuffix(target, ".md"):
			return fmt.Sprintf(`%s="%s%s"`, parts[1], htmlName(parts[2]), parts[3])
		}
		return found
	})
	heading := "ur"
	if found := title.FindSubmatch(text); found != nil {
		heading = string(found[1])
	}
	err := page.Execute(&out, map[string]any{
		"Title": heading, "Body": template.HTML(linked), "Root": "./" + strings.Repeat("../", strings.Count(name, "/")),
	})
	return out.Bytes(), err
}
