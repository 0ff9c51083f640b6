package plot

import (
	_ "embed" // of the layout
	"html/template"
	"io"
	"sync"
)

//go:embed layout.html.tmpl
var layout string

// Page is a template of an HTML page that needs no network and no script and follows the
// light or dark style of the reader. All pages share one layout and style sheet.
type Page struct{ template func() *template.Template }

// NewPage returns a page, whose text is parsed when the page is first written: it defines the
// templates "title" and "body" and, where needed, "style" with more rules. That panics when the
// text is wrong.
func NewPage(text string, funcs template.FuncMap) Page {
	return Page{sync.OnceValue(func() *template.Template {
		t := template.New("page").Funcs(template.FuncMap{"plotStyle": func() template.CSS { return template.CSS(styleSheet()) }}).Funcs(funcs)
		return template.Must(template.Must(t.Parse(layout)).Parse(text))
	})}
}

// Write writes the page of some data. The same data give the same bytes.
func (p Page) Write(w io.Writer, data any) error {
	return p.template().ExecuteTemplate(w, "layout", data)
}
