/** What a record keeps of texts and lists that others chose, so that so many records are at most so many bytes. */
import type { Trace } from "../values/Trace.ts"
import type { Generation, GenerationAttempt, GenerationReason } from "./Generation.ts"

/** Characters of one text; a clipped one ends in an ellipsis. Session and user come in shorter. */
export const maxTextCharacters = 512

/** Characters of a trace as JSON: entries that do not fit any more are left out. */
export const maxTraceCharacters = 8_192

/** Why candidates were left out, or moved: a caller may name every model there is. The first ones are kept. */
export const maxReasons = 256

/** Shortens texts of a record that are longer than a store keeps. */
export const truncateGeneration = (generation: Generation): Generation => ({
  ...generation,
  requestedModel: truncateText(generation.requestedModel),
  ...(generation.model === undefined ? undefined : { model: truncateText(generation.model) }),
  ...Object.fromEntries(
    providerTextFields.flatMap((name) => {
      const text = generation[name]
      return text === undefined ? [] : [[name, truncateText(text)]]
    })
  ),
  attempts: generation.attempts.map(truncateAttempt),
  rejected: generation.rejected.slice(0, maxReasons).map(truncateReason),
  demoted: generation.demoted.slice(0, maxReasons).map(truncateReason),
  ...(generation.trace === undefined ? undefined : { trace: truncateTrace(generation.trace) })
})

const providerTextFields = [
  "finishReason",
  "nativeFinishReason",
  "serviceTier",
  "upstreamId"
] as const

/** Names of parameters that an endpoint was not sent: callers choose them. The first ones are kept. */
const maxDroppedParameters = 64

const truncateAttempt = (attempt: GenerationAttempt): GenerationAttempt =>
  attempt.dropped === undefined
    ? attempt
    : { ...attempt, dropped: attempt.dropped.slice(0, maxDroppedParameters).map(truncateText) }

export const truncateReason = (reason: GenerationReason): GenerationReason => ({
  ...reason,
  wanted: truncateText(reason.wanted)
})

export const truncateText = (text: string): string =>
  text.length <= maxTextCharacters
    ? text
    : // Put together anew: in V8 a slice keeps the whole text alive.
      `${Array.from(text.slice(0, maxTextCharacters - 1))
        .join("")
        .toWellFormed()}…`

export const truncateTrace = (trace: Trace): Trace => {
  let remaining = maxTraceCharacters
  const entries = Object.entries(trace).flatMap(([key, value]) => {
    const entry = [key, typeof value === "string" ? truncateText(value) : value] as const
    const size = JSON.stringify(entry).length
    if (size > remaining) return []
    remaining -= size
    return [entry]
  })
  // Every value is of the type it had.
  return Object.fromEntries(entries) as Trace
}
