/** Runs chats of an upstream with fake models. */
import { type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import {
  type ChatEvent,
  type ChatReply,
  toStream,
  type Upstream,
  type UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Stream from "effect/Stream"
import { writeEvents } from "@signalbox/testing"

const input: ChatCallInput = {
  model: "fake",
  messages: [{ role: "user", content: "Is it calm at sea?" }],
  contentBytes: 100
}

export const call = makeChatCall(input)

export const complete = (
  { chat }: Upstream,
  request: Partial<ChatCallInput> = {}
): Effect.Effect<ChatReply, UpstreamFailure> =>
  Effect.provide(chat!.complete(makeChatCall({ ...input, ...request })), FetchHttpClient.layer)

export const stream = (
  { chat }: Upstream,
  request: Partial<ChatCallInput> = {}
): Effect.Effect<Array<ChatEvent>, UpstreamFailure> =>
  Effect.provide(
    Stream.runCollect(toStream(chat!.stream(makeChatCall({ ...input, ...request })))),
    FetchHttpClient.layer
  )

/** What a streamed answer says, joined as clients do. */
export const joinDeltas = (events: ReadonlyArray<ChatEvent>) => {
  let content = ""
  const details: Array<unknown> = []
  const calls: Array<{ id: string; type: string; function: { name: string; arguments: string } }> =
    []
  for (const event of writeEvents(events)) {
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
