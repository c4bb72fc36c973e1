/** Parses the text of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html. */

/** What a parser finds. */
export interface EventHandler {
  /** The data and the name of an event; an event without a name has an empty one. */
  readonly onEvent: (data: string, name: string) => void
  /** May read events from where one begins, and returns where the next one does. */
  readonly readKnown?: (text: string, start: number) => number
}

/** Ids, retry times and comments are ignored. A class, because every open stream has one. */
export class EventParser {
  readonly #handler: EventHandler
  readonly #maxEventSize: number
  /** The parts of a line whose end has not arrived. */
  #pendingParts: Array<string> = []
  #pendingLength = 0
  #isAfterCr = false
  #data: string | undefined
  #name = ""

  constructor(handler: EventHandler, maxEventSize: number) {
    this.#handler = handler
    this.#maxEventSize = maxEventSize
  }

  /** Tells the handler of each event that is complete now. False: the pending event is larger than the limit. */
  feed(text: string): boolean {
    let start = this.#isAfterCr && text.charCodeAt(0) === lf ? 1 : 0
    if (text.length > 0) this.#isAfterCr = false
    if (this.#pendingLength === 0) start = this.#skipKnown(text, start)
    let nextLf = text.indexOf("\n", start)
    let nextCr = text.indexOf("\r", start)
    while (nextLf !== -1 || nextCr !== -1) {
      const isCr = nextLf === -1 || (nextCr !== -1 && nextCr < nextLf)
      const end = isCr ? nextCr : nextLf
      if (this.#pendingLength === 0) this.#parseLine(text, start, end)
      else {
        const line = this.#pendingParts.join("") + text.slice(start, end)
        this.#pendingParts = []
        this.#pendingLength = 0
        this.#parseLine(line, 0, line.length)
      }
      const isCrLf = isCr && nextLf === end + 1
      if (isCr && !isCrLf) this.#isAfterCr = end + 1 === text.length
      start = this.#skipKnown(text, end + (isCrLf ? 2 : 1))
      // Searching for one that is still ahead would make a long text cost its square.
      if (nextLf !== -1 && nextLf < start) nextLf = text.indexOf("\n", start)
      if (nextCr !== -1 && nextCr < start) nextCr = text.indexOf("\r", start)
    }
    if (start < text.length) {
      this.#pendingParts.push(text.slice(start))
      this.#pendingLength += text.length - start
    }
    const waiting = this.#data === undefined ? 0 : this.#data.length + 1
    return this.#pendingLength + waiting <= this.#maxEventSize
  }

  #parseLine(text: string, start: number, end: number): void {
    if (start === end) {
      const data = this.#data
      const name = this.#name
      this.#data = undefined
      this.#name = ""
      if (data !== undefined) this.#handler.onEvent(data, name)
    } else if (isField(text, start, end, "data")) {
      const value = getValue(text, start + 4, end)
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    } else if (isField(text, start, end, "event")) this.#name = getValue(text, start + 5, end)
  }

  #skipKnown(text: string, start: number): number {
    return this.#data === undefined && this.#name === "" && this.#handler.readKnown !== undefined
      ? this.#handler.readKnown(text, start)
      : start
  }
}

const isField = (text: string, start: number, end: number, field: string): boolean => {
  const after = start + field.length
  return text.startsWith(field, start) && (after === end || text.charCodeAt(after) === colon)
}

/** One space after the colon does not belong to the value. */
const getValue = (text: string, colonAt: number, end: number): string => {
  const from = text.charCodeAt(colonAt + 1) === space ? colonAt + 2 : colonAt + 1
  return text.slice(Math.min(from, end), end)
}

const lf = 10
const space = 32
const colon = 58
