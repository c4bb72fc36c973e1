import { assert, describe, it } from "vitest"
import * as fc from "fast-check"
import {
  makeChunkEncoder,
  makeEventEncoder
} from "../../../../src/domains/chat/stream/ChunkEncoder.ts"
import { toEvent } from "../../../../src/api/operation/serverSentEvents.ts"
import type { AnswerEvent, StreamedCall } from "../../../../src/conversation/Answer.ts"
import type { ChatDelta, ChatDeltaEvent } from "../../../../src/engine/upstreams/ChatCapability.ts"

const head = {
  id: "gen-1",
  object: "chat.completion.chunk",
  created: 1,
  model: 'a/"b"',
  provider: "Öne"
} as const

const text = fc.string({ minLength: 1 })
/** The same object in all events of one call, for streams of several pieces. */
const calls: ReadonlyArray<StreamedCall> = [
  { id: "a", name: "look", isCustom: false },
  { id: "b", name: "run", isCustom: true }
]
const event: fc.Arbitrary<AnswerEvent> = fc.oneof(
  text.map((text) => ({ type: "text" as const, text })),
  text.map((refusal) => ({ type: "refusal" as const, refusal })),
  fc.record({
    type: fc.constant("thought" as const),
    key: fc.constantFrom("0", "1"),
    format: fc.constantFrom("unknown", "anthropic-claude-v1"),
    text,
    isSummary: fc.boolean()
  }),
  fc.record({ type: fc.constant("call" as const), call: fc.constantFrom(...calls), text }),
  fc.record({
    type: fc.constant("opaque" as const),
    dialect: fc.constant("gemini" as const),
    raw: fc.jsonValue()
  })
)
const delta: fc.Arbitrary<ChatDelta> = fc.record(
  {
    index: fc.nat({ max: 2 }),
    events: fc.array(event, { maxLength: 3 }),
    end: fc.record(
      { reason: fc.constantFrom(null, "stop"), nativeReason: fc.constantFrom("STOP") },
      { requiredKeys: ["reason"] }
    ),
    native: fc.dictionary(fc.constantFrom("content", "refusal", "__proto__"), fc.jsonValue()),
    logprobs: fc.jsonValue()
  },
  { requiredKeys: ["index", "events"] }
)
const piece: fc.Arbitrary<ChatDeltaEvent> = fc.record(
  {
    type: fc.constant("delta" as const),
    choices: fc.array(delta, { maxLength: 3 }),
    systemFingerprint: fc.string(),
    serviceTier: fc.string()
  },
  { requiredKeys: ["type", "choices"] }
)

describe("makeEventEncoder", () => {
  it("encodes the chunks of the same pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 3 })), (arrivals) => {
        const encode = makeEventEncoder(head)
        const toChunk = makeChunkEncoder(head)
        for (const pieces of arrivals) {
          assert.strictEqual(encode(pieces), pieces.map((each) => toEvent(toChunk(each))).join(""))
        }
      })
    )
  })
})
