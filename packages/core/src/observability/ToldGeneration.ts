/** A generation as destinations of the host are told of it: plain JSON, without secrets or content. */
import * as NanoUsd from "../values/NanoUsd.ts"
import type { Trace } from "../values/Trace.ts"
import { clipGeneration } from "./clipGeneration.ts"
import type { Generation, GenerationAttempt } from "./Generation.ts"

export interface ToldAttempt extends Omit<GenerationAttempt, Money> {
  /** USD; absent when unknown. */
  readonly cost?: number
  /** USD, charged by the provider to the customer whose credential it ran on; absent when unknown. */
  readonly upstreamCost?: number
}

/** Sizes are bounded as those of records are. */
export interface ToldGeneration extends Omit<Generation, "attempts" | Money> {
  readonly attempts: ReadonlyArray<ToldAttempt>
  /** USD; absent when unknown. */
  readonly cost?: number
  /** USD, charged by providers to the customer on whose own credentials attempts ran; absent when unknown. */
  readonly upstreamCost?: number
  /** What the caller's `trace` holds beside its known keys. Source: interface specification, TraceConfig. */
  readonly metadata: Readonly<Record<string, unknown>>
}

export const toldOf = (generation: Generation): ToldGeneration => {
  const { attempts, ...rest } = clipGeneration(generation)
  return {
    ...inUsd(rest),
    attempts: attempts.map(inUsd),
    metadata: metadataOf(rest.trace ?? {})
  }
}

type Money = "cost" | "upstreamCost"

/** JSON has no integers of this size. */
const inUsd = <A extends Pick<Generation, Money>>({ cost, upstreamCost, ...rest }: A) => ({
  ...rest,
  ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
  ...(upstreamCost === undefined ? undefined : { upstreamCost: NanoUsd.toUsdNumber(upstreamCost) })
})

const known: ReadonlySet<string> = new Set([
  "trace_id",
  "trace_name",
  "span_name",
  "generation_name",
  "parent_span_id"
])

const metadataOf = (trace: Trace): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(trace).filter(([key]) => !known.has(key)))
