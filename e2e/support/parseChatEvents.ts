/** Parses the server-sent events of a chat. */

export interface ChatEvents {
  /** The JSON of each event. */
  readonly chunks: ReadonlyArray<unknown>
  /** Whether it ends with `[DONE]`. */
  readonly isDone: boolean
}

export const parseChatEvents = (text: string): ChatEvents => {
  const received = text
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length))
  return {
    chunks: received.filter((data) => data !== "[DONE]").map((data): unknown => JSON.parse(data)),
    isDone: received.at(-1) === "[DONE]"
  }
}
