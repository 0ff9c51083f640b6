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
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/seed-09dcdc84/ur/web/internal/game"
)

func main() {
	room := &game.Room{Players: &game.Roster{}}
	js.Global().Set("answer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, ok := answer(room, args[0].String(), args[1].String())
		return map[string]any{"ok": ok, "text": text}
	}))
	select {} // the function is there as long as the program is
}

// answerTime is how long an answer may take, as long as on a server.
const answerTime = 20 * time.Second

// answer answers a question by JSON, and reports whether that is what was asked for.
func answer(room *game.Room, verb, question string) (text string, ok bool) {
	var value any
	var err error
	if verb == "about" {
		value = room.About(version())
	} else {
		ctx, cancel := context.WithTimeout(context.Background(), answerTime)
		defer cancel()
		value, err = room.Answer(ctx, verb, []byte(question))
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %s: take a shorter game, or a player that thinks less", answerTime)
		}
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

// version returns that of the program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
