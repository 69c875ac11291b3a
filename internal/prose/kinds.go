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

	// The kinds below say what a word does in a sentence.

	nounToo       // a verb that is a noun as often
	filler        // may stand before a verb without changing it
	polite        // asks for something whatever follows
	negative      // asks not to do what follows
	sequence      // puts what follows at its place in a sequence
	needs         // asks for what follows it, be it a verb or a thing
	subordinate   // begins a clause that tells when, if or why
	conjunction   // joins two clauses, or two things
	modal         // makes a verb after it tell what is possible or wanted
	somebody      // names one who does something: the words after it tell, and ask for nothing
	preposition   // ends the words for a thing
	telling       // a verb that asks for words and not for work
	wish          // makes a statement one of how something is to be
	past          // tells of what was
	self          // means who writes
	inform        // a verb about what somebody knows or says
	workAlone     // of nounToo: is work by itself, as build, test and release are, but not name, address and email
	same          // makes "do" before it a request: do the same, do a review
	condition     // begins a condition
	inWords       // a verb that asks for words alone
	leading       // in a request, nothing but a verb follows it
	particle      // begins what a verb is done to, or goes with the verb: test it, clean up
	contrast      // begins a clause of its own, as a conjunction does
	interrogation // begins a question
	interjection  // means nothing alone, as a filler does
	object        // begins what an unknown verb is done to
	noVerb        // neither a verb that asks nor a word of another kind
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

	nounToo:       "test run build change log release document list design support report export import filter cache tag commit format sort search show display check look plan profile benchmark index store post limit block style model map mail email name type comment note package process stream patch queue batch count output load link trace record schedule hook host fork clone copy mock stub review work alert hash sync feel route group state cut flag gate scale share start stop research audit seed address return lower complete clean set open close pin sign track cover stack setup cleanup rollback bundle sketch draft prototype print read study focus pass secure separate upgrade update fix drop upload download transfer retry find light raise duplicate match rank guard plot chart label call train trigger join mount",
	filler:        "also now just so basically ok okay and or maybe perhaps kindly hi hello hey yes yeah alright right well simply quickly actually additionally furthermore besides plus but thanks too still instead there to go ahead again all once immediately already help auch noch mal jetzt und außerdem gerne hallo ja nun einfach als zum aussi et maintenant alors bonjour oui encore também agora ainda и ещё еще также теперь привет también además ahora y e hola sí por",
	polite:        "please pls plz bitte svp favor todo пожалуйста",
	negative:      "don't dont don’t never not no without avoid nicht kein keine keinen nichts nie não nem не без non ne n'y sans nunca sin do",
	sequence:      "first firstly second secondly third thirdly then next afterwards afterward finally lastly subsequently zuerst zunächst dann danach anschließend schließlich zuletzt abschließend erstens zweitens drittens erstes nächstes schluss d'abord d’abord premièrement ensuite puis enfin finalement deuxièmement primeiro depois сначала потом затем primero luego después entonces finalmente último segundo",
	needs:         "need needs needed want like brauche brauchen möchte möchten wollen necesito quiero quero veux faut",
	subordinate:   "when if once before after while since because although though whenever until unless as where which who whose wenn falls sobald nachdem bevor weil da dass ob während quand lorsque si après avant parce когда если потому cuando antes mientras porque desde seit depuis",
	conjunction:   "and plus und et y e sowie и & +",
	modal:         "can could will would should must may might shall to kann können soll sollen sollte sollten müssen muss peut doit puede debe",
	somebody:      "i we they he she users people customers everybody someone somebody nobody i've we've they've i'm we're they're you ich wir er sie man je j'ai nous il elle ils elles yo nosotros él ella ellos eu nós ele ela eles я мы он она они пользователи",
	preposition:   "to in for of on with that which so from into by when where because if using via at as without including such between under over through across like about who whose while before after around per is are has have should must out end called named für mit von aus auf zu zur zum bei über damit ohne der pour avec de dans sur qui du des para con en que del por al",
	telling:       "explain describe summarize summarise tell compare recommend suggest walk show list study think erkläre explique explica dime dis-moi sag",
	wish:          "want wants need needs should must goal criteria requirement requirements feature let's lets shall i'd we'd soll sollen sollte muss müssen brauchen brauche möchte möchten wollen doit doivent faut besoin veut veux voudrais quiero queremos necesito necesitamos debe deben puedan",
	past:          "was were did had been went got came told said asked found tried i've we've i'm think guess suppose believe wonder wondering understand yesterday thanks thank war waren hatte hatten wurde wurden était étaient fue era estaba",
	self:          "i we i'd we'd ich wir je on quiero quero queremos",
	inform:        "know understand ask say hear learn share discuss decide talk mention admit start wissen fragen verstehen sagen savoir comprendre demander saber entender preguntar",
	workAlone:     "test run build release document commit format review clean cleanup fix update upgrade benchmark profile research audit design plan draft prototype patch rollback setup",
	same:          "the that both all everything a an",
	condition:     "if unless wenn falls si sinon",
	inWords:       "explain describe tell show summarize summarise outline clarify elaborate erkläre zeig zeige explique montre explica muestra dime dis-moi sag",
	leading:       "please pls plz you u to let's lets",
	particle:      "the a an it its them this that these those all everything my our your their some each every any up out on off down both whatever whether what how why if for to through over again into only more new old one two three at against everyone me us unit e2e integration unused tests docs documentation which from",
	contrast:      "then but dann aber puis mais luego pero or oder",
	interrogation: "what what's why how how's which who whose warum wieso weshalb wie welche welcher welches wer pourquoi comment quel quelle qué cómo dónde cuál",
	interjection:  "no non nein hm hmm oh ah great nice cool interesting sorry btw",
	object:        "the a an all every each our my these those both it them their",
	noVerb:        "does has been being why who when where how than even given despite unlike whereas except today currently here often half nor yet near above behind beside beyond along among toward within inside outside off same most many much few quite rather know mean wish hope love hate saw made let isn't wasn't what's that's it's there's here's nice cool great hmm ask say hear learn decide talk admit feel worry confirm happen remember answer elaborate clarify advise bear sure par les las los",
}

// kindsOf are the kinds of a word, as bits.
func kindsOf(word string) uint64 { return kinds()[word] }

func (k kind) has(word string) bool { return kindsOf(word)>>k&1 != 0 }

var kinds = sync.OnceValue(func() map[string]uint64 {
	of := make(map[string]uint64, 1<<10)
	for k, row := range rows {
		for word := range strings.FieldsSeq(row) {
			of[word] |= 1 << k
		}
	}
	return of
})
