/** Strikes out of JSON that comes event by event what was told in confidence, over however many events it is split. */
import { redactionMark, type Redactor, makeRedactor } from "./Redactor.ts"

/** For the events of one stream. */
export interface StreamRedactor<E> {
  /** What is looked for from now on. */
  readonly setRedactor: (redactor: Redactor) => void
  /**
   * What may be told by now, in order: `event` itself, unless its end may be the beginning of a secret. Such an
   * event, and what comes after it, waits until that is decided, or until its text has not gone on for
   * `waitOptions` events. What is struck out is gone from the values of the events themselves; a name is whole in its
   * event, and is taken care of where that is parsed. `size`: about how many characters the event has.
   */
  readonly push: (event: E, size?: number) => ReadonlyArray<E>
  /** Those that wait still: nothing follows them. */
  readonly flush: () => ReadonlyArray<E>
  /** More texts at once may begin a secret than any answer has: not all of them are remembered. */
  readonly hasOverflowed: () => boolean
}

/** A text of one event. */
interface Part {
  readonly event: number
  readonly holder: object
  readonly key: string
  /** The beginning of it, of which everything is known. */
  readonly redacted: string
  readonly text: string
}

/** What is remembered of the texts at one place of the events, such as the content of the first choice. */
interface TrackedText {
  /** The end of what was told of it, where that may begin a secret. */
  emittedTail: string
  /** What may begin a secret, or go on with what was told, and what came after it. */
  pendingParts: ReadonlyArray<Part>
}

/** The places in an object whose texts may go on with a secret. */
type PathTree = Map<string, TrackedText | PathTree>

export const makeStreamRedactor = <E extends object>(
  initialRedactor: Redactor = makeRedactor([])
): StreamRedactor<E> => {
  let redactor = initialRedactor
  const root: PathTree = new Map()
  let trackedCount = 0
  let hasOverflowed = false
  const openTexts = new Set<TrackedText>()
  const buffered: Array<E> = []
  let bufferedCharacters = 0
  /** The number of the first that waits, or of the next. */
  let firstBuffered = 0

  const settle = (line: TrackedText, isOver: boolean): void => {
    const { pendingParts, emittedTail } = line
    const seen = emittedTail + pendingParts.map(({ text }) => text).join("")
    const { decidedUntil, found } = redactor.findSecrets(seen, 0, isOver)
    const left: Array<Part> = []
    let next = 0
    let at = emittedTail.length
    for (const part of pendingParts) {
      const { holder, key, text } = part
      const until = at + text.length
      let redacted = part.redacted
      let from = at
      for (let stretch = found[next]; stretch !== undefined && stretch.start < until;) {
        const { end, start } = stretch
        redacted += text.slice(from - at, Math.max(start - at, 0))
        // What was told of it cannot be taken back.
        if (Math.max(start, emittedTail.length) >= at) redacted += redactionMark
        from = Math.min(end, until)
        stretch = end > until ? undefined : found[++next]
      }
      const undecided = Math.min(Math.max(decidedUntil, from), until)
      const rest = text.slice(undecided - at)
      const hadOne = from > at
      redacted += text.slice(from - at, undecided - at)
      // A key may be `__proto__`.
      if (hadOne) Object.defineProperty(holder, key, { value: redacted + rest })
      if (rest !== "") left.push({ ...part, redacted, text: rest })
      at = until
    }
    line.pendingParts = left
    line.emittedTail =
      decidedUntil === seen.length
        ? redactor.getPartialTail(seen.slice(found.at(-1)?.end))
        : emittedTail.slice(Math.min(decidedUntil, emittedTail.length))
    if (left.length > 0) openTexts.add(line)
    else openTexts.delete(line)
  }

  /** What is to be remembered of it. */
  const trackText = (before: TrackedText | undefined, part: Part): TrackedText | undefined => {
    const { text } = part
    const isOpen = before !== undefined && before.pendingParts.length > 0
    const seen = (before?.emittedTail ?? "") + text
    if (!isOpen && !redactor.hasPossibleSecret(seen)) {
      const emittedTail = redactor.getPartialTail(seen)
      if (emittedTail === "") return undefined
      if (before === undefined) return { emittedTail, pendingParts: [] }
      before.emittedTail = emittedTail
      return before
    }
    const line = before ?? { emittedTail: "", pendingParts: [] }
    line.pendingParts = [...line.pendingParts, part]
    settle(line, false)
    return line.pendingParts.length === 0 && line.emittedTail === "" ? undefined : line
  }

  const trackEvent = (
    places: PathTree | undefined,
    holder: object,
    event: number
  ): PathTree | undefined => {
    let remaining = places
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key)
      if (
        value === "" ||
        value === null ||
        !(typeof value === "string" || typeof value === "object")
      )
        continue
      const name = typeof value === "string" ? key : getPathName(holder, key, value)
      const before = remaining?.get(name)
      const after =
        typeof value === "string"
          ? trackText(before instanceof Map ? undefined : before, {
              event,
              holder,
              key,
              redacted: "",
              text: value
            })
          : trackEvent(before instanceof Map ? before : undefined, value, event)
      if (after === before) continue
      if (before !== undefined) trackedCount--
      if (after === undefined) remaining?.delete(name)
      else if (trackedCount < maxTrackedTexts) {
        trackedCount++
        remaining ??= new Map()
        remaining.set(name, after)
      } else hasOverflowed = true
    }
    return remaining === undefined || remaining.size === 0 ? undefined : remaining
  }

  const next = (count: number): ReadonlyArray<E> => {
    firstBuffered += count
    if (count === buffered.length) bufferedCharacters = 0
    return buffered.splice(0, count)
  }

  return {
    setRedactor: (replacement) => {
      redactor = replacement
    },
    push: (event, size = 0) => {
      if (redactor.isEmpty) return [event]
      const number = firstBuffered + buffered.length
      trackEvent(root, event, number)
      if (openTexts.size === 0 && buffered.length === 0) {
        firstBuffered++
        return [event]
      }
      buffered.push(event)
      bufferedCharacters += size
      let last = number + 1
      for (const line of openTexts) {
        const { pendingParts } = line
        const isQuiet = number - (pendingParts.at(-1)?.event ?? 0) >= maxBufferedEvents
        if (isQuiet || bufferedCharacters > maxBufferedCharacters) settle(line, true)
        else last = Math.min(last, pendingParts[0]?.event ?? last)
      }
      return next(last - firstBuffered)
    },
    flush: () => {
      for (const line of openTexts) settle(line, true)
      return next(buffered.length)
    },
    hasOverflowed: () => hasOverflowed
  }
}

/**
 * So many events may come before a text goes on: one that is over, such as what a model thought before it answered,
 * would hold up all that follows it. Our choice.
 */
const maxBufferedEvents = 32

/** So many characters of events may wait, or one of them alone. */
const maxBufferedCharacters = 16_777_216

/** An answer has some choices, each with some texts and calls. */
const maxTrackedTexts = 65_536

/** Items of a list may say which they are, as choices and tool calls do. */
const getPathName = (holder: object, key: string, value: object): string =>
  Array.isArray(holder) && "index" in value && typeof value.index === "number"
    ? String(value.index)
    : key
