/** Parameters of a chat that are not sent to its provider, and where they are reported. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as Logger from "effect/Logger"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import type { EndpointConfig } from "../../../src/engine/catalog/endpoint/Endpoint.ts"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import { RoutingMetadataRecorder } from "../../../src/api/operation/RoutingMetadataRecorder.ts"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import { toExplanation } from "../../../src/routing/Explanation.ts"
import type { ChatCall } from "../../../src/engine/upstreams/ChatCapability.ts"
import { toTokenPrice } from "../decisions/decisionFixtures.ts"
import { fakeChatUpstream, makeChatWorld, parseChat } from "./chatFixtures.ts"

const parameters = {
  frequency_penalty: 0.1,
  logit_bias: {},
  logprobs: true,
  max_tokens: 10,
  n: 1,
  parallel_tool_calls: false,
  presence_penalty: 0.1,
  reasoning_effort: "low",
  response_format: { type: "json_object" },
  seed: 7,
  stop: ["."],
  temperature: 0.5,
  tool_choice: "auto",
  tools: [{ type: "function", function: { name: "look" } }],
  top_logprobs: 2,
  top_p: 0.9
}
const chatRequest = { model: "a/b", messages: [{ role: "user", content: "hi" }], ...parameters }
const complete = (request: object = chatRequest) =>
  Chats.use((chats) => chats.complete(hostCaller, parseChat(request)))

const getParameters = (call: ChatCall | undefined) => {
  const { messages: _, ...sent } = call?.native.body ?? {}
  return sent
}

/** An instance with one endpoint. */
const opened = (supportedParameters?: EndpointConfig["supportedParameters"]) => {
  const calls: Array<ChatCall> = []
  const records: Array<Generation> = []
  const logs: Array<string> = []
  const logger = Logger.make(({ message }) => void logs.push(String(message)))
  const endpoint: EndpointConfig = {
    provider: "one",
    price: toTokenPrice(1),
    ...(supportedParameters === undefined ? undefined : { supportedParameters })
  }
  const world = makeChatWorld({
    upstreams: [fakeChatUpstream("one", { calls })],
    endpoints: [endpoint],
    records
  })
  return {
    calls,
    records,
    logs,
    run: <A, E>(effect: Effect.Effect<A, E, Chats>) =>
      Effect.provide(effect, [world, Logger.layer([logger])])
  }
}

describe("the parameters of a chat", () => {
  it.effect("are all sent to an endpoint without a list of parameters", () => {
    const { calls, logs, records, run } = opened()
    return Effect.gen(function* () {
      yield* complete()
      assert.deepStrictEqual(getParameters(calls[0]), parameters)
      assert.notProperty(calls[0], "supportedParameters")
      assert.isUndefined(records[0]?.attempts[0]?.dropped)
      assert.deepStrictEqual(logs, [])
    }).pipe(run)
  })

  it.effect("are reported as dropped when the endpoint does not list them", () => {
    const { calls, logs, records, run } = opened(["structured_outputs", "tools"])
    const sent = ["parallel_tool_calls", "response_format", "tool_choice", "tools"]
    const dropped = Object.keys(parameters).filter((name) => !sent.includes(name))
    return Effect.gen(function* () {
      yield* complete()
      yield* complete()
      assert.deepStrictEqual(Object.keys(getParameters(calls[0])).toSorted(), sent)
      assert.isTrue(calls[0]?.supportedParameters?.has("structured_outputs"))
      for (const { attempts } of records) assert.deepStrictEqual(attempts[0]?.dropped, dropped)
      assert.lengthOf(logs, dropped.length)
      assert.include(
        logs,
        '"a/b@one" is not sent "temperature": its supportedParameters do not list it'
      )
      const planned = yield* Chats.use((chats) => chats.plan(hostCaller, parseChat(chatRequest)))
      assert.deepStrictEqual(toExplanation(planned).ordered[0]?.dropped, dropped)
    }).pipe(run)
  })

  it.effect("are reported in the routing metadata on request", () => {
    const { run } = opened(["tools"])
    return Effect.gen(function* () {
      const notes = new RoutingMetadataRecorder(
        Headers.fromInput({ "x-signalbox-metadata": "enabled" })
      )
      yield* Chats.use((chats) =>
        chats.complete(
          hostCaller,
          parseChat({ ...chatRequest, verbosity: "low" }),
          notes.observeModel("a/b")
        )
      )
      const { service_metadata } = notes.addMetadata({}) as { readonly service_metadata?: object }
      const toolNames = new Set(["parallel_tool_calls", "tool_choice", "tools"])
      const names = Object.keys(parameters).filter((name) => !toolNames.has(name))
      assert.deepInclude(service_metadata, {
        dropped_parameters: [{ endpoint: "a/b@one", parameters: [...names, "verbosity"] }]
      })
    }).pipe(run)
  })

  it.effect("are reported when the router neither implements nor passes them on", () => {
    const { calls, logs, records, run } = opened()
    const ignored = {
      metadata: { ticket: "7" },
      plugins: [{ id: "web" }],
      preset: "careful",
      debug: { echo_upstream_body: true },
      safeguards: [{ type: "classifier" }],
      stop_server_tools_when: [{ type: "step_count_is" }],
      transforms: ["middle-out"]
    }
    return Effect.gen(function* () {
      yield* complete({ ...chatRequest, ...ignored })
      yield* complete({ ...chatRequest, ...ignored })
      assert.deepStrictEqual(getParameters(calls[0]), parameters)
      for (const { attempts } of records) {
        assert.deepStrictEqual(attempts[0]?.dropped, Object.keys(ignored))
      }
      assert.lengthOf(logs, 7)
      assert.include(logs, '"a/b@one" is not sent "plugins": the router does not implement it')
      const planned = yield* Chats.use((chats) =>
        chats.plan(hostCaller, parseChat({ ...chatRequest, ...ignored }))
      )
      assert.deepStrictEqual(toExplanation(planned).ordered[0]?.dropped, Object.keys(ignored))
    }).pipe(run)
  })

  it.effect("are not reported when they have no effect", () => {
    const { logs, records, run } = opened()
    const empty = {
      metadata: {},
      plugins: [],
      transforms: [],
      debug: false,
      preset: null,
      safeguards: [],
      route: "fallback",
      usage: { include: true },
      stream_options: { include_usage: true }
    }
    return Effect.gen(function* () {
      yield* complete({ ...chatRequest, ...empty })
      assert.isUndefined(records[0]?.attempts[0]?.dropped)
      assert.deepStrictEqual(logs, [])
    }).pipe(run)
  })

  it.effect("cause a bounded number of warnings, under any names", () => {
    const { logs, records, run } = opened([])
    const made = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}\n`, i]))
    return Effect.gen(function* () {
      yield* complete({ ...chatRequest, ...made })
      assert.lengthOf(logs, 32)
      assert.isFalse(logs.some((line) => line.includes("\n")))
      assert.isAtLeast(records[0]?.attempts[0]?.dropped?.length ?? 0, 500)
    }).pipe(run)
  })

  it.effect(
    "satisfy require_parameters without a list only if the upstream checks parameters",
    () => {
      const strict = { ...chatRequest, provider: { require_parameters: true } }
      const one = fakeChatUpstream("one", {})
      const endpoints = [{ provider: "one", price: toTokenPrice(1) }]
      const checking = { ...one, chat: { ...one.chat!, checksParameters: true as const } }
      return Effect.gen(function* () {
        const error = yield* Effect.flip(complete(strict)).pipe(
          Effect.provide(makeChatWorld({ upstreams: [one], endpoints }))
        )
        assert(error._tag === "NoEndpoints")
        const found = error.rejected[0]?.reasons[0]?.found ?? ""
        assert.match(found, /^unknown whether it supports frequency_penalty, /)
        const { provider } = yield* complete(strict).pipe(
          Effect.provide(makeChatWorld({ upstreams: [checking], endpoints }))
        )
        assert.strictEqual(provider, "ONE")
      })
    }
  )
})
