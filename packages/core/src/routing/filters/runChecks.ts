/** Runs the checks of the host on the texts of a request. */
import * as Effect from "effect/Effect"
import type { Detection } from "../../engine/filters/Detector.ts"
import { listJsonTexts } from "../../engine/filters/jsonTexts.ts"
import type { TextSlot } from "../../engine/filters/TextSlot.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { ContentCheck } from "./ContentCheck.ts"

/** What each check found, by its name and the text. */
export type CheckResults = ReadonlyMap<string, ReadonlyMap<string, ReadonlyArray<Detection>>>

/** Texts that one check reads at the same time. */
const concurrency = 4
const defaultTimeoutMillis = 1_000

export const runChecks = Effect.fnUntraced(function* (
  names: ReadonlyArray<string>,
  checks: ReadonlyMap<string, ContentCheck>,
  slots: ReadonlyArray<Pick<TextSlot, "kind" | "role" | "text">>,
  { account, workspace }: Caller
) {
  const results = new Map<string, Map<string, ReadonlyArray<Detection>>>()
  const texts = new Map(
    slots.flatMap((slot) => listTexts(slot).map((text) => [text, slot.role] as const))
  )
  for (const name of names) {
    const check = checks.get(name)
    // Another process may have it.
    const failed = check?.onFailure ?? "pass"
    const found = new Map<string, ReadonlyArray<Detection>>()
    yield* Effect.forEach(
      texts,
      ([text, role]) =>
        Effect.map(runCheck(check, name, failed, text, { account, workspace, role }), (spans) => {
          if (spans.length > 0) found.set(text, spans)
        }),
      { concurrency, discard: true }
    )
    results.set(name, found)
  }
  return results
})

const listTexts = ({ kind, text }: Pick<TextSlot, "kind" | "text">): ReadonlyArray<string> =>
  kind === "json" ? (listJsonTexts(text)?.map((each) => each.text) ?? [text]) : [text]

const runCheck = (
  check: ContentCheck | undefined,
  name: string,
  onFailure: "match" | "pass",
  text: string,
  of: Parameters<ContentCheck["find"]>[1]
): Effect.Effect<ReadonlyArray<Detection>> => {
  if (check === undefined) return Effect.succeed([])
  return Effect.suspend(() => {
    const finding = check.find(text, of)
    if (Effect.isEffect(finding)) return finding
    return finding instanceof Promise ? Effect.promise(() => finding) : Effect.succeed(finding)
  }).pipe(
    Effect.timeout(check.timeoutMillis ?? defaultTimeoutMillis),
    Effect.map((found) => [...found].filter((each) => isSpan(each, text))),
    Effect.catchCause((cause) =>
      Effect.as(
        // The cause may quote the text.
        Effect.logWarning(`The content check ${name} failed`).pipe(
          Effect.annotateLogs("reasons", cause.reasons.length)
        ),
        onFailure === "pass" ? [] : [{ start: 0, end: text.length, kind: "check_failed" }]
      )
    )
  )
}

/** The code of a host may return anything. */
const isSpan = ({ end, start }: Detection, text: string): boolean =>
  Number.isSafeInteger(start) &&
  Number.isSafeInteger(end) &&
  start >= 0 &&
  start < end &&
  end <= text.length
