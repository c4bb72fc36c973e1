/** Strikes out of JSON that comes event by event what was told in confidence, over however many events it is split. */
import { mark, type Redactor, redactorOf } from "./Redactor.ts"

/** For the events of one stream. */
export interface Sieve<E> {
  /** What is looked for from now on. */
  readonly learn: (redactor: Redactor) => void
  /**
   * What may be told by now, in order: `event` itself, unless its end may be the beginning of a secret. Such an
   * event, and what comes after it, waits until that is decided, or until its text has not gone on for
   * `patience` events. What is struck out is gone from the values of the events themselves; a name is whole in its
   * event, and is taken care of where that is parsed. `size`: about how many characters the event has.
   */
  readonly push: (event: E, size?: number) => ReadonlyArray<E>
  /** Those that wait still: nothing follows them. */
  readonly rest: () => ReadonlyArray<E>
  /** More texts at once may begin a secret than any answer has: not all of them are remembered. */
  readonly isOverfull: () => boolean
}

/** A text of one event. */
interface Part {
  readonly event: number
  readonly holder: object
  readonly key: string
  /** The beginning of it, of which everything is known. */
  readonly decided: string
  readonly text: string
}

/** What is remembered of the texts at one place of the events, such as the content of the first choice. */
interface Line {
  /** The end of what was told of it, where that may begin a secret. */
  told: string
  /** What may begin a secret, or go on with what was told, and what came after it. */
  parts: ReadonlyArray<Part>
}

/** The places in an object whose texts may go on with a secret. */
type Places = Map<string, Line | Places>

export const sifting = <E extends object>(known: Redactor = redactorOf([])): Sieve<E> => {
  let redactor = known
  const root: Places = new Map()
  let remembered = 0
  let isOverfull = false
  const open = new Set<Line>()
  const waiting: Array<E> = []
  let waitingSize = 0
  /** The number of the first that waits, or of the next. */
  let first = 0

  const settle = (line: Line, isOver: boolean): void => {
    const { parts, told } = line
    const seen = told + parts.map(({ text }) => text).join("")
    const { certain, found } = redactor.find(seen, 0, isOver)
    const left: Array<Part> = []
    let next = 0
    let at = told.length
    for (const part of parts) {
      const { holder, key, text } = part
      const until = at + text.length
      let decided = part.decided
      let from = at
      for (let stretch = found[next]; stretch !== undefined && stretch.start < until;) {
        const { end, start } = stretch
        decided += text.slice(from - at, Math.max(start - at, 0))
        // What was told of it cannot be taken back.
        if (Math.max(start, told.length) >= at) decided += mark
        from = Math.min(end, until)
        stretch = end > until ? undefined : found[++next]
      }
      const undecided = Math.min(Math.max(certain, from), until)
      const rest = text.slice(undecided - at)
      const hadOne = from > at
      decided += text.slice(from - at, undecided - at)
      // A key may be `__proto__`.
      if (hadOne) Object.defineProperty(holder, key, { value: decided + rest })
      if (rest !== "") left.push({ ...part, decided, text: rest })
      at = until
    }
    line.parts = left
    line.told =
      certain === seen.length
        ? redactor.tailOf(seen.slice(found.at(-1)?.end))
        : told.slice(Math.min(certain, told.length))
    if (left.length > 0) open.add(line)
    else open.delete(line)
  }

  /** What is to be remembered of it. */
  const read = (before: Line | undefined, part: Part): Line | undefined => {
    const { text } = part
    const isOpen = before !== undefined && before.parts.length > 0
    const seen = (before?.told ?? "") + text
    if (!isOpen && !redactor.isSuspect(seen)) {
      const told = redactor.tailOf(seen)
      if (told === "") return undefined
      if (before === undefined) return { told, parts: [] }
      before.told = told
      return before
    }
    const line = before ?? { told: "", parts: [] }
    line.parts = [...line.parts, part]
    settle(line, false)
    return line.parts.length === 0 && line.told === "" ? undefined : line
  }

  const walk = (places: Places | undefined, holder: object, event: number): Places | undefined => {
    let kept = places
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key)
      if (
        value === "" ||
        value === null ||
        !(typeof value === "string" || typeof value === "object")
      )
        continue
      const name = typeof value === "string" ? key : nameOf(holder, key, value)
      const before = kept?.get(name)
      const after =
        typeof value === "string"
          ? read(before instanceof Map ? undefined : before, {
              event,
              holder,
              key,
              decided: "",
              text: value
            })
          : walk(before instanceof Map ? before : undefined, value, event)
      if (after === before) continue
      if (before !== undefined) remembered--
      if (after === undefined) kept?.delete(name)
      else if (remembered < mostPlaces) {
        remembered++
        kept ??= new Map()
        kept.set(name, after)
      } else isOverfull = true
    }
    return kept === undefined || kept.size === 0 ? undefined : kept
  }

  const next = (count: number): ReadonlyArray<E> => {
    first += count
    if (count === waiting.length) waitingSize = 0
    return waiting.splice(0, count)
  }

  return {
    learn: (wanted) => {
      redactor = wanted
    },
    push: (event, size = 0) => {
      if (redactor.isIdle) return [event]
      const number = first + waiting.length
      walk(root, event, number)
      if (open.size === 0 && waiting.length === 0) {
        first++
        return [event]
      }
      waiting.push(event)
      waitingSize += size
      let last = number + 1
      for (const line of open) {
        const { parts } = line
        const isQuiet = number - (parts.at(-1)?.event ?? 0) >= patience
        if (isQuiet || waitingSize > mostWaiting) settle(line, true)
        else last = Math.min(last, parts[0]?.event ?? last)
      }
      return next(last - first)
    },
    rest: () => {
      for (const line of open) settle(line, true)
      return next(waiting.length)
    },
    isOverfull: () => isOverfull
  }
}

/**
 * So many events may come before a text goes on: one that is over, such as what a model thought before it answered,
 * would hold up all that follows it. Our choice.
 */
const patience = 32

/** So many characters of events may wait, or one of them alone. */
const mostWaiting = 16_777_216

/** An answer has some choices, each with some texts and calls. */
const mostPlaces = 65_536

/** Items of a list may say which they are, as choices and tool calls do. */
const nameOf = (holder: object, key: string, value: object): string =>
  Array.isArray(holder) && "index" in value && typeof value.index === "number"
    ? String(value.index)
    : key
