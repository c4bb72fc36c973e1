/** The request body of a Decision. */
import type { Preferences } from "./Preferences.ts"
import type { Questions } from "./Question.ts"
import type { Trace } from "./Trace.ts"

export type DecisionRequest = {
  readonly model: string
  readonly state: string | object
  readonly questions: Questions
  readonly models?: ReadonlyArray<
    | string
    | {
        readonly model: string
        readonly when: unknown
      }
  > | null
  readonly escalate?: {
    readonly to: string | readonly [string, ...ReadonlyArray<string>]
    readonly confidence_below?: number
    readonly probability_between?: readonly [number, ...ReadonlyArray<number>]
    readonly question?: string
    readonly target?: {
      readonly relative_accuracy?: number
      readonly max_share?: number
    }
  } | null
  readonly provider?: Preferences | null
  readonly calibration?: {
    readonly mode: "auto" | "off"
    readonly coverage?: number
  }
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
}
