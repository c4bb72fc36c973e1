/** Reads a stream of server-sent events as a client of chats does. */

export interface ChatEventsRead {
  /** The JSON of each event. */
  readonly chunks: ReadonlyArray<unknown>
  /** Whether it ends with `[DONE]`. */
  readonly isDone: boolean
}

export const chatEventsIn = (text: string): ChatEventsRead => {
  const told = text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length))
  return {
    chunks: told.filter((data) => data !== "[DONE]").map((data): unknown => JSON.parse(data)),
    isDone: told.at(-1) === "[DONE]"
  }
}
