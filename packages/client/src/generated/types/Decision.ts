/** The response body of a Decision. */
import type { Answers } from "./Answer.ts"

export type Decision = {
  readonly answers: Answers
  readonly id?: string
  readonly model: string
  readonly provider?: string
  readonly usage: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly cost?: number
  }
}
