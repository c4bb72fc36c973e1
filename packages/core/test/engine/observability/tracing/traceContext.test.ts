import * as Tracer from "effect/Tracer"
import { assert, describe, it } from "vitest"
import {
  parseTraceparent,
  toTraceparent
} from "../../../../src/engine/observability/tracing/traceContext.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"

describe("parseTraceparent", () => {
  it.each([
    ["of version 00", `00-${traceId}-${spanId}-01`, true],
    ["that is not sampled", `00-${traceId}-${spanId}-00`, false],
    ["with further flags", `00-${traceId}-${spanId}-03`, true],
    ["of version 01", `01-${traceId}-${spanId}-01`, true],
    [
      "of a later version with more fields",
      `cc-${traceId}-${spanId}-01-what-the-future-holds`,
      true
    ],
    ["of a later version with an empty field", `cc-${traceId}-${spanId}-00-`, false]
  ])("continues one %s", (_, header, sampled) => {
    const span = parseTraceparent(header)
    assert.deepInclude(span, { traceId, spanId, sampled })
  })

  it.each([
    ["of version ff", `ff-${traceId}-${spanId}-01`],
    ["of version 00 with more fields", `00-${traceId}-${spanId}-01-more`],
    ["with more characters", `01-${traceId}-${spanId}-011`],
    ["with a trace of zeros", `01-${"0".repeat(32)}-${spanId}-01`],
    ["with a span of zeros", `01-${traceId}-${"0".repeat(16)}-01`],
    ["in upper case", `00-${traceId.toUpperCase()}-${spanId}-01`],
    ["sent twice", `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ["that is empty", ""]
  ])("ignores one %s", (_, header) => {
    assert.isUndefined(parseTraceparent(header))
  })
})

describe("toTraceparent", () => {
  it.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-00`])("writes %s", (header) => {
    assert.strictEqual(toTraceparent(parseTraceparent(header)!), header)
  })

  it("pads the id of a short trace", () => {
    const span = Tracer.externalSpan({ traceId: "a".repeat(16), spanId, sampled: true })
    assert.strictEqual(toTraceparent(span), `00-${"0".repeat(16)}${"a".repeat(16)}-${spanId}-01`)
  })
})
