package prose

import (
	"strings"
	"sync"
)

// A kind is what the words of a row have in common. A word may be of several kinds.
type kind int

const (
	number    kind = iota // with a thing: that there are several
	pair                  // with a thing: that there are two
	thing                 // what there may be several of
	want                  // something is missing, or should be
	fault                 // something is wrong
	answer                // words are asked for
	keep                  // something stays as it is
	narrow                // it is little
	courteous             // a polite question, which asks for work
	relative              // what follows says what one thing does
	facts                 // what follows tells, or is to be answered
	move                  // with to: all of something becomes something else
	to
	creates // with an determined: something new
	determined
	large // such a thing has many parts
	whole // all of it
	big   // a verb of much work
	small // such a thing has one part
	all   // all of what is quoted
	kindCount
)

var rows = [kindCount]string{
	number:     "three four five six seven eight nine ten several few couple drei vier fünf sechs paar einige trois quatre cinq quelques tres cuatro cinco algunas algunos três quatro três три четыре пять несколько 3 4 5 6 7 8 9 10 11 12",
	pair:       "two zwei deux dos duas dois две два 2 both",
	thing:      "thing things issue issues bug bugs point points problem problems change changes task tasks ticket tickets wishes leftovers remark remarks request requests steps items sachen punkte dinge fehler wünsche kleinigkeiten choses problèmes cosas problemas coisas вещи замечания замечаний проблем проблемы",
	want:       "should shouldn't must need needs has have want wants i'd would soll sollen sollte sollten muss müssen müsste müssten fehlt fehlen doit doivent faut debe debería deberían falta faltan precisa precisam deve devem должен должна должны нужно нужен нужна надо missing lacks add still",
	fault:      "why crash crashes error errors fails failing broken doesn't doesnt isn't isnt stays freezes warum erreur wrong fehler",
	answer:     "explain review summarize summarise recommend describe compare understand advice opinion explique dime erkläre erklär schau think view reply antwort réponse responde respuesta plan tone formatted notes proofread wording summary translate übersetze draft letter",
	keep:       "keep don't dont without instead leave ohne sans sin sem без",
	narrow:     "just only nothing small tiny quick single typo nur nichts kleine seulement uniquement juste rien solo sólo nada apenas só только ничего line",
	courteous:  "peux-tu pouvez kannst könntest puedes podrías pode можешь",
	relative:   "that which als qui que described template dod criteria done",
	facts:      "reproduce repro reproduction steps expected actual environment schritte étapes pasos questions fragen preguntas dod",
	move:       "migrate migrating port rewrite convert switch move moving turn break split umstellen migriere migrer migrar перенеси переведи",
	to:         "to into nach in zu auf vers en a на para",
	creates:    "build create write make develop implement need want bau baue crée crea cria écris schreib напиши сделай entwickle add",
	determined: "a an eine ein einen une un una uma um me us mir moi",
	large:      "app apps application applications system systems platform website site dashboard portal game bot marketplace shop store clone pipeline cms crm api backend frontend engine compiler library sdk service services server tool plugin extension suite",
	whole:      "whole entire all every everything everywhere complete full across scratch end-to-end from-scratch throughout ganze ganzen gesamte gesamten alle alles komplett komplette tout tous toute toutes entière todo todos toda todas entero весь всю все всё полностью",
	big:        "migrate migration rewrite port convert internationalize localize redesign overhaul modernize rebuild replace upgrade integrate develop implement build create scaffold migriere umstellen migrer migrar",
	small:      "function fonction funktion función script skript one-liner query regex test sql snippet endpoint button tooltip label helper column method message title",
	all:        "all each every everything alles alle tout todo todos todas всё все both them above finding",
}

// kindsOf are the kinds of a word, as bits.
func kindsOf(word string) uint32 { return kinds()[word] }

var kinds = sync.OnceValue(func() map[string]uint32 {
	of := map[string]uint32{}
	for k, row := range rows {
		for word := range strings.FieldsSeq(row) {
			of[word] |= 1 << k
		}
	}
	return of
})
