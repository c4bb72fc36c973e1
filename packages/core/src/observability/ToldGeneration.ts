/** A generation as destinations of the host are told of it: plain JSON, without secrets or content. */
import * as NanoUsd from "../values/NanoUsd.ts"
import type { Trace } from "../values/Trace.ts"
import { clipGeneration } from "./clipGeneration.ts"
import type { Generation, GenerationAttempt } from "./Generation.ts"

export interface ToldAttempt extends Omit<GenerationAttempt, "cost"> {
  /** USD; absent when unknown. */
  readonly cost?: number
}

/** Sizes are bounded as those of records are. */
export interface ToldGeneration extends Omit<Generation, "attempts" | "cost"> {
  readonly attempts: ReadonlyArray<ToldAttempt>
  /** USD; absent when unknown. */
  readonly cost?: number
  /** What the caller's `trace` holds beside its known keys. Source: interface specification, TraceConfig. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export const toldOf = (generation: Generation): ToldGeneration => {
  const { cost, ...rest } = clipGeneration(generation)
  return {
    ...rest,
    ...usd(cost),
    attempts: rest.attempts.map(({ cost: each, ...attempt }) => ({ ...attempt, ...usd(each) })),
    metadata: metadataOf(rest.trace ?? {})
  }
}

const usd = (cost: NanoUsd.NanoUsd | undefined): { readonly cost?: number } =>
  cost === undefined ? {} : { cost: NanoUsd.toUsdNumber(cost) }

const known: ReadonlySet<string> = new Set([
  "trace_id",
  "trace_name",
  "span_name",
  "generation_name",
  "parent_span_id"
])

const metadataOf = (trace: Trace): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(trace).filter(([key]) => !known.has(key)))
