/** A generation as destinations of the host are told of it: plain JSON, without secrets or content. */
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { Trace } from "../values/Trace.ts"
import { truncateGeneration } from "./truncateGeneration.ts"
import type { Generation, GenerationAttempt } from "./Generation.ts"

/** One attempt of a generation, its money in USD. */
export interface AttemptEvent extends Omit<GenerationAttempt, MoneyField> {
  /** USD; absent when unknown. */
  readonly cost?: number
  /** USD, charged by the provider to the customer whose credential it ran on; absent when unknown. */
  readonly upstreamCost?: number
}

/** Sizes are bounded as those of records are. */
export interface GenerationEvent extends Omit<Generation, "attempts" | MoneyField> {
  readonly attempts: ReadonlyArray<AttemptEvent>
  /** USD; absent when unknown. */
  readonly cost?: number
  /** USD, charged by providers to the customer on whose own credentials attempts ran; absent when unknown. */
  readonly upstreamCost?: number
  /** The keys of the caller's `trace` beyond the known ones. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export const toGenerationEvent = (generation: Generation): GenerationEvent => {
  const { attempts, ...rest } = truncateGeneration(generation)
  return {
    ...toUsdFields(rest),
    attempts: attempts.map(toUsdFields),
    metadata: toMetadata(rest.trace ?? {})
  }
}

type MoneyField = "cost" | "upstreamCost"

/** JSON has no integers of this size. */
const toUsdFields = <A extends Pick<Generation, MoneyField>>({
  cost,
  upstreamCost,
  ...rest
}: A) => ({
  ...rest,
  ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
  ...(upstreamCost === undefined ? undefined : { upstreamCost: NanoUsd.toUsdNumber(upstreamCost) })
})

const knownTraceKeys: ReadonlySet<string> = new Set([
  "trace_id",
  "trace_name",
  "span_name",
  "generation_name",
  "parent_span_id"
])

const toMetadata = (trace: Trace): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(trace).filter(([key]) => !knownTraceKeys.has(key)))
