/** W3C Trace Context, in both directions: https://www.w3.org/TR/trace-context-2/. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import type { Trace } from "../../../values/Trace.ts"
import { toErrorType } from "../../../values/errors/toErrorType.ts"
import { truncateText, truncateTrace } from "../generations/truncateGeneration.ts"
import { type SpanObserver, withSpan } from "./withSpan.ts"

/**
 * The span that a `traceparent` header names; undefined if it is invalid. A later version than 00 is read by the rules of
 * version 00, and may have further fields: https://www.w3.org/TR/trace-context-2/#versioning-of-traceparent.
 */
export const parseTraceparent = (header: string): Tracer.ExternalSpan | undefined => {
  const { flags = "", rest, spanId = "", traceId = "", version } = form.exec(header)?.groups ?? {}
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) {
    return undefined
  }
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

const form =
  /^(?<version>[\da-f]{2})-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<rest>-.*)?$/
const zeros = /^0+$/

/** The value of `traceparent` and `traceresponse` for a span. Tracers may write short ids of traces. */
export const toTraceparent = ({ sampled, spanId, traceId }: Tracer.AnySpan): string =>
  `00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`

/** The header by which the caller's trace continues: https://w3c.github.io/trace-context/#traceresponse-header. */
export const traceresponseHeader = "traceresponse"

/** What `continueTrace` needs to know of the current span; undefined unless a tracer of the host exports it. */
export const currentTraceparent: Effect.Effect<string | undefined> = Effect.withFiber((fiber) => {
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  return Effect.succeed(
    span?._tag === "Span" && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer
      ? toTraceparent(span)
      : undefined
  )
})

/** Makes that span the parent, in this or another process. Work that another request has asked for stays in its trace. */
export const continueTrace = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  traceparent: string | undefined
): Effect.Effect<A, E, R> => {
  const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent)
  if (parent === undefined) return self
  return Effect.withFiber((fiber) =>
    Context.getOrUndefined(fiber.context, Tracer.ParentSpan) === undefined
      ? Effect.provideService(self, Tracer.ParentSpan, parent)
      : self
  )
}

const makeHexPattern = (length: number) => new RegExp(`^(?!0+$)[0-9a-f]{${length}}$`, "i")
const traceIdPattern = makeHexPattern(32)
const spanIdPattern = makeHexPattern(16)

/**
 * `trace_id` and `parent_span_id` set the parent when both have the W3C form. The name is `span_name`, else
 * `generation_name`, else `trace_name`. Every key becomes an attribute `trace.<key>`. Names and attributes are
 * truncated as in records. `observer` receives the span. Calls `run` at once when there is no tracer.
 */
export const withTrace = <A, E, R>(
  run: () => Effect.Effect<A, E, R>,
  trace: Trace | undefined,
  name: string,
  observer?: SpanObserver
): Effect.Effect<A, E, R> =>
  withSpan(run, () => {
    const { parent_span_id: spanId, trace_id: traceId } = trace ?? {}
    const isParented =
      traceId !== undefined &&
      spanId !== undefined &&
      traceIdPattern.test(traceId) &&
      spanIdPattern.test(spanId)
    return {
      name: truncateText(trace?.span_name ?? trace?.generation_name ?? trace?.trace_name ?? name),
      kind: "server",
      observer,
      attributes: toAttributes(trace),
      ...(isParented
        ? {
            parent: Tracer.externalSpan({
              traceId: traceId.toLowerCase(),
              spanId: spanId.toLowerCase()
            })
          }
        : undefined),
      onEnd: (_, exit) => (Exit.isFailure(exit) ? toErrorType(exit.cause) : undefined)
    }
  })

const toAttributes = (trace: Trace = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(truncateTrace(trace)).map(([key, value]) => [`trace.${key}`, value])
  )
