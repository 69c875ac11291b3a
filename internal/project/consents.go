package project

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/project/consent"
)

// A Consent is something that the user has agreed to.
type Consent = consent.Entry

// Consents returns all that the user has agreed to, in all clones. A join that has not
// succeeded is none.
func (p *Project) Consents() ([]Consent, error) {
	list, err := consent.Of(p.from.Getenv)
	if err != nil {
		return nil, err
	}
	all, err := list.All()
	return slices.DeleteFunc(all, func(e Consent) bool { return e.Kind == consent.Joining }), err
}

// TrustedBoards returns the boards to which this project's settings may lead.
func (p *Project) TrustedBoards() ([]Consent, error) {
	list, err := consent.Of(p.from.Getenv)
	if err != nil {
		return nil, err
	}
	own, err := p.Own()
	if err != nil {
		return nil, err
	}
	return list.In(consent.At(filepath.Dir(own.Dir), own.Dir), consent.Board)
}

// Forget takes back what the user has agreed to in this clone, or in those that are or were in
// a folder, and returns that.
func (p *Project) Forget(ctx context.Context, folder string) ([]Consent, error) {
	list, err := consent.Of(p.from.Getenv)
	if err != nil {
		return nil, err
	}
	root, err := p.Root()
	if err != nil {
		return nil, err
	}
	fits := consent.At(root, "").Of
	if folder != "" {
		fits = func(e *Consent) bool { return consent.Below(folder, e) }
	}
	p.Again()
	return list.Forget(ctx, func(e *Consent) bool { return e.Kind != consent.Joining && fits(e) }) // nobody has agreed to that
}
