/** Strikes out of JSON that comes event by event what was told in confidence, over however many events it is split. */
import { spellingsOfAll } from "./spellingsOf.ts"

/** For the events of one stream. */
export interface Sieve<E> {
  /** Looks for these too, from now on; shorter ones than eight characters are words like any other. */
  readonly learn: (secrets: ReadonlyArray<string>) => void
  /**
   * What may be told by now, in order: `event` itself, unless its end may be the beginning of a secret. Such an
   * event, and what comes after it, waits until that is decided, or until its text has not gone on for
   * `patience` events. What is struck out is gone from the events themselves.
   */
  readonly push: (event: E) => ReadonlyArray<E>
  /** Those that wait still: nothing follows them. */
  readonly rest: () => ReadonlyArray<E>
}

/** A text of one event. */
interface Part {
  readonly event: number
  readonly holder: object
  readonly key: string
  text: string
}

/** All that stands at one place of the events: such as the content of the first choice, piece after piece. */
interface Line {
  /** The end of what was told of it, shorter than the shortest beginning that is looked for. */
  told: string
  /** A text that was plain behind it and left it as it was, as the name of a model does in each event. */
  again: string | undefined
  /** The beginnings that were looked for then: there may be more by now. */
  heads: RegExp | undefined
  /** What may begin a secret, or go on with what was told, and what came after it. */
  parts: Array<Part>
  /** Where in all this it may begin. */
  from: number
  readonly inner: Map<string, Line>
}

export const sifting = <E extends object>(): Sieve<E> => {
  const known = new Set<string>()
  let spellings: ReadonlyArray<string> = []
  /** Where a text holds none of these, no secret is in it or begins in it. */
  let heads = /(?!)/
  const root = lineOf()
  const open = new Set<Line>()
  const waiting: Array<E> = []
  /** The number of the first that waits, or of the next. */
  let first = 0

  /** Whether this piece of it holds nothing of a secret, as nearly all do. */
  const isPlain = (line: Line, text: string): boolean => {
    if (line.parts.length > 0) return false
    if (line.again === text && line.heads === heads) return true
    const seen = line.told + text
    if (heads.test(seen)) return false
    const told = endOf(seen)
    line.again = told === line.told ? text : undefined
    line.heads = heads
    line.told = told
    return true
  }

  const settle = (line: Line, isOver: boolean): void => {
    const before = textOf(line)
    const { certain, found } = lookThrough(before, line.from, spellings, isOver)
    strike(line, found)
    line.again = undefined
    if (certain < before.length) {
      open.add(line)
      tell(line, before.length - certain)
    } else {
      open.delete(line)
      line.told = endOf(before.slice(found.at(-1)?.end))
      line.parts = []
      line.from = 0
    }
  }

  const walk = (line: Line, holder: object, event: number): void => {
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key)
      if (typeof value === "string") {
        const inner = innerOf(line, key)
        if (value === "" || isPlain(inner, value)) continue
        inner.parts.push({ event, holder, key, text: value })
        settle(inner, false)
      } else if (typeof value === "object" && value !== null) {
        walk(innerOf(line, nameOf(holder, key, value)), value, event)
      }
    }
  }

  const next = (count: number): ReadonlyArray<E> => {
    first += count
    return waiting.splice(0, count)
  }

  return {
    learn: (secrets) => {
      const fresh = secrets.filter((secret) => secret.length >= shortest && !known.has(secret))
      if (fresh.length === 0) return
      for (const secret of fresh) known.add(secret)
      spellings = spellingsOfAll(known)
      heads = new RegExp([...new Set(spellings.map(headPattern))].join("|"))
    },
    push: (event) => {
      if (spellings.length === 0) return [event]
      const number = first + waiting.length
      walk(root, event, number)
      if (open.size === 0 && waiting.length === 0) {
        first++
        return [event]
      }
      waiting.push(event)
      let last = number + 1
      for (const line of open) {
        const { parts } = line
        if (number - (parts.at(-1)?.event ?? 0) >= patience) settle(line, true)
        else last = Math.min(last, parts[0]?.event ?? last)
      }
      return next(last - first)
    },
    rest: () => {
      for (const line of open) settle(line, true)
      return next(waiting.length)
    }
  }
}

/** Source: a real key has as many characters. */
const shortest = 8

/** So much of a secret may be told before it is known for one: an ordinary text is not held up by a letter. */
const head = 4

/**
 * So many events may come before a text goes on: one that is over, such as what a model thought before it answered,
 * would hold up all that follows it. Our choice.
 */
const patience = 32

const mark = "[redacted]"

const lineOf = (): Line => ({
  told: "",
  again: undefined,
  heads: undefined,
  parts: [],
  from: 0,
  inner: new Map()
})

const innerOf = ({ inner }: Line, name: string): Line => {
  let line = inner.get(name)
  if (line === undefined) inner.set(name, (line = lineOf()))
  return line
}

/** Items of a list may say which they are, as choices and tool calls do. */
const nameOf = (holder: object, key: string, value: object): string =>
  Array.isArray(holder) && "index" in value && typeof value.index === "number"
    ? String(value.index)
    : key

const textOf = ({ parts, told }: Line): string => told + parts.map(({ text }) => text).join("")

const endOf = (text: string): string => text.slice(1 - head)

/** Any characters, none of which means anything else in a pattern. */
const headPattern = (spelling: string): string =>
  Array.from(
    { length: head },
    (_, i) => `\\u${spelling.charCodeAt(i).toString(16).padStart(4, "0")}`
  ).join("")

interface Stretch {
  readonly start: number
  readonly end: number
}

/**
 * The secrets in a text, none of which overlap: whichever begins first, and of those that begin together the longest.
 * Behind what is certain one may have begun of which more is to come, unless the text is over.
 */
const lookThrough = (
  text: string,
  from: number,
  spellings: ReadonlyArray<string>,
  isOver: boolean
): { readonly found: ReadonlyArray<Stretch>; readonly certain: number } => {
  const found: Array<Stretch> = []
  const starts = spellings.map((spelling) => text.indexOf(spelling, from))
  let begins = isOver ? text.length : beginningIn(text, from, spellings)
  for (let place = from; ;) {
    let start = text.length
    let end = start
    for (const [i, spelling] of spellings.entries()) {
      let at = starts[i] ?? -1
      if (at >= 0 && at < place) starts[i] = at = text.indexOf(spelling, place)
      if (at < 0 || at > start || (at === start && at + spelling.length <= end)) continue
      start = at
      end = at + spelling.length
    }
    if (begins <= start) return { found, certain: begins }
    found.push({ start, end })
    place = end
    if (begins < place) begins = beginningIn(text, place, spellings)
  }
}

/** Where the end of a text begins that may be the beginning of a secret; its length: nowhere. */
const beginningIn = (text: string, from: number, spellings: ReadonlyArray<string>): number => {
  let first = text.length
  for (const spelling of spellings) {
    const start = spelling.slice(0, head)
    let at = text.indexOf(start, Math.max(from, text.length - spelling.length + 1))
    while (at >= 0 && !spelling.startsWith(text.slice(at))) at = text.indexOf(start, at + 1)
    if (at >= 0) first = Math.min(first, at)
  }
  return first
}

/** What was told of one cannot be taken back. */
const strike = ({ parts, told }: Line, found: ReadonlyArray<Stretch>): void => {
  if (found.length === 0) return
  let at = told.length
  for (const part of parts) {
    const { holder, key, text } = part
    const until = at + text.length
    let left = ""
    let from = at
    for (const { end, start } of found) {
      if (end <= from || start >= until) continue
      left += text.slice(from - at, Math.max(start - at, 0))
      if (Math.max(start, told.length) >= at) left += mark
      from = Math.min(end, until)
    }
    part.text = left + text.slice(from - at)
    // A key may be `__proto__`.
    if (from > at) Object.defineProperty(holder, key, { value: part.text })
    at = until
  }
}

/** Everything but the parts of the last so many characters, of which nothing is certain. */
const tell = (line: Line, uncertain: number): void => {
  const certain = textOf(line).length - uncertain - line.told.length
  let left = Math.max(certain, 0)
  let count = 0
  for (const { text } of line.parts) {
    if (text.length > left) break
    left -= text.length
    count += 1
  }
  line.told = certain < 0 ? line.told.slice(certain) : ""
  line.parts.splice(0, count)
  line.from = left
}
