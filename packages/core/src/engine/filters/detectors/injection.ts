/**
 * Attempts to replace the instructions of a model, by the patterns of
 * https://cheatsheetseries.owasp.org/cheatsheets/LLM_Prompt_Injection_Prevention_Cheat_Sheet.html
 */
import { forEachWord, hashShape, hashWord } from "../characterRuns.ts"
import { type Detection, type Detector, matchAll, noDetections } from "../Detector.ts"

const gap = String.raw`[\s,.'"-]{0,3}`
const few = String.raw`(?:[\w']{1,12}[\s,.'"-]{1,3}){0,4}?`
const toRule = (source: string): RegExp =>
  new RegExp(source.replaceAll("_", gap).replaceAll("~", few), "iy")

const dismiss = "(?:ignore|disregard|forget|override|bypass|skip|discard|neglect|overlook)"
const earlier =
  "(?:previous|prior|above|earlier|preceding|foregoing|original|initial|existing|system|all|any|your|the|these|those)"
const orders =
  "(?:instructions?|prompts?|rules?|guidelines?|directives?|commands?|messages?|context|constraints?|restrictions?|safeguards?|training|programming)"

/** Written for text in which words are spelt out; `_` is a gap between letters or words, `~` a few words. */
const rules: ReadonlyArray<readonly [name: string, firstWords: string, rule: RegExp]> = [
  [
    "ignore_instructions",
    "ignore disregard forget override bypass skip discard neglect overlook",
    toRule(String.raw`${dismiss}_~${earlier}_(?:${earlier}_){0,3}~${orders}\b`)
  ],
  [
    "ignore_instructions",
    "do don dont never stop",
    toRule(
      String.raw`(?:do_not|don't|dont|never|stop)_(?:follow|obey|listen_to|adhere_to|following|obeying)_~(?:${earlier}_){1,3}${orders}\b`
    )
  ],
  [
    "forget_everything",
    "forget ignore disregard erase",
    toRule(
      String.raw`(?:forget|ignore|disregard|erase)_(?:everything|all)_(?:you_(?:know|were_told|have_been_told|learned)|that_(?:was|came)|i_said|above|before|said_before)\b`
    )
  ],
  [
    "new_instructions",
    "new updated real actual revised",
    toRule(
      String.raw`(?:new|updated|real|actual|revised)_(?:system_)?(?:instructions|prompt|directives|task)_?(?::|are\b|follow\b)`
    )
  ],
  [
    "developer_mode",
    "you enter enable activate switch turn",
    toRule(
      String.raw`(?:you_are_now_in|enter|enable|activate|switch_to|turn_on)_~(?:developer|debug|admin|god|sudo|maintenance|unrestricted|jailbreak|dan)_mode\b`
    )
  ],
  [
    "do_anything_now",
    "do you",
    toRule(
      String.raw`(?:do_anything_now\b|you_are_(?:now_)?(?:an?_)?(?:DAN|jailbroken|unrestricted|uncensored|unfiltered)\b)`
    )
  ],
  [
    "do_anything_now",
    "act behave pretend roleplay respond",
    toRule(
      String.raw`(?:act|behave|pretend|roleplay|respond)_(?:as|like|to_be)_(?:if_you_(?:are|were)_)?(?:an?_)?(?:DAN|evil|unrestricted|uncensored|jailbroken|unfiltered)\b`
    )
  ],
  [
    "without_restrictions",
    "without no free remove drop disable",
    toRule(
      String.raw`(?:without|no|free_of|free_from|remove|drop|disable)_(?:any_|all_|your_)?(?:ethical|moral|safety|content|legal)_(?:and_(?:ethical|moral|legal|safety)_)?(?:guidelines|restrictions|filters?|constraints|limits|limitations|rules|protocols|measures)\b`
    )
  ],
  [
    "system_override",
    "system override bypass",
    toRule(
      String.raw`(?:system_(?:override|overwrite|bypass)\b|override_(?:the_|your_|all_)?(?:system|safety|security)\b|bypass_(?:the_|your_|all_)?(?:safety|security|content)_(?:filters?|measures|checks|controls|policies|protocols)\b)`
    )
  ],
  [
    "reveal_prompt",
    "reveal show print display output repeat leak expose tell give dump disclose what",
    toRule(
      String.raw`(?:reveal|show|print|display|output|repeat|leak|expose|tell_me|give_me|dump|disclose|what_(?:is|are|were))_~(?:your|the|its)_(?:system_|initial_|original_|hidden_|secret_|internal_|full_|exact_|entire_|complete_){1,3}(?:prompts?|instructions?|messages?|rules|guidelines|directives)\b`
    )
  ],
  [
    "reveal_prompt",
    "repeat print output show",
    toRule(
      String.raw`(?:repeat|print|output|show)_~(?:everything|all|the_text|the_words|words)_(?:above|before_this|prior_to_this)\b`
    )
  ],
  [
    "pretend",
    "from",
    toRule(
      String.raw`from_now_on_(?:you_(?:are|will|must|shall)|act|respond|answer)\b~(?:not_bound|no_longer|without|unrestricted|any_request|jailbr\w{1,8}|anything)`
    )
  ]
]

/** By the hashes of their first words. */
const rulesByWord = Map.groupBy(
  rules.flatMap(([name, firstWords, rule]) =>
    firstWords.split(" ").map((word) => ({ hash: hashWord(word), name, rule }))
  ),
  ({ hash }) => hash
)

/** What chat templates write between turns. */
const roleTag =
  /<\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant)(?:[_ -](?:prompt|instructions?))?>|^[ \t]{0,8}(?:###|---) ?(?:system|assistant)(?: (?:prompt|message|instruction))?:?[ \t]{0,3}$/gim

export const findInjections: Detector = (text) => {
  const found: Array<Detection> = []
  for (const tag of matchAll(text, roleTag)) found.push({ ...tag, kind: "role_tag" })
  const isSpelt = addFound(text, undefined, found)
  const spelt = isSpelt ? undefined : spellOut(text)
  if (spelt !== undefined) addFound(spelt.text, spelt, found)
  return found.length === 0 ? noDetections : found
}

/** Whether every word is spelt as it is read. */
const addFound = (text: string, spelt: SpeltText | undefined, found: Array<Detection>): boolean => {
  let isSpelt = true
  let letters = 0
  let end = 0
  forEachWord(text, (hash, shape, start, wordEnd) => {
    const candidates = rulesByWord.get(hash)
    if (candidates !== undefined && start >= end) {
      for (const { name, rule } of candidates) {
        rule.lastIndex = start
        const match = rule.exec(text)
        if (match === null) continue
        end = start + match[0].length
        found.push({
          start: spelt === undefined ? start : spelt.starts[start]!,
          end: spelt === undefined ? end : spelt.ends[end - 1]!,
          kind: name
        })
        break
      }
    }
    letters = wordEnd - start === 1 ? letters + 1 : 0
    if (letters > 3 || (shapes.has(shape) && !isPlain(text, start, wordEnd, hash))) isSpelt = false
  })
  return isSpelt
}

/** A keyword as it is read, without digits for letters. */
const isPlain = (text: string, start: number, end: number, hash: number): boolean =>
  keywordHashes.has(hash) && !/[^A-Za-z]/.test(text.slice(start, end))

interface SpeltText {
  readonly text: string
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

const keywords = (
  "ignore disregard forget override bypass previous prior above instructions instruction prompt prompts system rules " +
  "reveal developer everything restrictions guidelines safety jailbreak unrestricted uncensored directives"
).split(" ")

/** With the same first and last letter and the same others in between, which readers and models read as the same word. */
const toShape = (word: string): string =>
  word[0]! + Array.from(word.slice(1, -1)).toSorted().join("") + word.at(-1)!
const byShape = new Map(keywords.map((word) => [toShape(word), word]))
const isKeyword = new Set(keywords)
const keywordHashes = new Set(keywords.map(hashWord))

/** The hashes of the shapes of keywords, also with a letter more, less or another in the middle. */
const shapes = new Set(
  keywords.flatMap((word) => {
    const near = [hashShape(word)]
    if (word.length < 6) return near
    // The last letter stays: systems are no misspelt system.
    for (let at = 1; at < word.length; at++) {
      if (at < word.length - 1) near.push(hashShape(word.slice(0, at) + word.slice(at + 1)))
      for (const letter of "abcdefghijklmnopqrstuvwxyz") {
        if (at < word.length - 1)
          near.push(hashShape(word.slice(0, at) + letter + word.slice(at + 1)))
        near.push(hashShape(word.slice(0, at) + letter + word.slice(at)))
      }
    }
    return near
  })
)

const leet: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i"
}

/** Scrambled, substituted and spaced letters as the words that they mean; undefined: there are none. */
const spellOut = (text: string): SpeltText | undefined => {
  let plain = ""
  const starts: Array<number> = []
  const ends: Array<number> = []
  let copied = 0
  const copy = (end: number): void => {
    for (let at = copied; at < end; at++) {
      starts.push(at)
      ends.push(at + 1)
    }
    plain += text.slice(copied, end)
    copied = end
  }
  const write = (word: string, start: number, end: number): void => {
    copy(start)
    for (let at = 0; at < word.length; at++) {
      starts.push(start)
      ends.push(end)
    }
    plain += word
    copied = end
  }
  /** The spaced letters so far. */
  let spaced = ""
  let spacedStart = 0
  let spacedEnd = -1
  const closeSpaced = (): void => {
    if (spaced.length > 3) write(divide(spaced), spacedStart, spacedEnd)
    spaced = ""
  }
  forEachWord(text, (hash, shape, start, end) => {
    if (end - start === 1) {
      if (spaced === "" || start - spacedEnd > maxSpace) {
        closeSpaced()
        spacedStart = start
      }
      spaced += toLetters(text.slice(start, end))
      spacedEnd = end
      return
    }
    closeSpaced()
    if (!shapes.has(shape) || isPlain(text, start, end, hash)) return
    const word = toWord(text.slice(start, end))
    if (word !== undefined) write(word, start, end)
  })
  closeSpaced()
  if (copied === 0) return undefined
  copy(text.length)
  return { text: plain, starts, ends }
}

/** Characters between two spaced letters. */
const maxSpace = 3

const toLetters = (text: string): string =>
  text.replaceAll(/[0-9@$!]/g, (each) => leet[each] ?? each).toLowerCase()

const vocabulary = new RegExp(
  [
    ...new Set([
      ...rules.flatMap(([, firstWords]) => firstWords.split(" ")),
      ...[earlier, orders].flatMap((words) => words.slice(3, -1).split("|"))
    ])
  ]
    .filter((word) => word.length > 2 && word !== "all" && word !== "any")
    .concat("all", "any")
    .toSorted((a, b) => b.length - a.length)
    .join("|"),
  "g"
)

/** Puts spaces between the words of rules. */
const divide = (letters: string): string =>
  letters
    .replaceAll(vocabulary, (word) => ` ${word} `)
    .replaceAll(/ {2,}/g, " ")
    .trim()

const toWord = (token: string): string | undefined => {
  const word = toLetters(token)
  if (isKeyword.has(word)) return word
  return word.length > 4 ? (byShape.get(toShape(word)) ?? findNear(word)) : undefined
}

/** A keyword of which one letter is missing, added or another. */
const findNear = (word: string): string | undefined =>
  keywords.find(
    (each) =>
      each.length > 5 &&
      each[0] === word[0] &&
      each.at(-1) === word.at(-1) &&
      Math.abs(each.length - word.length) <= 1 &&
      isOneOff(each, word)
  )

const isOneOff = (a: string, b: string): boolean => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  if (a.length === b.length) return a.slice(at + 1) === b.slice(at + 1)
  return a.length > b.length ? a.slice(at + 1) === b.slice(at) : a.slice(at) === b.slice(at + 1)
}
