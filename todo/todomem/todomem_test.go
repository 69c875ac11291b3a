package todomem_test

import (
	"testing"

	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/todo/todotest"
)

func TestContract(t *testing.T) {
	todotest.Run(t, func(todotest.TB) todo.Store { return todomem.New() })
}
