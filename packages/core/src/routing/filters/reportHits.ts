/** Says what content filters found, to callers and in records: where and how often, never the text. */
import type { FilterHit } from "../../engine/filters/screen.ts"
import type { GenerationFilter } from "../../engine/observability/generations/Generation.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { isOfBundle } from "../../tenants/guardrails/BundleGuardrails.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"
import { toDefaultGuardrailId } from "../../tenants/workspaces/Workspace.ts"
import type { GuardrailStage } from "../PipelineStage.ts"
import { ContentBlocked } from "./FilterReport.ts"

const injection = "regex-prompt-injection"

/** Undefined when nothing is blocked. */
export const findBlock = (hits: ReadonlyArray<FilterHit>): ContentBlocked | undefined => {
  const first = hits.find(({ rule }) => rule.action === "block")
  if (first === undefined) return undefined
  const { filter, rule } = first
  if (filter.name !== injection) return new ContentBlocked({ label: rule.label })
  const blocking = hits.filter((hit) => hit.filter === filter && hit.rule.action === "block")
  return new ContentBlocked({ label: rule.label, patterns: listKinds(blocking) })
}

const listKinds = (hits: ReadonlyArray<FilterHit>): ReadonlyArray<string> => [
  ...new Set(hits.flatMap(({ kind }) => (kind === undefined ? [] : [kind])))
]

/** One for each guardrail that found personal or secret content, and one for each that found prompt injection. */
export const toStages = (
  hits: ReadonlyArray<FilterHit>,
  caller: Caller,
  effective: ReadonlyArray<Guardrail>
): ReadonlyArray<GuardrailStage> =>
  [
    ...Map.groupBy(
      hits,
      ({ filter, rule }) => `${filter.name === injection} ${rule.guardrail}`
    ).values()
  ].map((hits): GuardrailStage => {
    const [{ filter, rule }] = hits as [FilterHit]
    const common = {
      type: "guardrail",
      guardrail_id: rule.guardrail,
      guardrail_scope: findScope(rule.guardrail, caller, effective)
    } as const
    const actions = new Set(hits.map(({ rule }) => rule.action))
    const action = actions.has("block") ? "block" : actions.has("redact") ? "redact" : "flag"
    const summary = `${participles[action]} ${hits.length} ${hits.length === 1 ? "match" : "matches"}`
    return filter.name === injection
      ? {
          ...common,
          name: "regex_pi_detection",
          summary: `${summary} of prompt injection patterns`,
          data: { action, patterns: listKinds(hits), matches: hits.length }
        }
      : {
          ...common,
          name: "content-filter",
          summary,
          data: {
            action,
            matches: toFound(hits).map(({ action, count, filter, kind, path }) => ({
              filter,
              ...(kind === undefined ? undefined : { kind }),
              action,
              path,
              count
            }))
          }
        }
  })

const participles = { block: "Blocked", redact: "Redacted", flag: "Flagged" }

/** The guardrails of a caller come in this order: of the workspace, the key, the member, and the bundle. */
const findScope = (
  id: string,
  { keyHash, workspace }: Caller,
  effective: ReadonlyArray<Guardrail>
): GuardrailStage["guardrail_scope"] => {
  const own = toDefaultGuardrailId(workspace)
  if (id === own) return "workspace"
  const assigned = effective.filter((each) => each.id !== own && !isOfBundle(each))
  const at = assigned.findIndex((each) => each.id === id)
  if (at === -1) return "bundle"
  return at === 0 && keyHash !== undefined ? "api_key" : "member"
}

/** The most places that a record names. */
const maxPlaces = 100

/** Equal finds of one place are one entry with their number. */
export const toFound = (hits: ReadonlyArray<FilterHit>): ReadonlyArray<GenerationFilter> => {
  const found = new Map<string, GenerationFilter>()
  for (const { filter, kind, path, rule } of hits) {
    const { action, guardrail } = rule
    const key = JSON.stringify([guardrail, filter.name, kind, action, path])
    const count = (found.get(key)?.count ?? 0) + 1
    if (count === 1 && found.size >= maxPlaces) continue
    found.set(key, {
      guardrail,
      filter: filter.name,
      ...(kind === undefined ? undefined : { kind }),
      action,
      path: path.slice(0, maxPath),
      count
    })
  }
  return [...found.values()]
}

/** Callers choose the keys in a path. */
const maxPath = 200
