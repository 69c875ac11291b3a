package checks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
)

func (s *Service) readIgnored(ctx context.Context) map[string]string {
	all, err := git.Ignored(ctx, s.Root, s.Folder)
	if err != nil {
		return nil // then no pass is used again
	}
	return all
}

// stampable are the files that git ignores, where a pass on these files could be used
// again; nil: it cannot.
func (s *Service) stampable(ctx context.Context, now Files) map[string]string {
	if now.Dirty || now.Nested || now.Tree == pawl.NoTree {
		return nil
	}
	return s.ignored(ctx)
}

// stamp stands for the files that git ignores, after a run. It is empty if they are not
// known, or if one that was there before has changed: the run may have read it as it was.
// A new one is taken for what the run wrote.
func stamp(before, after map[string]string) string {
	if before == nil || after == nil {
		return ""
	}
	for name, is := range before {
		if after[name] != is {
			return ""
		}
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		h.Write([]byte(name + "\x00" + after[name] + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// still reports whether the files that git ignores are those with which it ran.
func (kept *keptRun) still(ignored string) bool { return ignored != "" && kept.Ignored == ignored }
