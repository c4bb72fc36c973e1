import { assert, describe, it } from "vitest"
import type { BreakerReport, EndpointReport } from "../../../src/engine/health/HealthSnapshot.ts"
import { toPublicEndpoint } from "../../../src/domains/listing/toPublicEndpoint.ts"
import { makeFlatPercentiles, makeReport } from "../../routing/makeReport.ts"
import { makeEndpoint, makeIndex, makeModel } from "./makeIndex.ts"

const makePublicEndpoint = (
  health?: EndpointReport,
  fields: Parameters<typeof makeEndpoint>[0] = {}
) => {
  const [only] = makeIndex([
    makeModel("a/b", { name: "B", endpoints: [makeEndpoint(fields)] })
  ]).models
  return toPublicEndpoint(only!, only!.endpoints[0]!, "The One", health)
}

const makeUniformReport = (value: number) =>
  makeReport({ latency: makeFlatPercentiles(value), throughput: makeFlatPercentiles(value) })

const breakers: ReadonlyArray<readonly [BreakerReport, number]> = [
  [{ state: "closed" }, 0],
  [{ state: "open", since: 0, cause: "12 of 20 failed", nextProbeAt: 1 }, -10],
  [{ state: "ramping", since: 0, share: 0.5 }, -5],
  [{ state: "backing_off", since: 0, cause: "rate limited", until: 1 }, -3]
]

describe("the status of a public endpoint", () => {
  it("is 0 for an endpoint that was never tried", () => {
    assert.strictEqual(makePublicEndpoint().status, 0)
  })

  it.each(breakers)("follows from its breaker: $state", (breaker, status) => {
    assert.strictEqual(makePublicEndpoint(makeReport({ breaker })).status, status)
    const outage = { failures: 3, of: 4 }
    // The breaker takes precedence.
    assert.strictEqual(
      makePublicEndpoint(makeReport({ breaker, outage })).status,
      status === 0 ? -2 : status
    )
  })

  it.each([
    [100, 0],
    [95, 0],
    [94.99, -1],
    [80, -1],
    [79.99, -2],
    [0, -2]
  ])("follows from its uptime: %d percent", (percent, status) => {
    assert.strictEqual(makePublicEndpoint(makeReport({ uptime: { m5: percent } })).status, status)
    assert.strictEqual(makePublicEndpoint(makeReport({ uptime: { m30: percent } })).status, status)
    assert.strictEqual(makePublicEndpoint(makeReport({ uptime: { d1: percent } })).status, status)
  })

  it("uses the uptime of the shortest measured window", () => {
    assert.strictEqual(
      makePublicEndpoint(makeReport({ uptime: { m5: 99, m30: 50, d1: 50 } })).status,
      0
    )
    assert.strictEqual(makePublicEndpoint(makeReport({ uptime: { m30: 90, d1: 50 } })).status, -1)
  })
})

describe("the measurements of a public endpoint", () => {
  it("are null without samples", () => {
    for (const health of [
      undefined,
      makeReport(),
      makeReport({ longer: { m30: makeReport(), d1: makeReport() } })
    ]) {
      const shown = makePublicEndpoint(health)
      assert.isNull(shown.latency_last_30m)
      assert.isNull(shown.throughput_last_30m)
      assert.isNull(shown.uptime_last_5m)
      assert.isNull(shown.uptime_last_30m)
      assert.isNull(shown.uptime_last_1d)
    }
  })

  it("cover half an hour, not five minutes or a day", () => {
    const shown = makePublicEndpoint({
      ...makeUniformReport(1),
      uptime: { m5: 91, m30: 92, d1: 93 },
      longer: { m30: makeUniformReport(2), d1: makeUniformReport(3) }
    })
    assert.deepStrictEqual(shown.latency_last_30m, makeFlatPercentiles(2))
    assert.deepStrictEqual(shown.throughput_last_30m, makeFlatPercentiles(2))
    assert.strictEqual(shown.uptime_last_5m, 91)
    assert.strictEqual(shown.uptime_last_30m, 92)
    assert.strictEqual(shown.uptime_last_1d, 93)
  })
})

describe("the stated fields of a public endpoint", () => {
  it("are null when unknown, and the context length is 0", () => {
    const shown = makePublicEndpoint()
    assert.strictEqual(shown.context_length, 0)
    assert.isNull(shown.max_prompt_tokens)
    assert.isNull(shown.max_completion_tokens)
    assert.strictEqual(shown.quantization, "unknown")
    assert.strictEqual(shown.name, "The One | a/b")
    assert.strictEqual(shown.tag, "one")
  })

  it.each(["0.00000008333333333333334", "0.0000000000000000001", "0", "20", "1200000", "1.5"])(
    "have prices as decimals, however long: %s",
    (prompt) => {
      const { pricing } = makePublicEndpoint(undefined, { price: { prompt }, allowHighPrice: true })
      assert.deepStrictEqual(pricing, { prompt, completion: "-1", request: "0", image: "0" })
    }
  )

  it.each([
    { config: {}, takes: false },
    { config: { supportedParameters: [] }, takes: false },
    { config: { supportedParameters: ["tools"] }, takes: true },
    { config: { supportedParameters: ["tool_choice"] }, takes: true }
  ])("report whether tool choices are supported with $config", ({ config, takes }) => {
    const { supports_tool_choice } = makePublicEndpoint(undefined, config)
    assert.deepStrictEqual(supports_tool_choice, {
      auto: takes,
      function: takes,
      none: takes,
      required: takes
    })
  })

  it("say that they clone voices only where the catalog does", () => {
    assert.isFalse(supportsVoiceCloning({}))
    assert.isFalse(supportsVoiceCloning({ speech: { defaultVoice: "alloy" } }))
    assert.isTrue(supportsVoiceCloning({ speech: { voiceCloning: true } }))
  })

  it("has an empty list of unknown parameters", () => {
    assert.deepStrictEqual(makePublicEndpoint(undefined, {}).supported_parameters, [])
    const { supported_parameters } = makePublicEndpoint(undefined, {
      supportedParameters: ["structured_outputs"]
    })
    assert.deepStrictEqual(supported_parameters, ["structured_outputs", "response_format"])
  })
})

const supportsVoiceCloning = (config: Parameters<typeof makePublicEndpoint>[1]) =>
  makePublicEndpoint(undefined, config).supports_voice_cloning
