/** What a request says wins over its preset, field by field, for any fields. */
import * as Result from "effect/Result"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { mergePreset } from "../../../src/domains/presets/applyPreset.ts"
import { mergeTools } from "../../../src/domains/presets/mergeTools.ts"
import type { PresetApi } from "../../../src/domains/presets/Preset.ts"

type Json = Readonly<Record<string, unknown>>

const numRuns = scaleRuns(5_000)

/** Fields without a rule of their own; keys of callers may be called like a part of objects. */
const name = fc.oneof(
  fc.constantFrom("temperature", "seed", "stop", "response_format", "provider", "logit_bias"),
  fc.constantFrom("__proto__", "constructor", "toString"),
  fc.string({ maxLength: 4 }).map((text) => `x-${text}`)
)

const toFields = (entries: ReadonlyArray<readonly [string, unknown]>): Json =>
  Object.fromEntries(entries)

const fields = fc
  .array(fc.tuple(name, fc.jsonValue({ maxDepth: 2 })), { maxLength: 6 })
  .map(toFields)

const user = { role: "user", content: "hi" }

const merge = (body: Json, config: Json, prompt: string | null = null, api: PresetApi = "chat") =>
  Result.getOrThrow(mergePreset(api, body, { config, system_prompt: prompt }))

const own = (json: Json, key: string): unknown =>
  Object.hasOwn(json, key) ? (json[key] ?? undefined) : undefined

describe("mergePreset", () => {
  it("has each field of the request as a whole, else that of the preset", () => {
    fc.assert(
      fc.property(fields, fields, (request, config) => {
        const merged = merge({ ...request, messages: [user], preset: "p" }, config)
        const names = new Set([...Object.keys(request), ...Object.keys(config)])
        for (const each of names) {
          assert.deepStrictEqual(own(merged, each), own(request, each) ?? own(config, each), each)
        }
        assert.deepStrictEqual(new Set(Object.keys(merged)), new Set([...names, "messages"]))
        assert.strictEqual(Object.getPrototypeOf(merged), Object.prototype)
      }),
      { numRuns }
    )
  })

  it("is the same when it is applied again, with its prompt and its tools", () => {
    const prompts = fc.option(fc.string({ maxLength: 5 }))
    const settings = fc.tuple(fields, fc.option(tools)).map(([all, some]) => ({
      ...all,
      ...(some === null ? undefined : { tools: some })
    }))
    fc.assert(
      fc.property(settings, settings, prompts, (request, config, prompt) => {
        const once = merge({ ...request, messages: [user] }, config, prompt)
        assert.deepStrictEqual(merge(once, config, prompt), once)
      }),
      { numRuns }
    )
  })

  it("has no part of the preset that the request says in another way", () => {
    const pairs = [
      ["max_tokens", "max_completion_tokens"],
      ["reasoning", "reasoning_effort"],
      ["reasoning_effort", "thinking"]
    ] as const
    fc.assert(
      fc.property(fc.constantFrom(...pairs), fc.boolean(), fc.nat(), (pair, isSwapped, value) => {
        const [given, kept] = isSwapped ? pair.toReversed() : pair
        const merged = merge({ messages: [user], [given]: value + 1 }, { [kept]: 1 })
        assert.deepStrictEqual([merged[given], merged[kept]], [value + 1, undefined])
        // Null is nothing.
        assert.strictEqual(merge({ messages: [user], [given]: null }, { [kept]: 1 })[kept], 1)
      })
    )
  })

  it("takes the model of the request, with its name or without, before those of the preset", () => {
    const model = fc.constantFrom("a/one", "a/two", "b/one:free")
    const named = fc.option(model).map((own) => (own === null ? "@preset/p" : `${own}@preset/p`))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.record({ model: named }),
          fc.record({ model, preset: fc.constant("p") }),
          fc.record({ preset: fc.constant("p") })
        ),
        fc.record({ model, models: fc.array(model) }, { requiredKeys: [] }),
        fc.constantFrom<PresetApi>("chat", "messages", "responses"),
        (request, config, api) => {
          const merged = merge({ ...request, messages: [user], input: "hi" }, config, null, api)
          const stated =
            "model" in request ? request.model.replace("@preset/p", "") || undefined : undefined
          assert.strictEqual(own(merged, "model"), stated ?? config.model)
          assert.deepStrictEqual(own(merged, "models"), config.models)
          assert.notProperty(merged, "preset")
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("says the prompt of the preset once, unless the request has its own", () => {
    const said = fc.array(fc.constantFrom("system", "developer", "user", "assistant"), {
      minLength: 1,
      maxLength: 4
    })
    fc.assert(
      fc.property(said, fc.string({ minLength: 1 }), (roles, prompt) => {
        const messages = roles.map((role) => ({ role, content: "said" }))
        const merged = merge({ messages }, {}, prompt)
        const hasOwnPrompt = roles.some((role) => role === "system" || role === "developer")
        assert.deepStrictEqual(
          merged["messages"],
          hasOwnPrompt ? messages : [{ role: "system", content: prompt }, ...messages]
        )
      })
    )
  })
})

/** Tools that tell by `mark` whose they are. */
const tool = fc.tuple(
  fc.constantFrom("a", "b", "__proto__"),
  fc.constantFrom("function", "bare", "web_search", "openrouter:advisor", "mcp"),
  fc.nat({ max: 9 })
)
const tools = fc
  .uniqueArray(tool, { selector: toIdentity, maxLength: 5 })
  .map((all) => all.map(toTool))

function toIdentity([called, type]: readonly [string, string, number]): string {
  const isFunction = type === "function" || type === "bare"
  return type === "web_search" ? type : `${isFunction ? "function" : type} ${called}`
}

function toTool([called, type, mark]: readonly [string, string, number]): Json {
  switch (type) {
    case "function":
      return { type, mark, function: { name: called } }
    // As the Responses API has it.
    case "bare":
      return { type: "function", mark, name: called }
    case "openrouter:advisor":
      return { type, mark, parameters: { name: called } }
    case "mcp":
      return { type, mark, server_label: called }
    default:
      return { type, mark, parameters: { name: called } }
  }
}

describe("mergeTools", () => {
  it("has the tools of the preset in their place, and each of the request once", () => {
    const unique = fc.uniqueArray(tool, { selector: toIdentity, maxLength: 5 })
    fc.assert(
      fc.property(unique, unique, (preset, request) => {
        const ofRequest = new Map(request.map((each) => [toIdentity(each), each]))
        const known = new Set(preset.map(toIdentity))
        const expected = [
          ...preset.map((each) => ofRequest.get(toIdentity(each)) ?? each),
          ...request.filter((each) => !known.has(toIdentity(each)))
        ]
        assert.deepStrictEqual(
          mergeTools(preset.map(toTool), request.map(toTool)),
          expected.map(toTool)
        )
      }),
      { numRuns }
    )
  })

  it("keeps every tool of a request that repeats one, and drops none of another name", () => {
    fc.assert(
      fc.property(
        fc.array(tool, { maxLength: 5 }),
        fc.array(tool, { maxLength: 5 }),
        (one, two) => {
          const merged = mergeTools(one.map(toTool), two.map(toTool)) as ReadonlyArray<Json>
          const replaced = new Set(two.map(toIdentity))
          const left = one.filter((each) => !replaced.has(toIdentity(each)))
          assert.sameDeepMembers([...merged], [...left, ...two].map(toTool))
        }
      ),
      { numRuns }
    )
  })
})
