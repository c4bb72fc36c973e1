/** Parses the text of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html. */

export interface EventParser {
  /** Calls `onEvent` for each event that is complete now. False: the pending event is larger than the limit. */
  readonly feed: (text: string) => boolean
}

/**
 * `onEvent` gets the data and the name of an event. Ids, retry times and comments are ignored. `readKnown` may read
 * events from where one begins, and returns where the next one does.
 */
export const makeEventParser = (
  onEvent: (data: string, name: string) => void,
  maxEventSize: number,
  readKnown: (text: string, start: number) => number = (_, start) => start
): EventParser => {
  /** The parts of a line whose end has not arrived. */
  let pendingParts: Array<string> = []
  let pendingLength = 0
  let isAfterCr = false
  let data: string | undefined
  let name = ""

  const parseLine = (text: string, start: number, end: number): void => {
    if (start === end) {
      const eventData = data
      const eventName = name
      data = undefined
      name = ""
      if (eventData !== undefined) onEvent(eventData, eventName)
    } else if (isField(text, start, end, "data")) {
      const value = getValue(text, start + 4, end)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (isField(text, start, end, "event")) name = getValue(text, start + 5, end)
  }

  const skipKnown = (text: string, start: number): number =>
    data === undefined && name === "" ? readKnown(text, start) : start

  return {
    feed: (text) => {
      let start = isAfterCr && text.charCodeAt(0) === lf ? 1 : 0
      if (text.length > 0) isAfterCr = false
      if (pendingLength === 0) start = skipKnown(text, start)
      let nextLf = text.indexOf("\n", start)
      let nextCr = text.indexOf("\r", start)
      while (nextLf !== -1 || nextCr !== -1) {
        const isCr = nextLf === -1 || (nextCr !== -1 && nextCr < nextLf)
        const end = isCr ? nextCr : nextLf
        if (pendingLength === 0) parseLine(text, start, end)
        else {
          const line = pendingParts.join("") + text.slice(start, end)
          pendingParts = []
          pendingLength = 0
          parseLine(line, 0, line.length)
        }
        const isCrLf = isCr && nextLf === end + 1
        if (isCr && !isCrLf) isAfterCr = end + 1 === text.length
        start = skipKnown(text, end + (isCrLf ? 2 : 1))
        // Searching for one that is still ahead would make a long text cost its square.
        if (nextLf !== -1 && nextLf < start) nextLf = text.indexOf("\n", start)
        if (nextCr !== -1 && nextCr < start) nextCr = text.indexOf("\r", start)
      }
      if (start < text.length) {
        pendingParts.push(text.slice(start))
        pendingLength += text.length - start
      }
      return pendingLength + (data === undefined ? 0 : data.length + 1) <= maxEventSize
    }
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
