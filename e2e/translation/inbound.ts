/** The APIs in front, with the paths and the words of each. */
import type { Json } from "../dialects/NativeAnswer.ts"
import { toMessagesBody } from "../dialects/toMessagesBody.ts"
import { toResponsesBody } from "../dialects/toResponsesBody.ts"

export interface Inbound {
  readonly name: "chat" | "messages" | "responses"
  readonly path: string
  /** The messages of a chat, in the form of the API. */
  readonly toBody: (messages: ReadonlyArray<Json>) => Json
}

const inbounds: ReadonlyArray<Inbound> = [
  { name: "chat", path: "/chat/completions", toBody: (messages) => ({ messages }) },
  {
    name: "messages",
    path: "/messages",
    toBody: (messages) => ({ max_tokens: 1_000, ...toMessagesBody(messages) })
  },
  { name: "responses", path: "/responses", toBody: toResponsesBody }
]

/** Each API, whole and streamed. */
export const asks = inbounds.flatMap((inbound) =>
  [false, true].map((isStreamed) => ({
    ...inbound,
    isStreamed,
    form: isStreamed ? "streamed" : "whole"
  }))
)

/** What the answer says it ignored or changed of its request. */
export const listIgnored = ({
  headers
}: {
  readonly headers: Readonly<Record<string, string>>
}): ReadonlyArray<string> => headers["x-signalbox-ignored"]?.split(", ") ?? []
