import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { passOnGemini } from "../../../src/dialects/gemini/makeGeminiChat.ts"
import { writeThoughtSignature } from "../../../src/dialects/gemini/thoughtSignatures.ts"
import type { NativeCall } from "../../../src/dialects/makeDialectChat.ts"

type Json = Readonly<Record<string, unknown>>

const call: NativeCall = {
  model: "gemini-3-pro",
  isStreamed: false,
  maxOutputTokens: 64_000,
  supportedParameters: undefined,
  serviceTier: undefined
}

const model = { needsSignatures: true, takesUrls: true }

const passOn = (body: Json, changes: Partial<NativeCall> = {}, options = model): Json =>
  Result.getOrThrow(passOnGemini(body, { ...call, ...changes }, options))

const wrapped = writeThoughtSignature({ format: "anthropic-claude-v1", signature: "s==" }) ?? ""

const anyPart = fc.oneof(
  fc.record({ text: fc.string() }),
  fc.record({ text: fc.string(), thought: fc.constant(true) }),
  fc.record({ text: fc.string(), thoughtSignature: fc.base64String() }),
  fc.record({
    functionCall: fc.record({
      name: fc.string(),
      args: fc.dictionary(fc.string(), fc.jsonValue())
    }),
    thought_signature: fc.base64String()
  }),
  fc.record({ fileData: fc.record({ fileUri: fc.webUrl() }) }),
  fc.record({ new_part: fc.jsonValue() })
)

const anyBody = fc
  .record({
    contents: fc.array(
      fc.record({
        role: fc.constantFrom("user", "model"),
        parts: fc.array(anyPart, { minLength: 1, maxLength: 4 })
      }),
      { maxLength: 4 }
    ),
    fields: fc.dictionary(
      fc.constantFrom(
        "tools",
        "generationConfig",
        "generation_config",
        "safetySettings",
        "__proto__"
      ),
      fc.jsonValue()
    ),
    isLast: fc.boolean()
  })
  .map(({ contents, fields, isLast }): Json =>
    isLast ? { ...fields, contents } : { contents, ...fields }
  )

describe("passOnGemini", () => {
  it("changes no byte where nothing must change", () => {
    fc.assert(
      fc.property(anyBody, fc.boolean(), (body, isStreamed) => {
        assert.strictEqual(JSON.stringify(passOn(body, { isStreamed })), JSON.stringify(body))
      })
    )
  })

  it("leaves out what other providers signed, and nothing else", () => {
    const ours: ReadonlyArray<Json> = [
      { text: "Hm.", thought: true, thoughtSignature: wrapped },
      { text: "", thought_signature: wrapped }
    ]
    fc.assert(
      fc.property(
        anyBody,
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...ours)), {
          minLength: 1,
          maxLength: 5
        }),
        (body, insertions) => {
          const copy = structuredClone(body)
          const contents = copy["contents"] as ReadonlyArray<{ readonly parts: Array<Json> }>
          for (const [which, at, part] of insertions) {
            const parts = contents[which % Math.max(contents.length, 1)]?.parts
            parts?.splice(at % (parts.length + 1), 0, part)
          }
          assert.strictEqual(JSON.stringify(passOn(copy)), JSON.stringify(body))
        }
      )
    )
  })

  it("leaves out the streamed pieces of a thought with its signature", () => {
    const parts = [
      { text: "answered" },
      { text: "H", thought: true },
      { text: "m.", thought: true },
      { text: "", thought: true, thoughtSignature: wrapped },
      { text: "own", thought: true }
    ]
    const contents = [{ role: "model", parts }]
    assert.deepStrictEqual(passOn({ contents })["contents"], [
      { role: "model", parts: [parts[0], parts[4]] }
    ])
  })

  it("takes the signature of another provider off a text and a call", () => {
    const args = { __proto__x: 1 }
    const contents = [
      {
        role: "model",
        parts: [
          { thoughtSignature: wrapped, text: "Hi" },
          { functionCall: { name: "f", args }, thoughtSignature: wrapped }
        ]
      },
      { role: "model", parts: [{ text: "", thought: true, thoughtSignature: wrapped }] }
    ]
    const pass = (needsSignatures: boolean) =>
      JSON.stringify(passOn({ contents }, {}, { needsSignatures, takesUrls: true }))
    const text = '{"contents":[{"role":"model","parts":[{"text":"Hi"},'
    const written = '{"functionCall":{"name":"f","args":{"__proto__x":1}}'
    assert.strictEqual(pass(false), `${text}${written}}]}]}`)
    assert.strictEqual(
      pass(true),
      `${text}${written},"thoughtSignature":"skip_thought_signature_validator"}]}]}`
    )
  })

  it.each(["generationConfig", "generation_config"])(
    "leaves out parameters that the endpoint does not list, in %s",
    (name) => {
      const config = {
        temperature: 0.5,
        top_p: 0.5,
        maxOutputTokens: 5,
        thinkingConfig: { thinkingLevel: "low" },
        responseMimeType: "application/json",
        mediaResolution: "LOW"
      }
      const body = { tools: [], [name]: config, tool_config: {}, safetySettings: [], contents: [] }
      const listed = (...names: ReadonlyArray<string>) =>
        passOn(body, { supportedParameters: new Set(names) })
      assert.deepStrictEqual(listed("max_completion_tokens", "top_p"), {
        [name]: { top_p: 0.5, maxOutputTokens: 5, mediaResolution: "LOW" },
        safetySettings: [],
        contents: []
      })
      const all = ["max_tokens", "temperature", "top_p", "tools", "reasoning", "response_format"]
      assert.strictEqual(JSON.stringify(listed(...all)), JSON.stringify(body))
      const { mediaResolution: _, ...listable } = config
      assert.notProperty(passOn({ [name]: listable }, { supportedParameters: new Set() }), name)
    }
  )

  it("asks for the tier that the endpoint sells", () => {
    assert.deepStrictEqual(passOn({ contents: [] }, { serviceTier: "flex" }), {
      contents: [],
      serviceTier: "flex"
    })
    const body = { service_tier: "standard", contents: [] }
    assert.strictEqual(
      JSON.stringify(passOn(body, { serviceTier: "priority" })),
      '{"service_tier":"priority","contents":[]}'
    )
    assert.deepStrictEqual(passOn(body, { serviceTier: "unknown" }), body)
  })

  it.each([
    [{ fileData: { fileUri: "https://x.y/a.png" } }, []],
    [{ file_data: { file_uri: "https://x.y/a.png" } }, []],
    [
      { functionResponse: { name: "f", parts: [{ fileData: { fileUri: "https://x.y/a.png" } }] } },
      ["functionResponse", "parts", 0]
    ]
  ] as const)("refuses URLs where the model does: %j", (part, path) => {
    const body = { contents: [{ role: "user", parts: [part] }] }
    expect(passOnGemini(body, call, { ...model, takesUrls: false })).toMatchObject({
      failure: {
        path: ["contents", 0, "parts", 0, ...path],
        problem: expect.stringContaining("URL")
      }
    })
    assert.isTrue(Result.isSuccess(passOnGemini(body, call, model)))
  })

  it("takes files of Google from every model", () => {
    const parts = [{ fileData: { fileUri: "gs://bucket/a.png" } }]
    const body = { contents: [{ role: "user", parts }] }
    assert.deepStrictEqual(passOn(body, {}, { ...model, takesUrls: false }), body)
  })
})
