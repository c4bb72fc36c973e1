/** Chats with scripted providers in memory. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import {
  type ParsedChat,
  parseChatRequest
} from "../../../src/domains/chat/request/parseChatRequest.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import type {
  ChatCall,
  ChatCapability,
  ChatEvent,
  ChatReply
} from "../../../src/engine/upstreams/ChatCapability.ts"
import type { Upstream } from "../../../src/engine/upstreams/Upstream.ts"
import type { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import type { TokenUsage } from "../../../src/values/usage/TokenUsage.ts"
import { makeWorld, type World } from "../decisions/decisionFixtures.ts"

/** An event, a pause in milliseconds, or a failure. */
export type ScriptStep = ChatEvent | number | UpstreamFailure

export const textDelta = (text: string, reason?: string): ChatEvent => ({
  type: "delta",
  choices: [
    {
      index: 0,
      events: text === "" ? [] : [{ type: "text", text }],
      ...(reason === undefined ? undefined : { end: { reason } })
    }
  ]
})

export const endEvent = (outputTokens: number): ChatEvent => ({
  type: "end",
  usage: { inputTokens: 10, outputTokens }
})

export const reply = (text: string, rest: Partial<ChatReply> = {}): ChatReply => ({
  choices: [{ index: 0, answer: { parts: [{ type: "text", text }], end: { reason: "stop" } } }],
  usage: { inputTokens: 10, outputTokens: 2 },
  ...rest
})

const toEvents = (step: ScriptStep): Stream.Stream<ChatEvent, UpstreamFailure> => {
  if (typeof step === "number") return Stream.drain(Stream.fromEffect(Effect.sleep(step)))
  return "type" in step ? Stream.make(step) : Stream.fail(step)
}

export interface ChatScript {
  readonly steps?: ReadonlyArray<ScriptStep>
  readonly complete?: ChatCapability["complete"]
  /** Gets `open <slug>`, `close <slug>`, and what was pulled. */
  readonly log?: Array<string>
  /** Gets every call. */
  readonly calls?: Array<ChatCall>
  readonly worstCase?: ChatCapability["estimateWorstCase"]
  /** The usage it reports before its first event. */
  readonly stated?: ReadonlyArray<TokenUsage>
}

export const fakeChatUpstream = (
  slug: string,
  {
    calls,
    complete = () => Effect.succeed(reply(slug)),
    log,
    stated = [],
    steps = [],
    worstCase: estimateWorstCase = () => ({ inputTokens: 100, outputTokens: 100 })
  }: ChatScript
): Upstream => ({
  slug,
  name: slug.toUpperCase(),
  chat: {
    estimateWorstCase,
    complete: (call) => {
      calls?.push(call)
      return complete(call)
    },
    stream: (call) => {
      calls?.push(call)
      return Stream.suspend(() => {
        log?.push(`open ${slug}`)
        for (const usage of stated) call.onUsage?.(usage)
        return Stream.flatMap(Stream.fromIterable(steps, { chunkSize: 1 }), toEvents)
      }).pipe(
        Stream.ensuring(
          Effect.sync(() => {
            log?.push(`close ${slug}`)
          })
        )
      )
    }
  }
})

export const makeChatWorld = (config: World) =>
  Chats.layer.pipe(
    Layer.provideMerge(makeWorld(config)),
    Layer.provide(Settings.layer(config.settings ?? {}))
  )

export const parseChat = (request: object, settings = Settings.defaults): ParsedChat => {
  const text = JSON.stringify(request)
  return Result.getOrThrow(parseChatRequest(text, { bytes: Buffer.byteLength(text), settings }))
}
