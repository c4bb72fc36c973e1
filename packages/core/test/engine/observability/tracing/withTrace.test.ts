import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { maxTextCharacters } from "../../../../src/engine/observability/generations/truncateGeneration.ts"
import { withTrace } from "../../../../src/engine/observability/tracing/traceContext.ts"
import type { Trace } from "../../../../src/values/Trace.ts"
import { recordingTracer } from "../recordingTracer.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const spanId = "b7ad6b7169203331"

/** The span of a request with `trace`. */
const spanOf = Effect.fnUntraced(function* (trace: Trace | undefined) {
  const { spans, tracer } = recordingTracer()
  yield* Effect.suspend(() => withTrace(() => Effect.void, trace, "decision")).pipe(
    Effect.provideService(Tracer.Tracer, tracer)
  )
  assert.lengthOf(spans, 1)
  return spans[0]!
})

describe("withTrace", () => {
  it.effect.each([
    [undefined, "decision"],
    [{}, "decision"],
    [{ trace_name: "t" }, "t"],
    [{ trace_name: "t", generation_name: "g" }, "g"],
    [{ trace_name: "t", generation_name: "g", span_name: "s" }, "s"]
  ] as const)("names the span of %j %s", ([trace, name]) =>
    Effect.gen(function* () {
      const span = yield* spanOf(trace)
      assert.strictEqual(span.name, name)
      assert.strictEqual(span.kind, "server")
    })
  )

  it.effect("parents the span by trace_id and parent_span_id", () =>
    Effect.gen(function* () {
      const span = yield* spanOf({
        trace_id: traceId.toUpperCase(),
        parent_span_id: spanId.toUpperCase()
      })
      const parent = Option.getOrThrow(span.parent)
      assert.strictEqual(parent._tag, "ExternalSpan")
      assert.strictEqual(parent.traceId, traceId)
      assert.strictEqual(parent.spanId, spanId)
    })
  )

  it.effect.each([
    { trace_id: traceId },
    { parent_span_id: spanId },
    { trace_id: traceId.slice(1), parent_span_id: spanId },
    { trace_id: traceId, parent_span_id: `${spanId}0` },
    { trace_id: "0".repeat(32), parent_span_id: spanId },
    { trace_id: traceId, parent_span_id: "0".repeat(16) },
    { trace_id: "my trace", parent_span_id: "my span" }
  ])("leaves the span without a parent for %j", (trace) =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone((yield* spanOf(trace)).parent))
    })
  )

  it.effect("truncates a megabyte of trace in the span and in its name", () =>
    Effect.gen(function* () {
      const huge = "x".repeat(1_000_000)
      const span = yield* spanOf({
        span_name: huge,
        customer: [huge],
        trace_id: traceId,
        parent_span_id: spanId
      })
      const truncated = `${"x".repeat(maxTextCharacters - 1)}…`
      assert.strictEqual(span.name, truncated)
      assert.deepStrictEqual(
        [...span.attributes],
        [
          ["trace.span_name", truncated],
          ["trace.trace_id", traceId],
          ["trace.parent_span_id", spanId]
        ]
      )
    })
  )

  it.effect("makes an attribute of every key of any name", () =>
    Effect.gen(function* () {
      const trace: Trace = JSON.parse(
        '{"trace_name":"t","customer":{"tier":[1,null]},"__proto__":"p","constructor":"c","":""}'
      )
      const { attributes } = yield* spanOf(trace)
      assert.deepStrictEqual(
        [...attributes],
        [
          ["trace.trace_name", "t"],
          ["trace.customer", { tier: [1, null] }],
          ["trace.__proto__", "p"],
          ["trace.constructor", "c"],
          ["trace.", ""]
        ]
      )
    })
  )

  it.effect("returns the result of the effect, in the span", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordingTracer()
      const exit = yield* Effect.suspend(() =>
        withTrace(() => Effect.fail("why"), undefined, "decision")
      ).pipe(Effect.provideService(Tracer.Tracer, tracer), Effect.flip)
      assert.strictEqual(exit, "why")
      assert.isTrue(spans[0]?.status._tag === "Ended" && spans[0].status.exit._tag === "Failure")
    })
  )

  it.effect("adds no span without a tracer", () =>
    Effect.gen(function* () {
      const inside = Effect.option(Effect.currentSpan)
      assert.isTrue(Option.isNone(yield* withTrace(() => inside, { span_name: "s" }, "decision")))
    })
  )
})
