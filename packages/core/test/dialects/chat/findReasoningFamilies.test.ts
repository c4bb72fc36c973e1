import { assert, describe, it } from "vitest"
import { findReasoningFamilies } from "../../../src/dialects/chat/findReasoningFamilies.ts"
import { growth, linear } from "../../growth.ts"

const claude = {
  type: "reasoning.text",
  text: "Hm.",
  signature: "s",
  format: "anthropic-claude-v1"
}
const gemini = { type: "reasoning.encrypted", data: "s", format: "google-gemini-v1" }
const unsigned = { type: "reasoning.text", text: "Hm.", format: "unknown" }
const answer = (...details: ReadonlyArray<unknown>) => ({
  role: "assistant",
  content: "Yes.",
  reasoning_details: details
})
const question = { role: "user", content: "Sure?" }

describe("findReasoningFamilies", () => {
  it("finds nothing in messages without reasoning", () => {
    assert.deepStrictEqual(
      findReasoningFamilies([question, { role: "assistant", content: "" }]),
      {}
    )
    assert.deepStrictEqual(
      findReasoningFamilies([{ ...question, reasoning_details: [claude] }]),
      {},
      "users do not reason"
    )
    for (const broken of ["text", {}, [], [null], [{ type: "reasoning.encrypted" }]]) {
      assert.deepStrictEqual(
        findReasoningFamilies([{ role: "assistant", reasoning_details: broken }]),
        {}
      )
    }
  })

  it("finds the families of all turns, and who signed the last one", () => {
    assert.deepStrictEqual(findReasoningFamilies([answer(claude), question, answer(gemini)]), {
      reasoningFamilies: ["anthropic", "google"],
      signedBy: "google"
    })
  })

  it("knows of no signer when the last answer is unsigned", () => {
    const { signature: _, ...plain } = claude
    assert.deepStrictEqual(findReasoningFamilies([answer(gemini), answer(plain)]), {
      reasoningFamilies: ["google", "anthropic"]
    })
    assert.deepStrictEqual(
      findReasoningFamilies([answer(claude), question, { role: "assistant", content: "No." }]),
      { reasoningFamilies: ["anthropic"] }
    )
    assert.deepStrictEqual(findReasoningFamilies([answer(unsigned)]), {
      reasoningFamilies: ["unknown"]
    })
  })

  it("is not confused by a later piece that leaves the format out", () => {
    const piece = { type: "reasoning.text", text: "Hm.", format: "google-gemini-v1", index: 0 }
    assert.deepStrictEqual(
      findReasoningFamilies([answer(piece, { ...piece, format: null, signature: "s" })]),
      { reasoningFamilies: ["google"], signedBy: "google" }
    )
  })

  it("joins the pieces of a stream that come back without copying them with every piece", () => {
    const ratio = growth(1_000, (size) => {
      const piece = { ...unsigned, text: "x".repeat(400), index: 0 }
      findReasoningFamilies([answer(...Array.from({ length: size }, () => piece))])
    })
    assert.isBelow(ratio, linear)
  })

  it("joins pieces without collecting the unknown fields of each", () => {
    const ratio = growth(1_000, (size) => {
      const pieces = Array.from({ length: size }, (_, at) => ({
        ...unsigned,
        index: 0,
        [`a${at}`]: 0
      }))
      findReasoningFamilies([answer(...pieces)])
    })
    assert.isBelow(ratio, linear)
  })
})
