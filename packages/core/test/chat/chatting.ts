/** Chats on providers in memory that say what a test says. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Chats } from "../../src/chat/Chats.ts"
import { type ParsedChat, parseChatRequest } from "../../src/chat/parseChatRequest.ts"
import * as Settings from "../../src/Settings.ts"
import type {
  ChatCall,
  ChatCapability,
  ChatEvent,
  ChatReply
} from "../../src/upstreams/ChatCapability.ts"
import type { Upstream } from "../../src/upstreams/Upstream.ts"
import type { UpstreamFailure } from "../../src/upstreams/UpstreamFailure.ts"
import type { TokenUsage } from "../../src/values/TokenUsage.ts"
import { world, type World } from "../decisions/fixtures.ts"

/** An event, a pause in milliseconds, or a failure. */
export type Step = ChatEvent | number | UpstreamFailure

export const said = (content: string, finishReason: string | null = null): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, delta: { content }, finishReason }]
})

export const end = (outputTokens: number): ChatEvent => ({
  type: "end",
  usage: { inputTokens: 10, outputTokens }
})

export const reply = (content: string, rest: Partial<ChatReply> = {}): ChatReply => ({
  choices: [{ index: 0, message: { role: "assistant", content }, finishReason: "stop" }],
  usage: { inputTokens: 10, outputTokens: 2 },
  ...rest
})

const stepped = (step: Step): Stream.Stream<ChatEvent, UpstreamFailure> => {
  if (typeof step === "number") return Stream.drain(Stream.fromEffect(Effect.sleep(step)))
  return "type" in step ? Stream.make(step) : Stream.fail(step)
}

export interface Scripted {
  readonly steps?: ReadonlyArray<Step>
  readonly complete?: ChatCapability["complete"]
  /** Gets `open <slug>`, `close <slug>`, and what was pulled. */
  readonly log?: Array<string>
  /** Gets every call. */
  readonly calls?: Array<ChatCall>
  readonly worstCase?: ChatCapability["worstCase"]
  /** What it says it used, before its first event. */
  readonly stated?: ReadonlyArray<TokenUsage>
}

export const chatting = (
  slug: string,
  {
    calls,
    complete = () => Effect.succeed(reply(slug)),
    log,
    stated = [],
    steps = [],
    worstCase = () => ({ inputTokens: 100, outputTokens: 100 })
  }: Scripted
): Upstream => ({
  slug,
  name: slug.toUpperCase(),
  chat: {
    worstCase,
    complete: (call) => {
      calls?.push(call)
      return complete(call)
    },
    stream: (call) => {
      calls?.push(call)
      return Stream.suspend(() => {
        log?.push(`open ${slug}`)
        for (const usage of stated) call.stated?.(usage)
        return Stream.flatMap(Stream.fromIterable(steps, { chunkSize: 1 }), stepped)
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

export const chatWorld = (config: World) =>
  Chats.layer.pipe(
    Layer.provideMerge(world(config)),
    Layer.provide(Settings.layer(config.settings ?? {}))
  )

export const parsed = (request: object, settings = Settings.defaults): ParsedChat => {
  const text = JSON.stringify(request)
  return Result.getOrThrow(parseChatRequest(text, { bytes: Buffer.byteLength(text), settings }))
}
