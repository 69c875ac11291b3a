package cli

import (
	"context"
	"fmt"
	"log/slog"
)

// Warnings tells what goes wrong in the background as the command line does.
func Warnings(warn func(string)) slog.Handler { return warnings{warn} }

type warnings struct{ warn func(string) }

func (warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w warnings) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	w.warn(text)
	return nil
}

func (w warnings) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w warnings) WithGroup(string) slog.Handler      { return w }
