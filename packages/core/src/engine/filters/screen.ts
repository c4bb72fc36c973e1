/** Looks for what filters name in the texts of a request, and replaces it. */
import type { Detection, Detector } from "./Detector.ts"
import type { ContentFilter, FilterAction, FilterRule } from "./FilterRule.ts"
import { type JsonText, listJsonTexts } from "./jsonTexts.ts"
import { Placeholders } from "./Placeholders.ts"
import { scan } from "./scan.ts"
import { FreeNames, makeEdits, type TextEdits, type TextRole, type TextSlot } from "./TextSlot.ts"

/** What was found: no text. */
export interface FilterHit {
  readonly filter: ContentFilter
  readonly rule: FilterRule
  /** Such as `messages.0.content`. */
  readonly path: string
  readonly kind?: string
}

export interface Screening {
  readonly hits: ReadonlyArray<FilterHit>
  /** The texts to replace; undefined: none. */
  readonly edits: TextEdits | undefined
  readonly placeholders: Placeholders
}

const strength: Readonly<Record<FilterAction, number>> = { flag: 0, redact: 1, block: 2 }

/** The strongest rule for a text of this role; undefined: none looks at it. */
export const findRule = ({ rules }: ContentFilter, role: TextRole): FilterRule | undefined => {
  let found: FilterRule | undefined
  for (const rule of rules) {
    if (rule.isUserOnly && role !== "user") continue
    if (found === undefined || strength[rule.action] > strength[found.action]) found = rule
  }
  return found
}

interface Replacement extends Detection {
  readonly rule: FilterRule
}

/** Screens texts in their order, so that equal contents of a conversation have equal placeholders in each request of it. */
export const screen = (
  slots: ReadonlyArray<TextSlot>,
  filters: ReadonlyArray<ContentFilter>
): Screening => new Screener(filters).screen(slots)

class Screener {
  readonly #filters: ReadonlyArray<ContentFilter>
  readonly #detectors: ReadonlyArray<Detector>
  readonly #hits: Array<FilterHit> = []
  readonly #placeholders = new Placeholders()
  #edits: TextEdits | undefined

  constructor(filters: ReadonlyArray<ContentFilter>) {
    this.#filters = filters
    this.#detectors = filters.map(({ detect }) => detect)
  }

  screen(slots: ReadonlyArray<TextSlot>): Screening {
    if (this.#filters.some(({ rules }) => rules.some(({ isRestored }) => isRestored))) {
      for (const { text } of slots) this.#placeholders.reserve(text)
    }
    for (let at = 0; at < slots.length;) {
      let end = at + 1
      while (end < slots.length && slots[end]!.run === slots[at]!.run) end++
      this.#screenRun(slots.slice(at, end))
      at = end
    }
    return { hits: this.#hits, edits: this.#edits, placeholders: this.#placeholders }
  }

  #screenRun(slots: ReadonlyArray<TextSlot>): void {
    const seams = slots.length === 1 ? undefined : this.#findAcross(slots)
    for (const slot of slots) {
      if (slot.kind === "json") {
        const texts = listJsonTexts(slot.text)
        if (texts !== undefined) {
          this.#screenJson(slot, texts)
          continue
        }
      }
      const replacements = [...this.#find(slot.text, slot), ...(seams?.get(slot) ?? [])]
      if (replacements.length === 0) continue
      // What a tool said is often JSON.
      const literals = listJsonTexts(slot.text)
      const text =
        literals === undefined
          ? this.#replace(slot.text, replacements)
          : this.#replaceInJson(slot.text, literals, replacements)
      if (text !== undefined) this.#put(slot, text)
    }
  }

  /** What a JSON text says in its strings and numbers; its form stays as it is. */
  #screenJson(slot: TextSlot, texts: ReadonlyArray<JsonText>): void {
    let written = ""
    let copied = 0
    const names = new Map<string, string>()
    let free: FreeNames | undefined
    for (const { end, isKey, start, text } of texts) {
      const replaced = this.#replace(text, this.#find(text, slot))
      if (replaced === undefined) continue
      let said = replaced
      if (isKey) {
        free ??= new FreeNames(texts.flatMap((each) => (each.isKey ? [each.text] : [])))
        said = names.get(text) ?? free.take(replaced)
        names.set(text, said)
      }
      written += slot.text.slice(copied, start) + JSON.stringify(said)
      copied = end
    }
    if (copied > 0) this.#put(slot, written + slot.text.slice(copied))
  }

  /** Replaces what was found in a text that is JSON and stays so: numbers become strings, and escapes stay whole. */
  #replaceInJson(
    json: string,
    literals: ReadonlyArray<JsonText>,
    replacements: ReadonlyArray<Replacement>
  ): string {
    const starts = literals.map(({ start }) => start)
    const found = new Map<number, Array<Replacement>>()
    for (const each of replacements) {
      for (let at = findLast(starts, each.start); starts[at]! < each.end; at++) {
        const { end, start } = literals[at]!
        // What is found between literals is no content.
        if (end <= each.start || start >= each.end) continue
        const parts = found.get(at) ?? []
        found.set(at, parts)
        parts.push({ ...each, start: each.start - start, end: each.end - start })
      }
    }
    let written = ""
    let copied = 0
    for (const [at, parts] of [...found].toSorted(([a], [b]) => a - b)) {
      const { end, start, text } = literals[at]!
      written += json.slice(copied, start)
      written +=
        this.#replaceInString(json.slice(start, end), parts) ??
        JSON.stringify(this.#placeholders.put(text, parts[0]!.rule))
      copied = end
    }
    return written + json.slice(copied)
  }

  /** Undefined where no string is left. */
  #replaceInString(literal: string, replacements: ReadonlyArray<Replacement>): string | undefined {
    if (!literal.startsWith('"')) return undefined
    const inside = replacements.flatMap((each) => {
      const start = Math.max(1, each.start + (isEscaped(literal, each.start) ? 1 : 0))
      const end = Math.min(literal.length - 1, each.end - (isEscaped(literal, each.end) ? 1 : 0))
      return start < end ? [{ ...each, start, end }] : []
    })
    const replaced = this.#replace(literal, inside) ?? literal
    try {
      JSON.parse(replaced)
      return replaced
    } catch {
      return undefined
    }
  }

  /** Reports what a text has, and returns what of it is to be replaced. */
  #find(text: string, slot: TextSlot): ReadonlyArray<Replacement> {
    const found = scan(text, this.#detectors)
    let replacements: Array<Replacement> | undefined
    for (const [at, detections] of found.entries()) {
      if (detections.length === 0) continue
      const filter = this.#filters[at]!
      const rule = findRule(filter, slot.role)
      if (rule === undefined) continue
      for (const detection of detections) {
        this.#report(filter, rule, slot, detection)
        if (isReplaced(rule)) (replacements ??= []).push({ ...detection, rule })
      }
    }
    return replacements ?? none
  }

  #report(filter: ContentFilter, rule: FilterRule, { path }: TextSlot, { kind }: Detection): void {
    this.#hits.push({ filter, rule, path, ...(kind === undefined ? undefined : { kind }) })
  }

  /** What is split across texts that follow each other: the first has the placeholder, the others lose their part. */
  #findAcross(slots: ReadonlyArray<TextSlot>): ReadonlyMap<TextSlot, ReadonlyArray<Replacement>> {
    const starts: Array<number> = []
    let joined = ""
    for (const slot of slots) {
      if (joined !== "" && !slot.isContinued) joined += "\n"
      starts.push(joined.length)
      joined += slot.text
    }
    const seams = new Map<TextSlot, Array<Replacement>>()
    for (const [at, detections] of scan(joined, this.#detectors).entries()) {
      const filter = this.#filters[at]!
      for (const detection of detections) {
        let number = findLast(starts, detection.start)
        const slot = slots[number]!
        const rule = findRule(filter, slot.role)
        // What lies within one text is found there.
        if (rule === undefined || detection.end <= starts[number]! + slot.text.length) continue
        this.#report(filter, rule, slot, detection)
        if (!isReplaced(rule)) continue
        let isFirst = true
        for (; number < slots.length && starts[number]! < detection.end; number++) {
          const { [number]: part } = slots
          const start = Math.max(0, detection.start - starts[number]!)
          const end = Math.min(part!.text.length, detection.end - starts[number]!)
          if (start >= end) continue
          const parts = seams.get(part!) ?? []
          // A text must not become empty, which some providers refuse.
          const isWhole = start === 0 && end === part!.text.length
          parts.push({ start, end, rule: isFirst || isWhole ? rule : { ...rule, placeholder: "" } })
          seams.set(part!, parts)
          isFirst = false
        }
      }
    }
    return seams
  }

  /** Undefined when nothing is replaced. Where contents overlap, the outermost first one gives the name. */
  #replace(text: string, replacements: ReadonlyArray<Replacement>): string | undefined {
    if (replacements.length === 0) return undefined
    const ordered = replacements.toSorted((a, b) => a.start - b.start || b.end - a.end)
    let replaced = ""
    let copied = 0
    for (let at = 0; at < ordered.length;) {
      const { rule, start } = ordered[at]!
      let { end } = ordered[at]!
      for (at++; at < ordered.length && ordered[at]!.start < end; at++) {
        end = Math.max(end, ordered[at]!.end)
      }
      const placeholder = this.#placeholders.put(text.slice(start, end), rule)
      replaced += text.slice(copied, start) + placeholder
      copied = end
    }
    return replaced + text.slice(copied)
  }

  #put({ holder, key, kind }: TextSlot, text: string): void {
    const edits = (this.#edits ??= makeEdits())
    // The key of a field is a text.
    if (kind === "key") putIn(edits.keys, holder, String(key), text)
    else putIn(edits.values, holder, key, text)
  }
}

const none: ReadonlyArray<Replacement> = []

/** Whether a backslash gives the character of a JSON string its meaning. */
const isEscaped = (literal: string, at: number): boolean => {
  let first = at
  while (literal[first - 1] === "\\") first--
  return (at - first) % 2 === 1
}

/** What is blocked is not sent, but logs of content would have it. */
const isReplaced = ({ action }: FilterRule): boolean => action !== "flag"

const putIn = <Key>(
  edits: Map<object, Map<Key, string>>,
  holder: object,
  key: Key,
  text: string
): void => {
  const known = edits.get(holder)
  if (known === undefined) edits.set(holder, new Map([[key, text]]))
  else known.set(key, text)
}

/** The last place in an ascending list whose number is not above `number`. */
const findLast = (ascending: ReadonlyArray<number>, number: number): number => {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (ascending[middle]! <= number) low = middle
    else high = middle - 1
  }
  return low
}
