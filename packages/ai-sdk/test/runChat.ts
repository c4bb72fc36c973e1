/** Runs chats of an upstream with fake models. */
import {
  type ChatCall,
  type ChatEvent,
  type ChatReply,
  toStream,
  type Upstream,
  type UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Stream from "effect/Stream"

export const call: ChatCall = {
  model: "fake",
  messages: [{ role: "user", content: "Is it calm at sea?" }],
  parameters: {},
  contentBytes: 100
}

export const complete = (
  { chat }: Upstream,
  request: Partial<ChatCall> = {}
): Effect.Effect<ChatReply, UpstreamFailure> =>
  Effect.provide(chat!.complete({ ...call, ...request }), FetchHttpClient.layer)

export const stream = (
  { chat }: Upstream,
  request: Partial<ChatCall> = {}
): Effect.Effect<Array<ChatEvent>, UpstreamFailure> =>
  Effect.provide(
    Stream.runCollect(toStream(chat!.stream({ ...call, ...request }))),
    FetchHttpClient.layer
  )

/** What a streamed answer says, joined as clients do. */
export const joinDeltas = (events: ReadonlyArray<ChatEvent>) => {
  let content = ""
  const details: Array<unknown> = []
  const calls: Array<{ id: string; type: string; function: { name: string; arguments: string } }> =
    []
  for (const event of events) {
    if (event.type !== "delta") continue
    for (const { delta } of event.choices) {
      const { content: piece, reasoning_details, tool_calls } = delta
      if (typeof piece === "string") content += piece
      if (Array.isArray(reasoning_details)) details.push(...reasoning_details)
      if (!Array.isArray(tool_calls)) continue
      for (const { index, ...call } of tool_calls) {
        const known = calls[index]
        if (known === undefined) calls[index] = structuredClone(call)
        else known.function.arguments += call.function.arguments
      }
    }
  }
  return { calls, content, details }
}
