import { assert, describe, it } from "@effect/vitest"
import { findMessagesModel } from "../../../src/dialects/messages/MessagesModel.ts"

const both = { adaptive: true, budget: true, disabled: true }

const list = (id: string) => {
  const { adaptive, budget, disabled } = findMessagesModel(id).thinking
  return [adaptive && "adaptive", budget && "budget", disabled && "disabled"].filter(Boolean)
}

describe("findMessagesModel", () => {
  it.each([
    ["claude-3-haiku-20240307", 4_096, true],
    ["claude-3-5-haiku-20241022", 8_192, true],
    ["claude-3-7-sonnet-20250219", 64_000, true],
    ["claude-opus-4-20250514", 32_000, true],
    ["claude-opus-4-1-20250805", 32_000, true],
    ["claude-sonnet-4@20250514", 64_000, true],
    ["anthropic.claude-haiku-4-5-20251001-v1:0", 64_000, true],
    ["claude-opus-4-5", 64_000, true],
    ["us.anthropic.claude-opus-4-6-v1", 128_000, true],
    ["claude-opus-4-7", 128_000, false],
    ["claude-fable-5-2", 128_000, false],
    ["claude-sonnet-5-5", 128_000, false],
    ["claude-epic-7", 64_000, false],
    ["our-deployment", 64_000, false]
  ])("knows %s", (id, maxOutputTokens, takesSampling) => {
    const model = findMessagesModel(id)
    assert.strictEqual(model.maxOutputTokens, maxOutputTokens)
    assert.strictEqual(model.takesSampling, takesSampling)
  })

  it("knows which forms of thinking a model takes", () => {
    assert.deepStrictEqual(list("claude-3-5-sonnet-20241022"), [])
    assert.deepStrictEqual(list("claude-sonnet-4-5"), ["budget", "disabled"])
    assert.deepStrictEqual(list("claude-sonnet-4-6"), ["adaptive", "budget", "disabled"])
    assert.deepStrictEqual(list("claude-opus-4-8"), ["adaptive", "disabled"])
    assert.deepStrictEqual(list("claude-opus-5"), ["adaptive", "disabled"])
    assert.deepStrictEqual(list("claude-opus-5-5"), ["adaptive"])
    assert.deepStrictEqual(list("claude-epic-7"), ["adaptive"])
  })

  it("places instructions where a model takes them", () => {
    assert.isFalse(findMessagesModel("claude-opus-4-7").takesSystemTurns)
    assert.isTrue(findMessagesModel("claude-opus-4-8").takesSystemTurns)
    assert.isTrue(findMessagesModel("claude-mythos-5-1").takesSystemTurns)
    assert.isFalse(findMessagesModel("claude-epic-7").takesSystemTurns)
  })

  it("prefers configured facts, by the longest prefix", () => {
    const models = {
      "our-": { maxOutputTokens: 1_000, thinking: both },
      "our-large": { maxOutputTokens: 2_000 },
      "claude-opus-5": { takesSampling: true }
    }
    assert.strictEqual(findMessagesModel("our-small", models).maxOutputTokens, 1_000)
    assert.deepStrictEqual(findMessagesModel("our-small", models).thinking, both)
    assert.strictEqual(findMessagesModel("our-large-2", models).maxOutputTokens, 2_000)
    assert.isFalse(findMessagesModel("our-large-2", models).thinking.budget)
    const opus = findMessagesModel("eu.anthropic.claude-opus-5", models)
    assert.isTrue(opus.takesSampling)
    assert.strictEqual(opus.maxOutputTokens, 128_000)
    assert.isFalse(findMessagesModel("__proto__", models).takesSampling)
  })
})
