/** Facts about an answer that come from the router, not the model. */
import type { Answer, AnswerEnd } from "../conversation/Answer.ts"
import type { Part } from "../conversation/Part.ts"
import type { TokenUsage } from "../values/usage/TokenUsage.ts"

/** The end of a request: its usage, as far as it is known. */
export interface UsageFacts {
  /** The sum over all attempts; absent: no provider reported it and it was not estimated. */
  readonly usage?: TokenUsage
  /** Further fields of the usage, such as `cost` and `is_byok`. */
  readonly usageFields?: Readonly<Record<string, unknown>>
  /** The tier that served, such as `default`. */
  readonly serviceTier?: string
}

/** A whole answer. */
export interface AnswerFacts extends UsageFacts {
  /** The id of the generation. */
  readonly id: string
  /** The id of the model that answered. */
  readonly model: string
  /** Seconds since the epoch. */
  readonly created: number
}

/** The parts are a property of the object itself, so that a copy of it has them, too. */
export const makeUnreadAnswer = (
  read: () => ReadonlyArray<Part>,
  end: AnswerEnd,
  logprobs?: unknown
): Answer => {
  let parts: ReadonlyArray<Part> | undefined
  return {
    get parts() {
      return (parts ??= read())
    },
    end,
    ...(logprobs === undefined ? undefined : { logprobs })
  }
}
