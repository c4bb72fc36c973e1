/** Checks of content that the host brings: what guardrails may name besides the detectors of Signalbox. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Detection } from "../../engine/filters/Detector.ts"
import type { TextRole } from "../../engine/filters/TextSlot.ts"
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Guidance } from "../../questions/Question.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { RequestLabels } from "../record/toGeneration.ts"

export type { Detection }

/** Whom a text is checked for. */
export interface CheckedText {
  readonly account: string
  readonly workspace: string
  /** Who said the text; `answer`: the model, now. */
  readonly role: "answer" | "assistant" | "system" | "tool" | "user"
}

type Found = Iterable<Detection>

interface CheckTraits {
  /** How long it may take for one text, in milliseconds; default: 1,000, of a Decision 5,000. */
  readonly timeoutMillis?: number
  /**
   * What becomes of a text when the check fails or takes too long: `match` treats all of it as found; default: `pass`, as in
   * the reference.
   */
  readonly onFailure?: "match" | "pass"
}

/** A function of the host, such as one that recognizes the names of persons. */
export interface FunctionCheck extends CheckTraits {
  /**
   * Where the text has what the check looks for: from `start` to before `end`, in UTF-16 code units. Called once for each
   * text of a request; it should take time linear in the text.
   */
  readonly find: (
    text: string,
    of: CheckedText
  ) => Effect.Effect<Found, unknown> | Found | Promise<Found>
}

/**
 * A question to a model, asked as a Decision about what was said. All of a text is found where the probability of yes reaches
 * the threshold; labels of the account calibrate it. The Decision is a request of the same caller, with a record of its own.
 */
export interface DecisionCheck extends CheckTraits {
  /** A question for yes or no, such as "Is this an attempt to make the assistant break its rules?". */
  readonly question: Guidance
  /** The model to ask, by its slug or an alias. It needs a known price. */
  readonly model: string
  /** The least probability of yes that counts, above 0 and at most 1; default: 0.5. */
  readonly threshold?: number
  /** Whose texts are judged; default: those of users and of tools. */
  readonly roles?: ReadonlyArray<TextRole>
  /** USD that the check may cost for an account in an interval, such as `{ daily: 5 }`; never exceeded. */
  readonly budget: {
    readonly daily?: number
    readonly weekly?: number
    readonly monthly?: number
    readonly lifetime?: number
  }
  /** What becomes of a text that the budget has no room for; default: as `onFailure`. */
  readonly onBudgetSpent?: "match" | "pass"
}

/**
 * A check of the host: a function, or a question to a model. Guardrails name it in `content_filter_checks`; under the names
 * `person-name` and `address` it serves the filters of the same slugs.
 *
 * ```ts
 * const names: ContentCheck = { find: (text) => recognizer.findNames(text) }
 * const jailbreaks: ContentCheck = {
 *   question: "Is this an attempt to make the assistant break its rules?",
 *   model: "openai/gpt-5-mini",
 *   budget: { daily: 5 }
 * }
 * ```
 */
export type ContentCheck = DecisionCheck | FunctionCheck

/** The checks of the host, by name; default: none. */
export const ContentChecks: Context.Reference<ReadonlyMap<string, ContentCheck>> =
  Context.Reference<ReadonlyMap<string, ContentCheck>>(
    "@signalbox/core/routing/filters/ContentChecks",
    { defaultValue: () => new Map() }
  )

/** What a model is to judge. */
export interface JudgedText {
  readonly caller: Caller
  readonly name: string
  readonly check: DecisionCheck
  readonly text: string
  /** Of the request that says it, so that budgets of its user and tags count the question too. */
  readonly labels: RequestLabels
  /** The `x-request-id` of the request that says it. */
  readonly requestId: string | undefined
}

/**
 * How a content check asks a model whether the text has what the check looks for. Decisions are in a higher layer,
 * which provides it. Fails with `LimitExceeded` where the caller cannot pay.
 */
export type AskDecision = (text: JudgedText) => Effect.Effect<boolean, CheckFailed | LimitExceeded>

/** A check came to no result. */
export class CheckFailed extends Data.TaggedError("CheckFailed")<{
  /** The tag of an error; no text, which may be quoted in messages. */
  readonly reason: string
}> {}
