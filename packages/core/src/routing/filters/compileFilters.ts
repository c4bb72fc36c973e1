/** Compiles the content filters of guardrails. */
import { memoize } from "effect/Function"
import * as Result from "effect/Result"
import { builtinDetectors } from "../../engine/filters/builtinDetectors.ts"
import { type Detector, noDetections } from "../../engine/filters/Detector.ts"
import { compilePattern } from "../../engine/filters/pattern/LinearPattern.ts"
import type { ContentFilter, FilterRule } from "../../engine/filters/FilterRule.ts"
import {
  builtinLabels,
  type BuiltinFilter,
  type CheckFilter,
  type PatternFilter
} from "../../tenants/guardrails/ContentFilter.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"

/** Filters by what they look at. */
export interface CompiledFilters {
  readonly prompts: ReadonlyArray<ContentFilter>
  readonly answers: ReadonlyArray<ContentFilter>
  /** The names of the checks of the host that are needed. */
  readonly checks: ReadonlyArray<string>
}

/** Memoized, because requests of a caller have the same guardrails. */
export const compileFilters = memoize((guardrails: ReadonlyArray<Guardrail>): CompiledFilters => ({
  prompts: compile(guardrails, "prompts"),
  answers: compile(guardrails, "answers"),
  checks: [...new Set(guardrails.flatMap(listChecks))]
}))

type Entry = BuiltinFilter | CheckFilter | PatternFilter

/** Rules for the same content are joined, so that each detector runs once. */
const compile = (
  guardrails: ReadonlyArray<Guardrail>,
  scope: "answers" | "prompts"
): ReadonlyArray<ContentFilter> => {
  const filters = new Map<string, ContentFilter & { readonly rules: Array<FilterRule> }>()
  for (const guardrail of guardrails) {
    for (const entry of listEntries(guardrail)) {
      const { scope: wanted = "prompts" } = entry
      if (wanted !== scope && wanted !== "both") continue
      const key = "pattern" in entry ? `custom ${entry.pattern}` : `named ${toName(entry)}`
      const known = filters.get(key) ?? {
        name: toName(entry),
        ...toDetection(entry),
        rules: []
      }
      filters.set(key, known)
      known.rules.push(toRule(guardrail.id, entry, scope))
    }
  }
  return [...filters.values()]
}

const listEntries = (guardrail: Guardrail): ReadonlyArray<Entry> => [
  ...(guardrail.content_filter_builtins ?? []),
  ...(guardrail.content_filters ?? []),
  ...(guardrail.content_filter_checks ?? [])
]

const toName = (entry: Entry): string =>
  "slug" in entry ? entry.slug : "check" in entry ? entry.check : "custom"

/** Those that the host must have. */
const listChecks = (
  filters: Pick<Guardrail, "content_filter_builtins" | "content_filter_checks">
) => [
  ...(filters.content_filter_checks ?? []).map(({ check }) => check),
  ...(filters.content_filter_builtins ?? []).flatMap(({ slug }) =>
    builtinDetectors[slug] === undefined ? [slug] : []
  )
]

/** What a check of the host finds is added for each request. */
const findNothing: Detector = () => noDetections

type Detecting = Pick<ContentFilter, "detect" | "findHold">

const toDetection = (entry: Entry): Detecting => {
  if ("slug" in entry) return { detect: builtinDetectors[entry.slug] ?? findNothing }
  return "pattern" in entry ? toPatternDetection(entry.pattern) : { detect: findNothing }
}

/** Patterns are checked when a guardrail is written; one of an earlier version that has become invalid finds nothing. */
const toPatternDetection = (pattern: string): Detecting => {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const made = Result.match(compilePattern(pattern), {
    onFailure: (): Detecting => ({ detect: findNothing }),
    onSuccess: (compiled): Detecting => ({
      detect: (text) => compiled.findAll(text),
      findHold: (text, begin) => compiled.findPartial(text, begin)
    })
  })
  if (compiled.size >= maxCompiled) compiled.clear()
  compiled.set(pattern, made)
  return made
}

const compiled = new Map<string, Detecting>()
const maxCompiled = 500

const toRule = (guardrail: string, entry: Entry, scope: "answers" | "prompts"): FilterRule => {
  const label = ("slug" in entry ? builtinLabels[entry.slug] : entry.label) ?? "[REDACTED]"
  return {
    action: entry.action,
    guardrail,
    label,
    placeholder: toPlaceholder(label),
    isUserOnly:
      scope === "prompts" &&
      "slug" in entry &&
      entry.slug === "regex-prompt-injection" &&
      entry.scan_scope !== "all_messages",
    // What an answer has by itself is not put back.
    isRestored: scope === "prompts" && entry.restore === true
  }
}

/** In one pair of brackets, by which it is found in answers. */
const toPlaceholder = (label: string): string => {
  const inner = /^\[.*\]$/s.test(label) ? label.slice(1, -1) : label
  return `[${inner.replaceAll(/[[\]]/g, "")}]`
}
