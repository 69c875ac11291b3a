package pawl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A BatchError says which requests of a batch failed, and why. errors.Is and
// errors.As find any of the errors in it; [ErrorAt] returns that of one request.
type BatchError struct {
	Errs []error // one for each request, in order; nil for one that succeeded
}

// Error tells each failure with the place of its request, or once what failed
// all of them alike.
func (e *BatchError) Error() string {
	failed := e.Unwrap()
	if len(failed) == len(e.Errs) && !slices.ContainsFunc(failed, func(err error) bool { return err.Error() != failed[0].Error() }) {
		return failed[0].Error()
	}
	var lines []string
	for i, err := range e.Errs {
		if err != nil {
			lines = append(lines, fmt.Sprintf("requests[%d]: %v", i, err))
		}
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors of the requests that failed, in their order.
func (e *BatchError) Unwrap() []error {
	return slices.DeleteFunc(slices.Clone(e.Errs), func(err error) bool { return err == nil })
}

// ErrorAt returns why the request at i of a batch failed, nil if it did not.
// err is what [Board.DoAll] or [Board.TryAll] returned; any other error failed
// all requests.
func ErrorAt(err error, i int) error {
	if batch, ok := errors.AsType[*BatchError](err); ok {
		return batch.Errs[i]
	}
	return err
}

// batchError is a BatchError of errs, or nil if none of them is an error.
func batchError(errs []error) error {
	if !slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return nil
	}
	return &BatchError{Errs: errs}
}

func failAll(requests []Request, err error) ([]Result, error) {
	return make([]Result, len(requests)), batchError(slices.Repeat([]error{err}, len(requests)))
}

// only is the outcome of a batch of one.
func only(results []Result, err error) (Result, error) {
	return results[0], ErrorAt(err, 0)
}
