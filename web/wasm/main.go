//go:build js && wasm

// The program wasm is the engine for a page without a server: it puts a function into the
// worker that loads it,
//
//	answer(verb, question) => {ok: true or false, text: JSON}
//
// which answers as the server does at /api/game/VERB, and "about" as /api/about.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

func main() {
	service := &game.Service{}
	js.Global().Set("answer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, ok := answer(service, args[0].String(), args[1].String())
		return map[string]any{"ok": ok, "text": text}
	}))
	select {} // the function is there as long as the program is
}

// answer answers a request by JSON, and reports whether it succeeded.
func answer(service *game.Service, verb, question string) (text string, ok bool) {
	var value any
	var err error
	if verb == "about" {
		value = game.NewAbout(process.Version())
	} else {
		value, err = service.Answer(context.Background(), verb, []byte(question))
	}
	if err == nil {
		var line []byte
		if line, err = json.Marshal(value); err == nil {
			return string(line), true
		}
	}
	return fault(err), false
}

// fault returns an error as JSON.
func fault(err error) string {
	line, marshal := json.Marshal(map[string]string{"error": err.Error()})
	if marshal != nil {
		return `{"error":"an error that is no text"}`
	}
	return string(line)
}
