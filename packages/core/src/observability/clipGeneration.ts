/** What a record keeps of texts and lists that others chose, so that so many records are at most so many bytes. */
import type { Trace } from "../values/Trace.ts"
import type { Generation, GenerationAttempt, GenerationReason } from "./Generation.ts"

/** Characters of one text; a clipped one ends in an ellipsis. Session and user come in shorter. */
export const longestText = 512

/** Characters of a trace as JSON: entries that do not fit any more are left out. */
export const longestTrace = 8_192

/** Why candidates were left out, or moved: a caller may name every model there is. The first ones are kept. */
export const mostReasons = 256

/** Shortens texts of a record that are longer than a store keeps. */
export const clipGeneration = (generation: Generation): Generation => ({
  ...generation,
  requestedModel: clipText(generation.requestedModel),
  ...(generation.model === undefined ? undefined : { model: clipText(generation.model) }),
  ...Object.fromEntries(
    providersWords.flatMap((name) => {
      const text = generation[name]
      return text === undefined ? [] : [[name, clipText(text)]]
    })
  ),
  attempts: generation.attempts.map(clipAttempt),
  rejected: generation.rejected.slice(0, mostReasons).map(clipReason),
  demoted: generation.demoted.slice(0, mostReasons).map(clipReason),
  ...(generation.trace === undefined ? undefined : { trace: clipTrace(generation.trace) })
})

const providersWords = ["finishReason", "nativeFinishReason", "serviceTier", "upstreamId"] as const

/** Names of parameters that an endpoint was not sent: callers choose them. The first ones are kept. */
const mostDropped = 64

const clipAttempt = (attempt: GenerationAttempt): GenerationAttempt =>
  attempt.dropped === undefined
    ? attempt
    : { ...attempt, dropped: attempt.dropped.slice(0, mostDropped).map(clipText) }

export const clipReason = (reason: GenerationReason): GenerationReason => ({
  ...reason,
  wanted: clipText(reason.wanted)
})

export const clipText = (text: string): string =>
  text.length <= longestText
    ? text
    : // Put together anew: in V8 a slice keeps the whole text alive.
      `${Array.from(text.slice(0, longestText - 1))
        .join("")
        .toWellFormed()}…`

export const clipTrace = (trace: Trace): Trace => {
  let room = longestTrace
  const kept = Object.entries(trace).flatMap(([key, value]) => {
    const entry = [key, typeof value === "string" ? clipText(value) : value] as const
    const size = JSON.stringify(entry).length
    if (size > room) return []
    room -= size
    return [entry]
  })
  // Every value is of the type it had.
  return Object.fromEntries(kept) as Trace
}
