/** W3C Trace Context, in both directions: https://www.w3.org/TR/trace-context-2/. */
import * as Tracer from "effect/Tracer"

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
