/** A scripted provider and the chats that call it, for the tests of the suite for chats. */
import { type AnswerEvent, type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import type {
  ChatCall,
  ChatCapability,
  ChatEvent,
  ChatReply,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { ScriptedUpstream } from "../ScriptedUpstream.ts"

export interface ChatHarness extends AsyncDisposable {
  readonly provider: ScriptedUpstream
  readonly chat: ChatCapability
  /** The call that `complete` and `stream` make by default. */
  readonly call: ChatCall
  readonly complete: (request?: ChatCall) => Promise<Result.Result<ChatReply, UpstreamFailure>>
  readonly stream: (request?: ChatCall) => Promise<CollectedStream>
}

/** The events of a stream, and its failure if it failed. */
export interface CollectedStream {
  readonly events: ReadonlyArray<ChatEvent>
  readonly failure: UpstreamFailure | undefined
}

export const messages = [
  { role: "system", content: "You keep a lighthouse." },
  { role: "user", content: [{ type: "text", text: "Is all wéll?" }] }
]

/** `messages` and `parameters` of the call; default: the messages of this file, and no parameters. */
export const makeCall = (
  model: string,
  said: Partial<Pick<ChatCallInput, "messages" | "parameters">> = {}
): ChatCall => {
  const input = { messages, ...said }
  return makeChatCall({
    model,
    contentBytes: Buffer.byteLength(JSON.stringify(input)),
    maxOutputTokens: 50,
    ...input
  })
}

/** A piece that says this text. */
export const makeTextDelta = (text: string): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [{ type: "text", text }] }]
})

export const collectStream = <R>(
  stream: Stream.Stream<ChatEvent, UpstreamFailure, R>
): Effect.Effect<CollectedStream, never, R> =>
  Effect.suspend(() => {
    const events: Array<ChatEvent> = []
    const all = Stream.runForEach(stream, (event) => Effect.sync(() => events.push(event)))
    return Effect.map(Effect.result(all), (result) => ({
      events,
      failure: Result.isFailure(result) ? result.failure : undefined
    }))
  })

export const getAnswerEvents = (
  events: ReadonlyArray<ChatEvent>,
  index = 0
): ReadonlyArray<AnswerEvent> =>
  events
    .flatMap((event) => (event.type === "delta" ? event.choices : []))
    .filter((choice) => choice.index === index)
    .flatMap((choice) => choice.events)

export const toText = (events: ReadonlyArray<ChatEvent>, index = 0): string =>
  getAnswerEvents(events, index)
    .map((event) => (event.type === "text" ? event.text : ""))
    .join("")

export const getFailure = (result: Result.Result<unknown, UpstreamFailure>): UpstreamFailure => {
  if (Result.isSuccess(result)) throw new Error("it succeeded")
  return result.failure
}

/** Read from text, because a plain `__proto__` in a literal would set the prototype. */
export const writtenParameters: Readonly<Record<string, unknown>> = JSON.parse(`{
  "temperature": 0.25,
  "max_tokens": 50,
  "__proto__": { "polluted": true },
  "tools": [{ "type": "function", "function": { "name": "__proto__" } }]
}`)
