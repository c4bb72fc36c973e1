/** A provider of chats in memory, which answers at once. */
import type { ChatEvent, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const usage = { inputTokens: 100, outputTokens: 100 }

export const inMemoryChat = (slug: string): Upstream => ({
  slug,
  name: slug,
  chat: {
    complete: () =>
      Effect.succeed({
        choices: [
          { index: 0, answer: { parts: [{ type: "text", text: "Hi." }], end: { reason: "stop" } } }
        ],
        usage
      }),
    stream: () => Stream.fromIterable<ChatEvent>([]),
    estimateWorstCase: () => usage
  }
})
