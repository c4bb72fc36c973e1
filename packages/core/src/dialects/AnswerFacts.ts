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

export const makeUnreadAnswer = (
  read: () => ReadonlyArray<Part>,
  end: AnswerEnd,
  logprobs?: unknown
): Answer => new UnreadAnswer(read, end, logprobs)

/**
 * The parts are a property of the object itself, so that a copy of it has them, too. All have the same getter: with one of its
 * own, V8 makes a dictionary of each object.
 */
class UnreadAnswer implements Answer {
  declare readonly parts: ReadonlyArray<Part>
  readonly end: AnswerEnd
  declare readonly logprobs?: unknown
  readonly #read: () => ReadonlyArray<Part>
  #parts: ReadonlyArray<Part> | undefined = undefined

  constructor(read: () => ReadonlyArray<Part>, end: AnswerEnd, logprobs: unknown) {
    Object.defineProperty(this, "parts", UnreadAnswer.#computed)
    this.end = end
    if (logprobs !== undefined) this.logprobs = logprobs
    this.#read = read
  }

  static readonly #computed = {
    enumerable: true,
    configurable: true,
    get(this: UnreadAnswer): ReadonlyArray<Part> {
      return (this.#parts ??= this.#read())
    }
  }
}
