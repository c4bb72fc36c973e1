/** How routing fails, as typed facts. */
import type * as Arr from "effect/Array"
import * as Data from "effect/Data"
import type { OperationName } from "../values/OperationName.ts"
import type { RejectedCandidate } from "./Reason.ts"
import type { RouteAttempt } from "./attempt/RouteAttempt.ts"

/** No model has this name. */
export class ModelNotFound extends Data.TaggedError("ModelNotFound")<{
  readonly model: string
  /** The model that the caller may use with the nearest name. */
  readonly nearest?: string
  /** The models that the caller may use whose names differ in their suffix alone. */
  readonly siblings?: ReadonlyArray<string>
}> {}

/** The model exists, but its endpoints do not support this operation. */
export class WrongOperation extends Data.TaggedError("WrongOperation")<{
  readonly model: string
  readonly operation: OperationName
  /** The outputs that its card states; absent: its upstreams do not support the operation either. */
  readonly outputs?: ReadonlyArray<string>
}> {}

/** A rule rejected every endpoint of the models. */
export class NoEndpoints extends Data.TaggedError("NoEndpoints")<{
  readonly models: ReadonlyArray<string>
  readonly rejected: ReadonlyArray<RejectedCandidate>
}> {}

/** An endpoint runs as many requests in parallel as it may. */
export class EndpointBusy extends Data.TaggedError("EndpointBusy")<{
  readonly models: ReadonlyArray<string>
  /** How many requests it may run. */
  readonly limit: number
  /** What became of the request in the queue; absent: there is none. */
  readonly queue?: "full" | "timeout"
}> {}

/** The request exceeds the context length of every endpoint that could otherwise serve it. */
export class ContextLengthExceeded extends Data.TaggedError("ContextLengthExceeded")<{
  readonly models: ReadonlyArray<string>
  /** The estimated tokens of the prompt. */
  readonly inputTokens: number
  /** The requested maximum tokens of the answer; 0: the request sets none. */
  readonly outputTokens: number
  /** The largest context length among these endpoints, in tokens. */
  readonly limit: number
  readonly rejected: ReadonlyArray<RejectedCandidate>
}> {}

/** The deadline passed before any provider could be called, such as while waiting for the ledger. */
export class DeadlineExceeded extends Data.TaggedError("DeadlineExceeded")<{
  readonly models: ReadonlyArray<string>
  /** The time went by while money was reserved, so it is the storage that is late. */
  readonly isStorageLate?: true
}> {}

/** Every possible attempt failed, or one failed in a way that ends the request. */
export class AttemptsFailed extends Data.TaggedError("AttemptsFailed")<{
  readonly models: ReadonlyArray<string>
  readonly attempts: Arr.NonEmptyReadonlyArray<RouteAttempt>
  /** The last failure rules out further attempts at its model. */
  readonly isFinal: boolean
}> {}
