/** How routing a request fails, in facts. */
import type * as Arr from "effect/Array"
import * as Data from "effect/Data"
import type { OperationName } from "../values/OperationName.ts"
import type { RouteAttempt } from "./attempt/RouteAttempt.ts"
import type { RejectedCandidate } from "./Reason.ts"

/** No model has this name. */
export class ModelNotFound extends Data.TaggedError("ModelNotFound")<{
  readonly model: string
}> {}

/** The model exists, but none of its endpoints can do this operation. */
export class WrongOperation extends Data.TaggedError("WrongOperation")<{
  readonly model: string
  readonly operation: OperationName
}> {}

/** Every endpoint of the models was removed by a rule. */
export class NoEndpoints extends Data.TaggedError("NoEndpoints")<{
  readonly models: ReadonlyArray<string>
  readonly rejected: ReadonlyArray<RejectedCandidate>
}> {}

/** The request is longer than every endpoint takes that may serve it otherwise. */
export class ContextLengthExceeded extends Data.TaggedError("ContextLengthExceeded")<{
  readonly models: ReadonlyArray<string>
  /** Tokens of the prompt, as they are estimated. */
  readonly inputTokens: number
  /** The most tokens the answer is to have; 0 where the request does not say. */
  readonly outputTokens: number
  /** Tokens that the roomiest of these endpoints takes. */
  readonly limit: number
  readonly rejected: ReadonlyArray<RejectedCandidate>
}> {}

/** The total deadline passed before anybody could be asked, such as while waiting for the ledger. */
export class DeadlineExceeded extends Data.TaggedError("DeadlineExceeded")<{
  readonly models: ReadonlyArray<string>
}> {}

/** Every attempt that could be made failed, or one failed in a way that ends the request. */
export class AttemptsFailed extends Data.TaggedError("AttemptsFailed")<{
  readonly models: ReadonlyArray<string>
  readonly attempts: Arr.NonEmptyReadonlyArray<RouteAttempt>
  /** The last failure is of a kind that its model is not asked again after. */
  readonly isFinal: boolean
}> {}
