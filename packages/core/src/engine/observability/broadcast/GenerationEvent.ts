/** A generation as destinations of the host receive it: JSON without secrets or content. */
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { knownTraceFields, type Trace } from "../../../values/Trace.ts"
import { truncateGeneration } from "../generations/truncateGeneration.ts"
import type { Generation, GenerationAttempt } from "../generations/Generation.ts"

/** One attempt of a generation, its money in USD. */
export interface AttemptEvent extends Omit<GenerationAttempt, MoneyField> {
  /** USD; absent when unknown. */
  readonly cost?: number
  /** USD, charged by the provider to the customer whose credential it ran on; absent when unknown. */
  readonly upstreamCost?: number
}

/** A generation in JSON, truncated like a stored record, with money in USD. */
export interface GenerationEvent extends Omit<Generation, "attempts" | MoneyField> {
  readonly attempts: ReadonlyArray<AttemptEvent>
  /** USD; absent when unknown. */
  readonly cost?: number
  /** USD, charged by providers to the customer on whose own credentials attempts ran; absent when unknown. */
  readonly upstreamCost?: number
  /** The keys of `trace` beyond the known ones. */
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
  ...omitUndefined({
    cost: cost === undefined ? undefined : NanoUsd.toUsdNumber(cost),
    upstreamCost: upstreamCost === undefined ? undefined : NanoUsd.toUsdNumber(upstreamCost)
  })
})

const toMetadata = (trace: Trace): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(trace).filter(([key]) => !Object.hasOwn(knownTraceFields, key)))
