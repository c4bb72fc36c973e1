/** Strikes out of JSON that comes event by event what was told in confidence, over however many events it is split. */
import { spellingsOf } from "./spellingsOf.ts"

/** For the events of one stream. */
export interface Sieve<E> {
  /** Looks for these too, from now on; shorter ones than eight characters are words like any other. */
  readonly learn: (secrets: ReadonlyArray<string>) => void
  /**
   * What may be told by now, in order: `event` itself, unless its end may be the beginning of a secret. Such an
   * event, and what comes after it, waits until that is decided. What is struck out is gone from the events themselves.
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
  /** What may begin a secret, and what came after it. */
  parts: Array<Part>
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
    const seen = line.told + text
    if (heads.test(seen)) return false
    line.told = endOf(seen)
    return true
  }

  const take = (line: Line, part: Part): void => {
    line.parts.push(part)
    const from = strikeAll(line, spellings)
    const text = textOf(line)
    const begins = beginningIn(text, from, spellings)
    tell(line, begins ?? text.length)
    if (begins === undefined) open.delete(line)
    else open.add(line)
  }

  const walk = (line: Line, holder: object, event: number): void => {
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key)
      if (typeof value === "string") {
        const inner = innerOf(line, key)
        if (!isPlain(inner, value)) take(inner, { event, holder, key, text: value })
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
      spellings = [...new Set([...spellings, ...fresh.flatMap(spellingsOf)])]
      heads = new RegExp([...new Set(spellings.map(headPattern))].join("|"))
    },
    push: (event) => {
      if (spellings.length === 0) return [event]
      waiting.push(event)
      walk(root, event, first + waiting.length - 1)
      let last = first + waiting.length
      for (const { parts } of open) last = Math.min(last, parts[0]?.event ?? last)
      return next(last - first)
    },
    rest: () => {
      for (const line of open) line.parts = []
      open.clear()
      return next(waiting.length)
    }
  }
}

/** Source: a real key has as many characters. */
const shortest = 8

/** So much of a secret may be told before it is known for one: an ordinary text is not held up by a letter. */
const head = 4

const mark = "[redacted]"

const lineOf = (): Line => ({ told: "", parts: [], inner: new Map() })

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

/** Gives where the text goes on behind what was struck out. */
const strikeAll = (line: Line, spellings: ReadonlyArray<string>): number => {
  for (let from = 0; ;) {
    const text = textOf(line)
    let start = text.length
    let end = start
    for (const spelling of spellings) {
      const at = text.indexOf(spelling, from)
      if (at < 0 || at > start || (at === start && at + spelling.length <= end)) continue
      start = at
      end = at + spelling.length
    }
    if (start === text.length) return from
    strike(line, start, end)
    from = Math.max(start, line.told.length) + mark.length
  }
}

/** What was told of it cannot be taken back. */
const strike = ({ parts, told }: Line, start: number, end: number): void => {
  let instead = mark
  let at = told.length
  for (const part of parts) {
    const { holder, key, text } = part
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, text.length)]
    at += text.length
    if (from >= to) continue
    part.text = text.slice(0, from) + instead + text.slice(to)
    instead = ""
    // A key may be `__proto__`.
    Object.defineProperty(holder, key, { value: part.text })
  }
}

/** Where the end of a text begins that may be the beginning of a secret. */
const beginningIn = (
  text: string,
  from: number,
  spellings: ReadonlyArray<string>
): number | undefined => {
  let first: number | undefined
  for (const spelling of spellings) {
    const start = spelling.slice(0, head)
    let at = text.indexOf(start, Math.max(from, text.length - spelling.length + 1))
    while (at >= 0 && !spelling.startsWith(text.slice(at))) at = text.indexOf(start, at + 1)
    if (at >= 0) first = Math.min(first ?? at, at)
  }
  return first
}

/** Everything that ends before this place. */
const tell = (line: Line, place: number): void => {
  let end = line.told.length
  let count = 0
  for (const { text } of line.parts) {
    if (end + text.length > place) break
    end += text.length
    count += 1
  }
  if (count === 0) return
  line.told = endOf(textOf(line).slice(0, end))
  line.parts.splice(0, count)
}
