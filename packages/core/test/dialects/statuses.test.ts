/** What a status means does not depend on the dialect of the answer. */
import { describe, expect, it } from "vitest"
import { toGeminiFailure } from "../../src/dialects/gemini/findGeminiFailure.ts"
import { toMessagesFailure } from "../../src/dialects/messages/findMessagesFailure.ts"
import { toResponsesFailure } from "../../src/dialects/responses/responsesFailures.ts"
import { toResponseFailure } from "../../src/engine/upstreams/failures/toResponseFailure.ts"

describe("a status without a body", () => {
  it.each([
    ["Responses", toResponsesFailure],
    ["Messages", toMessagesFailure],
    ["Gemini", toGeminiFailure]
  ])("means the same in %s as in chat completions", (_, toFailure) => {
    for (let status = 300; status <= 599; status++) {
      expect(toFailure(status, {}, "", 0)).toEqual(toResponseFailure(status, {}, "", 0))
    }
  })
})
