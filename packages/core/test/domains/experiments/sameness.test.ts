import { assert, describe, it } from "@effect/vitest"
import { haveSameContent } from "../../../src/domains/chat/Chats.ts"
import { type Answer, haveSameVerdicts } from "../../../src/questions/Answer.ts"
import type { Part } from "../../../src/conversation/Part.ts"
import type { ChatChoice } from "../../../src/engine/upstreams/ChatCapability.ts"

const answer = (...parts: ReadonlyArray<Part>): ReadonlyArray<ChatChoice> => [
  { index: 0, answer: { parts, end: { reason: "stop" } } }
]
const say = (text: string) => answer({ type: "text", text })
const call = (name: string, given: string) =>
  answer({ type: "call", id: crypto.randomUUID(), name, arguments: given })

const noul = (noul: number): Answer => ({ type: "noul", noul })
const score = (score: number): Answer => ({ type: "score", score })
const choice = (choice: string): Answer => ({ type: "choice", choice })

describe("haveSameContent", () => {
  it("compares texts apart from blanks", () => {
    assert.isTrue(haveSameContent(say("It is\n fine. "), say("It is fine.")))
    assert.isFalse(haveSameContent(say("It is fine."), say("It is not.")))
  })

  it("compares JSON by its values", () => {
    assert.isTrue(haveSameContent(say('{"a":1,"b":[2]}'), say('{ "b": [2], "a": 1.0 }')))
    assert.isFalse(haveSameContent(say('{"a":1}'), say('{"a":2}')))
  })

  it("compares calls of tools by name and arguments, not by id", () => {
    assert.isTrue(haveSameContent(call("look", '{"at": 1}'), call("look", '{"at":1}')))
    assert.isFalse(haveSameContent(call("look", '{"at":1}'), call("look", '{"at":2}')))
    assert.isFalse(haveSameContent(call("look", "{}"), say("I cannot look.")))
  })

  it("does not compare answers that say nothing", () => {
    assert.isUndefined(haveSameContent(say(""), say("")))
    assert.isUndefined(haveSameContent([], say("fine")))
    assert.isUndefined(haveSameContent(answer({ type: "refusal", refusal: "fine" }), say("fine")))
  })
})

describe("haveSameVerdicts", () => {
  it("compares what would be done, not how sure the models are", () => {
    assert.isTrue(
      haveSameVerdicts({ a: noul(0.51), b: score(1.4) }, { a: noul(0.99), b: score(0.6) })
    )
    assert.isFalse(haveSameVerdicts({ a: noul(0.49) }, { a: noul(0.5) }))
    assert.isFalse(haveSameVerdicts({ a: score(1.4) }, { a: score(1.6) }))
    assert.isFalse(haveSameVerdicts({ a: choice("x"), b: noul(1) }, { a: choice("y"), b: noul(1) }))
  })

  it("takes names as data", () => {
    const answers = Object.fromEntries([["__proto__", choice("constructor")]])
    assert.isTrue(haveSameVerdicts(answers, answers))
    assert.isFalse(haveSameVerdicts(answers, {}))
  })
})
