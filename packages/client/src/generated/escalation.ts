/** Escalation: the operations of the group `escalation`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Escalation {
  readonly kind: "noul" | "choice" | "score"
  readonly pairs: number
  readonly first: {
    readonly share: number
    readonly low: number
    readonly high: number
  }
  readonly other: {
    readonly share: number
    readonly low: number
    readonly high: number
  }
  readonly targets: ReadonlyArray<{
    readonly relative_accuracy: number
    readonly threshold: number | null
    readonly reason: string | null
    readonly share: number
    readonly accuracy: {
      readonly share: number
      readonly low: number
      readonly high: number
    }
    readonly recent: {
      readonly share: number
      readonly low: number
      readonly high: number
    } | null
  }>
  readonly curve: ReadonlyArray<{
    readonly share: number
    readonly by_confidence: number
    readonly at_random: number
    readonly best: number
  }>
}

export interface EscalationReportInput {
  readonly from: string
  readonly to: string
  /** Kind of the questions. Default: all kinds. */
  readonly kind?: "noul" | "choice" | "score"
}

export interface EscalationReportOutput {
  readonly data: ReadonlyArray<Escalation>
}

/** Escalation. */
export const escalation = (connection: Connection) => ({
  /** Report what the labels of the account say about escalation from one model to another, by kind of question. */
  report: (input: EscalationReportInput, options?: CallOptions): Promise<EscalationReportOutput> =>
    connection.call("GET /api/v1/signalbox/escalation", input, options)
})
