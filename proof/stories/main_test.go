package stories_test

import (
	"os"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/stories"
)

func TestMain(*testing.M) { os.Exit(stories.Main()) }
