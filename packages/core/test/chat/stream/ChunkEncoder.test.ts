import { assert, describe, it } from "vitest"
import * as fc from "fast-check"
import { makeChunkEncoder, makeEventEncoder } from "../../../src/chat/stream/ChunkEncoder.ts"
import { toEvent } from "../../../src/http/operation/serverSentEvents.ts"
import type { ChatDelta, ChatDeltaEvent } from "../../../src/upstreams/ChatCapability.ts"

const head = {
  id: "gen-1",
  object: "chat.completion.chunk",
  created: 1,
  model: 'a/"b"',
  provider: "Öne"
} as const

const delta: fc.Arbitrary<ChatDelta> = fc.record(
  {
    index: fc.nat({ max: 2 }),
    delta: fc.dictionary(fc.constantFrom("content", "refusal", "__proto__"), fc.jsonValue()),
    finishReason: fc.constantFrom(null, null, "stop"),
    nativeFinishReason: fc.constantFrom("STOP"),
    logprobs: fc.jsonValue()
  },
  { requiredKeys: ["index", "delta", "finishReason"] }
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
