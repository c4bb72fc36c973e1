/** Redacts secrets from a JSON event stream, even when they are split across events. */
import { redactionMark, type Redactor, makeRedactor } from "./Redactor.ts"

/** For the events of one stream. */
export interface StreamRedactor<E> {
  /** Adds secrets to redact from now on. */
  readonly setRedactor: (redactor: Redactor) => void
  /**
   * The events that may be passed on, in order. An event whose end may begin a secret is held back, with all later
   * ones, until that is decided or its text has not continued for `maxBufferedEvents` events. Secrets are redacted in
   * the values of the events themselves; names are complete in one event and redacted by its parser. `size` is the
   * approximate number of characters.
   */
  readonly push: (event: E, size?: number) => ReadonlyArray<E>
  /**
   * Whether an event is held back, or `event` has a text at a place whose last text may begin a secret. False: `push` passes
   * it on and remembers nothing of it, if `hasPossibleSecretInJson` is false of it, too.
   */
  readonly isContinuedBy: (event: E) => boolean
  /** The events still held back, at the end of the stream. */
  readonly flush: () => ReadonlyArray<E>
  /** More texts may begin a secret than can be tracked at once. */
  readonly hasOverflowed: () => boolean
}

/** A text of one event. */
interface Part {
  readonly event: number
  readonly holder: object
  readonly key: string
  /** The part of it that is decided. */
  readonly redacted: string
  readonly text: string
}

/** The state of the texts at one path of the events, such as the content of the first choice. */
interface TrackedText {
  /** The end of the text already passed on, where it may begin a secret. */
  emittedTail: string
  /** Held-back text that may begin or continue a secret, and the text after it. */
  pendingParts: ReadonlyArray<Part>
}

/** The paths in an object whose texts may continue a secret. */
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
  /** The number of the first event held back, or of the next one. */
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
        // Text already passed on cannot be taken back.
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

  /** The state to keep for it. */
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
    isContinuedBy: (event) => buffered.length > 0 || hasTextAt(root, event),
    flush: () => {
      for (const line of openTexts) settle(line, true)
      return next(buffered.length)
    },
    hasOverflowed: () => hasOverflowed
  }
}

/**
 * Events to wait for the continuation of a text. A text that has ended, for example the reasoning before an answer,
 * must not hold back everything after it.
 */
const maxBufferedEvents = 32

/** The number of characters that may be held back, unless a single event is larger. */
const maxBufferedCharacters = 16_777_216

/** Bounds memory; an answer has a few choices, each with a few texts and calls. */
const maxTrackedTexts = 65_536

const hasTextAt = (places: PathTree, holder: object): boolean => {
  if (places.size === 0) return false
  for (const key in holder) {
    const value: unknown = Reflect.get(holder, key)
    if (value === "" || value === null) continue
    if (typeof value === "string" && places.has(key)) return true
    if (typeof value !== "object") continue
    const place = places.get(getPathName(holder, key, value))
    if (place !== undefined && (!(place instanceof Map) || hasTextAt(place, value))) return true
  }
  return false
}

/** Items of a list may say which they are, as choices and tool calls do. */
const getPathName = (holder: object, key: string, value: object): string =>
  Array.isArray(holder) && "index" in value && typeof value.index === "number"
    ? String(value.index)
    : key
