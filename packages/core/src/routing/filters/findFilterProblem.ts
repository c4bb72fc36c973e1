/** Refuses content filters that cannot work, when a guardrail is written. */
import * as Result from "effect/Result"
import { compilePattern } from "../../engine/filters/pattern/LinearPattern.ts"
import type { ContentFilters } from "../../tenants/guardrails/ContentFilter.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { builtinDetectors } from "../../engine/filters/builtinDetectors.ts"
import type { ContentCheck } from "./ContentCheck.ts"

/** Each of them costs about 8 ns for each character of a text. */
const maxCostlyStates = 256

/** Undefined: all of them can work. */
export const findFilterProblem = (
  { content_filter_builtins, content_filter_checks, content_filters }: ContentFilters,
  checks: ReadonlyMap<string, ContentCheck>
): InvalidRequest | undefined => {
  let costly = 0
  for (const [at, { pattern }] of (content_filters ?? []).entries()) {
    const problem = Result.match(compilePattern(pattern), {
      onFailure: (problem) =>
        `${problem}. Use a JavaScript regular expression without look-around, back references and nested quantifiers`,
      onSuccess: (compiled) => {
        const states = compiled.countCostlyStates()
        costly += states
        return costly <= maxCostlyStates
          ? undefined
          : `may match in too many ways at once: it has ${states} states when its repeats are written out, and all such patterns of a guardrail together may have ${maxCostlyStates}. Shorten its repeats, such as {100}, or write * or + instead`
      }
    })
    if (problem === undefined) continue
    return new InvalidRequest({
      path: ["content_filters", at, "pattern"],
      problem,
      reason: "invalid_regex_pattern"
    })
  }
  for (const [at, { action, restore, scope, slug }] of (content_filter_builtins ?? []).entries()) {
    const path = ["content_filter_builtins", at]
    if (builtinDetectors[slug] === undefined && !checks.has(slug)) {
      return new InvalidRequest({
        path: [...path, "slug"],
        problem: `${slug} needs a check of the application: give one in contentChecks under the name ${slug}`
      })
    }
    if (scope !== undefined && scope !== "prompts" && unknownInAnswers.has(slug)) {
      return new InvalidRequest({
        path: [...path, "scope"],
        problem: `${slug} is looked for in prompts only`
      })
    }
    const problem = findOwnProblem(path, { action, restore, scope })
    if (problem !== undefined) return problem
  }
  for (const [at, entry] of (content_filter_checks ?? []).entries()) {
    const path = ["content_filter_checks", at]
    if (!checks.has(entry.check)) {
      return new InvalidRequest({
        path: [...path, "check"],
        problem: "names a check that the application does not have in contentChecks"
      })
    }
    if (entry.scope !== undefined && entry.scope !== "prompts") {
      return new InvalidRequest({
        path: [...path, "scope"],
        problem: "checks of the application look at prompts only"
      })
    }
    const problem = findOwnProblem(path, entry)
    if (problem !== undefined) return problem
  }
  for (const [at, entry] of (content_filters ?? []).entries()) {
    const problem = findOwnProblem(["content_filters", at], entry)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Whose attempts are made in prompts, or which wait for the application. */
const unknownInAnswers: ReadonlySet<string> = new Set([
  "address",
  "person-name",
  "regex-prompt-injection"
])

const findOwnProblem = (
  path: ReadonlyArray<string | number>,
  {
    action,
    restore,
    scope
  }: {
    readonly action: string
    readonly restore?: boolean | undefined
    readonly scope?: string | undefined
  }
): InvalidRequest | undefined =>
  restore === true && (action !== "redact" || scope === "answers")
    ? new InvalidRequest({
        path: [...path, "restore"],
        problem: "needs the action redact on prompts: only what was redacted there can be restored"
      })
    : undefined
