/** A cap on spending: how much may be settled and reserved together in one window. */
import type { NanoUsd } from "../values/NanoUsd.ts"

/** What a limit restricts, in the order in which refusals are reported. */
export type LimitKind = "credits"

export interface Limit {
  readonly kind: LimitKind
  /** Whose limit: unique together with `kind` and `window`. */
  readonly id: string
  /** The period counted, such as `lifetime` or `2026-11`. */
  readonly window: string
  readonly cap: NanoUsd
}

export const keyOf = (limit: Limit): string => JSON.stringify([limit.kind, limit.id, limit.window])
