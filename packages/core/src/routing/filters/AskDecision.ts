/** How a content check asks a model. Decisions are in a higher layer, which provides it. */
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { DecisionCheck } from "./ContentCheck.ts"

/** What a model is to judge. */
export interface JudgedText {
  readonly caller: Caller
  readonly name: string
  readonly check: DecisionCheck
  readonly text: string
  /** The `x-request-id` of the request that says it. */
  readonly requestId: string | undefined
}

/** Whether the text has what the check looks for. Fails with `LimitExceeded` where the caller cannot pay. */
export type AskDecision = (text: JudgedText) => Effect.Effect<boolean, CheckFailed | LimitExceeded>

/** A check came to no result. */
export class CheckFailed extends Data.TaggedError("CheckFailed")<{
  /** The tag of an error; no text, which may be quoted in messages. */
  readonly reason: string
}> {}
