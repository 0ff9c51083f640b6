//go:build js && wasm

// The program wasm is the engine for a page without a server: it puts a function into the
// worker that loads it,
//
//	answer(verb, question) => {ok: true or false, text: JSON}
//
// which answers as the server does at /api/game/VERB, and "about" as /api/about.
package main

import (
	"cmp"
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
	value, err := any(game.NewAbout(process.Version())), error(nil)
	if verb != "about" {
		value, err = service.Answer(context.Background(), verb, []byte(question))
	}
	line, fault := json.Marshal(value)
	if err = cmp.Or(err, fault); err != nil {
		line, _ = json.Marshal(map[string]string{"error": err.Error()}) // texts can always be written
	}
	return string(line), err == nil
}
