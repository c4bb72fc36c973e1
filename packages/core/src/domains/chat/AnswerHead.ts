/** Who answers a chat. */

/** Who answers, as soon as anything of the answer has arrived. */
export interface AnswerHead {
  /** The id of the generation record. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** The catalog id of the model. */
  readonly model: string
  /** The display name of the provider. */
  readonly provider: string
}
