import { assert, describe, it } from "vitest"
import * as Endpoint from "../../../../src/engine/catalog/endpoint/Endpoint.ts"
import { ModelSlug } from "../../../../src/values/ids/Ids.ts"

const makeEndpoint = (config: Partial<Endpoint.EndpointConfig> = {}): Endpoint.Endpoint =>
  Endpoint.make(ModelSlug.make("a/b"), { provider: "one", price: {}, ...config })

describe("an endpoint", () => {
  // Values that a file may have, but the types forbid.
  const wrong = [
    ['{"variant":""}', "variant is empty; leave it out"],
    ['{"region":" "}', "region is empty; leave it out"],
    ['{"model":""}', "model is empty; leave it out"],
    ['{"supportedParameters":["seed",""]}', "supportedParameters holds an empty name"],
    ['{"contextLength":0}', "contextLength must be a whole number above 0"],
    ['{"maxPromptTokens":1.5}', "maxPromptTokens must be a whole number above 0"],
    ['{"maxCompletionTokens":"9"}', "maxCompletionTokens must be a whole number above 0"],
    ['{"maxCompletionTokens":null}', "maxCompletionTokens must be a whole number above 0"],
    ['{"tier":"gold"}', 'tier must be one of default, flex, priority, got "gold"'],
    ['{"quantization":"fp7"}', "quantization must be one of int4, int8, fp4, mxfp4"],
    ['{"quantization":"FP8"}', 'got "FP8"'],
    ['{"price":{"prompt":"-2"}}', "price.prompt must be a decimal string of USD"],
    ['{"data":{"retentionDays":0}}', "data.retentionDays must be a whole number above 0"],
    ['{"data":{"retains":false,"retentionDays":30}}', "data.retentionDays contradicts"]
  ] as const
  it.each(wrong)("rejects %s, naming it: %s", (json, words) => {
    const config = JSON.parse(json) as Partial<Endpoint.EndpointConfig>
    const name = config.variant === "" ? "a/b@one/" : "a/b@one"
    const refused: unknown = captureError(() => makeEndpoint(config))
    assert.instanceOf(refused, RangeError)
    assert.isTrue(refused.message.startsWith(`endpoint "${name}": `), refused.message)
    assert.include(refused.message, words)
  })

  it("has the worst data policy by default", () => {
    const policies = [
      "{}",
      '{"data":{}}',
      '{"data":{"collects":false}}',
      '{"data":{"collects":null,"trains":0,"retains":"false"}}',
      '{"data":{"collects":false,"trains":false,"retains":false}}',
      '{"data":{"collects":false,"trains":false,"retentionDays":30}}'
    ].map((json) => makeEndpoint(JSON.parse(json) as object))
    const all = { collects: true, trains: true, retains: true }
    assert.deepStrictEqual(
      policies.map(({ data, zdr }) => ({ ...data, zdr })),
      [
        { ...all, zdr: false },
        { ...all, zdr: false },
        { ...all, collects: false, zdr: false },
        { ...all, zdr: false },
        { collects: false, trains: false, retains: false, zdr: true },
        { collects: false, trains: false, retains: true, retentionDays: 30, zdr: false }
      ]
    )
  })

  it("has zero retention when stated, or when nothing is retained", () => {
    const data = { collects: false, trains: false, retains: true }
    const promises = [
      {},
      { data },
      { data: { ...data, retains: false } },
      { data, zdr: true },
      { data: { ...data, retains: false }, zdr: false },
      { data, ...(JSON.parse('{"zdr":"false"}') as object) }
    ].map(makeEndpoint)
    assert.deepStrictEqual(
      promises.map(({ zdr }) => zdr),
      [false, false, true, true, false, false]
    )
  })

  it("is independent of later changes by the host", () => {
    const data = { collects: false, trains: false, retains: false }
    const supportedParameters = ["seed"]
    const endpoint = makeEndpoint({ data, supportedParameters })
    data.trains = true
    supportedParameters.push("tools")
    assert.isFalse(endpoint.data.trains)
    assert.deepStrictEqual([...(endpoint.supportedParameters ?? [])], ["seed"])
  })
})

const captureError = (make: () => unknown): unknown => {
  try {
    return make()
  } catch (error) {
    return error
  }
}
