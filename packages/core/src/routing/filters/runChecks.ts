/** Runs the checks of the host on the texts of a request. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Detection } from "../../engine/filters/Detector.ts"
import { listJsonTexts } from "../../engine/filters/jsonTexts.ts"
import type { TextRole, TextSlot } from "../../engine/filters/TextSlot.ts"
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { RequestLabels } from "../record/toGeneration.ts"
import {
  type AskDecision,
  type CheckedText,
  CheckFailed,
  type ContentCheck,
  type DecisionCheck,
  type FunctionCheck
} from "./ContentCheck.ts"

/** What each check found, by its name and the text. */
export type CheckResults = ReadonlyMap<string, ReadonlyMap<string, ReadonlyArray<Detection>>>

export interface ChecksOutcome {
  readonly results: CheckResults
  /** Why the caller cannot pay for a check; absent: it can. */
  readonly unpaid?: LimitExceeded
}

/** Who asks, and what is asked. */
export interface CheckOptions {
  readonly caller: Caller
  readonly checks: ReadonlyMap<string, ContentCheck>
  readonly labels: RequestLabels
  readonly requestId: string | undefined
  readonly askDecision: AskDecision
}

type Slot = Pick<TextSlot, "kind" | "role" | "run" | "text">
type Found = Map<string, ReadonlyArray<Detection>>

/** Texts that one check reads at the same time. */
const concurrency = 4
const functionTimeoutMillis = 1_000
const decisionTimeoutMillis = 5_000

/** Never fails: what a failed check means is the word of the check. Checks run side by side. */
export const runChecks = (
  names: ReadonlyArray<string>,
  slots: ReadonlyArray<Slot>,
  options: CheckOptions
): Effect.Effect<ChecksOutcome> =>
  Effect.map(
    Effect.forEach(names, (name) => runCheck(name, slots, options), { concurrency: "unbounded" }),
    (outcomes) => {
      const unpaid = outcomes.find((each) => each.unpaid !== undefined)?.unpaid
      return {
        results: new Map(outcomes.map(({ found }, at) => [names[at]!, found])),
        ...(unpaid === undefined ? undefined : { unpaid })
      }
    }
  )

interface CheckOutcome {
  readonly found: Found
  unpaid?: LimitExceeded
}

const runCheck = (
  name: string,
  slots: ReadonlyArray<Slot>,
  options: CheckOptions
): Effect.Effect<CheckOutcome> => {
  const check = options.checks.get(name)
  const outcome: CheckOutcome = { found: new Map() }
  // Another process may have it.
  if (check === undefined) return Effect.succeed(outcome)
  const running =
    "find" in check
      ? runFunction(name, check, slots, options.caller, outcome)
      : runDecision(name, check, slots, options, outcome)
  return Effect.as(running, outcome)
}

const runFunction = (
  name: string,
  check: FunctionCheck,
  slots: ReadonlyArray<Slot>,
  { account, workspace }: Caller,
  { found }: CheckOutcome
): Effect.Effect<void> =>
  Effect.forEach(
    new Map(slots.flatMap((slot) => listTexts(slot).map((text) => [text, slot.role] as const))),
    ([text, role]) =>
      Effect.map(
        withFailure(name, check, callFunction(check, text, { account, workspace, role })),
        (spans) => {
          if (spans === "match") found.set(text, [toWhole(text, "check_failed")])
          else if (spans !== "pass" && spans.length > 0) found.set(text, spans)
        }
      ),
    { concurrency, discard: true }
  )

const listTexts = ({ kind, text }: Slot): ReadonlyArray<string> =>
  kind === "json" ? (listJsonTexts(text)?.map((each) => each.text) ?? [text]) : [text]

const callFunction = (
  check: FunctionCheck,
  text: string,
  of: CheckedText
): Effect.Effect<ReadonlyArray<Detection>, unknown> =>
  Effect.suspend(() => {
    const finding = check.find(text, of)
    if (Effect.isEffect(finding)) return finding
    return finding instanceof Promise ? Effect.promise(() => finding) : Effect.succeed(finding)
  }).pipe(
    Effect.timeout(check.timeoutMillis ?? functionTimeoutMillis),
    Effect.map((found) => [...found].filter((each) => isSpan(each, text)))
  )

/** The code of a host may return anything. */
const isSpan = ({ end, start }: Detection, text: string): boolean =>
  Number.isSafeInteger(start) &&
  Number.isSafeInteger(end) &&
  start >= 0 &&
  start < end &&
  end <= text.length

/**
 * Texts that follow each other are one to the model, so that an attempt may not be split, and cost one question. An equal
 * text is asked about once.
 */
const runDecision = (
  name: string,
  check: DecisionCheck,
  slots: ReadonlyArray<Slot>,
  { askDecision, caller, labels, requestId }: CheckOptions,
  outcome: CheckOutcome
): Effect.Effect<void> => {
  const roles = check.roles ?? judgedRoles
  const runs = Map.groupBy(
    slots.filter(({ role }) => roles.includes(role)),
    ({ run }) => run
  )
  const questions = Map.groupBy(runs.values(), (run) => run.map(({ text }) => text).join("\n"))
  return Effect.forEach(
    questions,
    ([text, said]) => {
      const asking = askDecision({ caller, check, labels, name, requestId, text }).pipe(
        Effect.timeout(check.timeoutMillis ?? decisionTimeoutMillis),
        Effect.catchIf(isUnpaid, (unpaid) => {
          outcome.unpaid = unpaid
          return Effect.succeed(false)
        })
      )
      return Effect.map(withFailure(name, check, asking), (answer) => {
        if (answer === false || answer === "pass") return
        const kind = answer === "match" ? "check_failed" : undefined
        for (const each of said.flat().flatMap(listTexts)) {
          if (each !== "") outcome.found.set(each, [toWhole(each, kind)])
        }
      })
    },
    { concurrency, discard: true }
  )
}

/** What the application and its model say is its own word. */
const judgedRoles: ReadonlyArray<TextRole> = ["user", "tool"]

const isUnpaid = (error: { readonly _tag: string }): error is LimitExceeded =>
  error._tag === "LimitExceeded"

const toWhole = (text: string, kind?: string): Detection => ({
  start: 0,
  end: text.length,
  ...(kind === undefined ? undefined : { kind })
})

/** `match`, `pass`: the check failed, and this becomes of the text. */
const withFailure = <A>(
  name: string,
  { onFailure = "pass" }: ContentCheck,
  running: Effect.Effect<A, unknown>
): Effect.Effect<A | "match" | "pass"> =>
  Effect.catchCause(running, (cause) =>
    Effect.as(
      Effect.logWarning(`The content check ${name} failed`).pipe(
        Effect.annotateLogs("reasons", cause.reasons.map(toReason))
      ),
      onFailure
    )
  )

/** Without a message, which may quote the text. */
const toReason = (reason: Cause.Reason<unknown>): string => {
  if (!Cause.isFailReason(reason)) return reason._tag
  const { error } = reason
  if (error instanceof CheckFailed) return error.reason
  return Cause.isTimeoutError(error) ? "Timeout" : reason._tag
}
