import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import type { Answer } from "../../../../src/conversation/Answer.ts"
import type { Part } from "../../../../src/conversation/Part.ts"
import type { Question } from "../../../../src/questions/Question.ts"
import type {
  ChatCall,
  ChatCapability,
  ChatReply
} from "../../../../src/engine/upstreams/ChatCapability.ts"
import {
  type ChatDecisionOptions,
  makeChatDecisions
} from "../../../../src/engine/upstreams/chatDecisions/makeChatDecisions.ts"
import type {
  DecisionCall,
  DecisionReply
} from "../../../../src/engine/upstreams/DecisionCapability.ts"
import { toChatBody } from "../../../../src/engine/upstreams/openaiChat/ChatBody.ts"
import { UpstreamFailure } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import * as NanoUsd from "../../../../src/values/usage/NanoUsd.ts"

/** The messages and the parameters of a call in the chat dialect. */
const readCall = ({ native: { body } }: ChatCall) => {
  const { messages, ...parameters } = toChatBody(body)
  return { messages, parameters }
}

const noul: Question = { type: "noul", instructions: "Is it urgent?" }
const level: Question = { type: "score", instructions: "How much?", criteria: ["a", "b"] }

const answer = (
  text: string,
  more: Partial<ChatReply> & { readonly answer?: Partial<Answer> } = {}
): ChatReply => {
  const { answer: rest, ...reply } = more
  const said: Answer = { parts: [{ type: "text", text }], end: { reason: "stop" }, ...rest }
  return { choices: [{ index: 0, answer: said }], ...reply }
}

const picture: Part = {
  type: "image",
  source: { type: "base64", mediaType: "image/png", data: "aGk=" }
}

/** A chat that gives these answers, one after the other, and the calls it got. */
const scriptChat = (
  ...answers: ReadonlyArray<ChatReply | UpstreamFailure>
): ChatCapability & { readonly calls: ReadonlyArray<ChatCall> } => {
  const calls: Array<ChatCall> = []
  return {
    calls,
    complete: (call) =>
      Effect.suspend(() => {
        const next = answers[calls.push(call) - 1]
        if (next === undefined) return Effect.die("no answer is left")
        return next instanceof UpstreamFailure ? Effect.fail(next) : Effect.succeed(next)
      }),
    stream: () => {
      throw new Error("Decisions are not streamed")
    },
    estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 })
  }
}

const makeCall = (
  supported: ReadonlyArray<string> | undefined,
  more: Partial<DecisionCall> = {}
): DecisionCall => ({
  model: "acme/judge",
  supportedParameters: supported === undefined ? undefined : new Set(supported),
  state: "The server is down.",
  questions: { urgent: noul },
  contentBytes: 100,
  onUsage: () => {},
  ...more
})

const assume = (model: string) =>
  model === "thinker" ? ["structured_outputs", "max_tokens", "reasoning"] : undefined

const options: ChatDecisionOptions = { maxImageTokens: 1_000 }

const decide = (
  chat: ChatCapability,
  call: DecisionCall,
  more: Partial<ChatDecisionOptions> = {}
): Effect.Effect<DecisionReply, UpstreamFailure> =>
  makeChatDecisions(chat, { ...options, ...more })
    .decide(call)
    .pipe(Effect.provide(FetchHttpClient.layer))

const getTraits = (chat: ChatCapability) => {
  const { checksParameters, ignoresCredentials, usesChat } = makeChatDecisions(chat, options)
  return { checksParameters, ignoresCredentials, usesChat }
}

describe("makeChatDecisions", () => {
  it.effect("sends the call of a Decision as a chat", () =>
    Effect.gen(function* () {
      const chat = scriptChat(answer('{"q0": 2}'))
      const credential = Redacted.make("sk-of-the-customer")
      const call = makeCall(["max_completion_tokens"], { credential, serviceTier: "flex" })
      const { method, verdicts } = yield* decide(chat, call)
      assert.strictEqual(method, "discrete")
      assert.deepStrictEqual(verdicts.get("urgent"), { weights: [0, 1] })
      const [sent] = chat.calls
      if (sent === undefined) throw new Error("nothing was sent")
      assert.strictEqual(sent.model, "acme/judge")
      assert.strictEqual(sent.credential, credential)
      assert.deepStrictEqual(
        readCall(sent).messages.map(({ role }) => role),
        ["system", "user"]
      )
      assert.deepStrictEqual(readCall(sent).parameters, {
        max_completion_tokens: sent.maxOutputTokens,
        service_tier: "flex"
      })
    })
  )

  it.effect("tells the chat an upper bound of the bytes", () =>
    Effect.gen(function* () {
      const methods = [["logprobs", "top_logprobs"], ["structured_outputs"], []]
      for (const supported of methods) {
        const questions = { urgent: noul, level }
        const state = "The server is down."
        const contentBytes = JSON.stringify({ state, questions }).length
        const chat = scriptChat(
          answer("", { answer: { end: { reason: "content_filter" } } }),
          answer("")
        )
        yield* Effect.flip(decide(chat, makeCall(supported, { questions, state, contentBytes })))
        const [sent] = chat.calls
        if (sent === undefined) throw new Error("nothing was sent")
        const { messages, parameters } = readCall(sent)
        assert.isAtLeast(sent.contentBytes, JSON.stringify({ messages, parameters }).length)
      }
    })
  )

  it.effect("sums usage and cost, and keeps what the last answer reports", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 10, outputTokens: 1, cacheWriteTokens: 4 }
      const unsure = answer("1", {
        usage,
        cost: NanoUsd.make(5n),
        id: "first",
        model: "judge-1",
        serviceTier: "flex"
      })
      const stated = answer('{"q0": 0.75}', { usage, cost: NanoUsd.make(7n), id: "second" })
      const reported: Array<unknown> = []
      const call = makeCall(["logprobs", "top_logprobs", "response_format"], {
        onUsage: (more) => reported.push(more)
      })
      const reply = yield* decide(scriptChat(unsure, stated), call)
      assert.deepStrictEqual(reported, [usage, usage])
      expect({ ...reply, verdicts: undefined }).toStrictEqual({
        verdicts: undefined,
        usage: { inputTokens: 20, outputTokens: 2, requests: 2, cacheWriteTokens: 8 },
        cost: 12n,
        id: "second",
        model: "judge-1",
        serviceTier: "flex",
        method: "stated"
      })
    })
  )

  it.effect("has no cost unless each answer has one", () =>
    Effect.gen(function* () {
      const cost = NanoUsd.make(5n)
      const call = makeCall(["logprobs", "top_logprobs"])
      const partly = yield* decide(scriptChat(answer("1", { cost }), answer('{"q0": 1}')), call)
      assert.isFalse(Object.hasOwn(partly, "cost"))
      const usage = { inputTokens: 3, outputTokens: 1 }
      const rejected = new UpstreamFailure({ kind: "unsupported_parameter", usage })
      const chat = scriptChat(rejected, answer('{"q0": 1}', { cost }))
      const second = yield* decide(chat, makeCall(undefined))
      assert.strictEqual(second.method, "discrete")
      assert.isFalse(Object.hasOwn(second, "cost"))
      assert.deepStrictEqual(second.usage, usage)
      // A request that was rejected before it used anything costs nothing.
      const free = new UpstreamFailure({ kind: "unsupported_parameter" })
      const third = yield* decide(
        scriptChat(free, answer('{"q0": 1}', { cost })),
        makeCall(undefined)
      )
      assert.strictEqual(third.cost, cost)
    })
  )

  it.effect("fails on content that is not text, with the usage so far", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 10, outputTokens: 1 }
      const chat = scriptChat(
        answer("1", { usage }),
        answer("", { usage, answer: { parts: [picture] } })
      )
      const failure = yield* Effect.flip(decide(chat, makeCall(["logprobs", "top_logprobs"])))
      assert.strictEqual(failure.kind, "invalid_answer")
      assert.deepStrictEqual(failure.usage, { inputTokens: 20, outputTokens: 2, requests: 2 })
    })
  )

  it.effect("adds the usage so far to a failure, and keeps the rest of it", () =>
    Effect.gen(function* () {
      const facts = {
        kind: "credential_refused",
        status: 401,
        phase: "headers",
        retryAfterMillis: 2_000,
        isCredentialRenewed: true,
        detail: "expired"
      } as const
      const usage = { inputTokens: 10, outputTokens: 1 }
      assert.hasAllKeys({ ...facts, usage }, Object.keys(UpstreamFailure.fields).slice(1))
      const chat = scriptChat(answer("1", { usage }), new UpstreamFailure(facts))
      const failure = yield* Effect.flip(decide(chat, makeCall(["logprobs", "top_logprobs"])))
      expect(failure).toStrictEqual(new UpstreamFailure({ ...facts, usage }))
    })
  )

  it.effect("assumes of each model what is said of it, and leaves room for thoughts", () =>
    Effect.gen(function* () {
      const reply = answer('{"1": [1, 0]}')
      const chat = scriptChat(reply, reply, reply)
      for (const model of ["thinker", "other"]) {
        yield* Effect.exit(
          decide(chat, makeCall(undefined, { model }), { assumedParameters: assume })
        )
      }
      yield* Effect.exit(decide(chat, makeCall(["structured_outputs", "max_tokens"])))
      const [thinker, other, plain] = chat.calls
      assert.deepStrictEqual(thinker?.native.body["reasoning"], { effort: "low" })
      assert.isUndefined(other?.native.body["reasoning"])
      for (const { native } of [thinker!, other!]) {
        assert.strictEqual(
          Number(native.body["max_tokens"]),
          Number(plain?.native.body["max_tokens"]) + 2_048
        )
      }
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("assumes the parameters that the upstream names", () =>
    Effect.gen(function* () {
      const chat = scriptChat(answer('{"q0": 1}'))
      const assumedParameters = ["temperature", "max_tokens"]
      const reply = yield* decide(chat, makeCall(undefined), { assumedParameters })
      assert.strictEqual(reply.method, "discrete")
      assert.hasAllKeys(chat.calls[0]?.native.body, [...assumedParameters, "messages"])
    })
  )

  it("has the traits of its chat", () => {
    const none = { checksParameters: undefined, ignoresCredentials: undefined }
    assert.deepStrictEqual(getTraits(scriptChat()), { ...none, usesChat: true })
    const both = { checksParameters: true, ignoresCredentials: true } as const
    assert.deepStrictEqual(getTraits({ ...scriptChat(), ...both }), { ...both, usesChat: true })
  })

  it.each([{ minLabelMass: 1.1 }, { minLabelMass: Number.NaN }, { maxImageTokens: 0.5 }])(
    "rejects %j",
    (wrong) => {
      assert.throws(() => makeChatDecisions(scriptChat(), { ...options, ...wrong }), RangeError)
    }
  )
})
