/** A stage of a funnel. */
export interface FunnelStage {
  readonly key: string
  readonly label: string
  /** Who left, or who is left. */
  readonly detail: string
  /** How many come in, and how many of them are left. */
  readonly from: number
  readonly to: number
  readonly tone: "bad" | "good" | "plain"
}
