/** Plans of the API, and what changes between two of them. */
import type { OperationResponse } from "@signalbox/core/contract"
import { post } from "../../api/request.ts"
import { getPreferences, type Json, withPreference } from "./request.ts"

export type Plan = OperationResponse<"reports.plan">["data"]

const path = "api/v1/signalbox/plan"

export const loadPlan = async (
  request: Json,
  workspace: string | undefined,
  signal?: AbortSignal,
  replay: Partial<Pick<Plan, "health" | "seed">> = {}
): Promise<Plan> =>
  (
    await post<"reports.plan">(
      path,
      {
        request,
        ...(workspace === undefined || workspace === "" ? undefined : { workspace_id: workspace }),
        ...replay
      },
      signal
    )
  ).data

/** A plan without one preference. */
export interface Variation {
  readonly preference: string
  /** What the preference is in the request. */
  readonly value: unknown
  readonly first: string | undefined
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly isReordered: boolean
}

/** Plans the request without each of its preferences, under the conditions of `plan`. */
export const loadVariations = (
  request: Json,
  workspace: string | undefined,
  plan: Plan,
  signal?: AbortSignal
): Promise<ReadonlyArray<Variation>> =>
  Promise.all(
    Object.entries(getPreferences(request)).map(async ([preference, value]) => {
      const { health, seed } = plan
      const without = await loadPlan(
        withPreference(request, preference, undefined),
        workspace,
        signal,
        {
          health,
          seed
        }
      )
      return { preference, value, ...comparePlans(plan, without) }
    })
  )

const comparePlans = (
  before: Pick<Plan, "ordered">,
  after: Pick<Plan, "ordered">
): Pick<Variation, "added" | "first" | "isReordered" | "removed"> => {
  const old = before.ordered.map(toCandidateId)
  const changed = after.ordered.map(toCandidateId)
  return {
    first: changed[0],
    added: changed.filter((id) => !old.includes(id)),
    removed: old.filter((id) => !changed.includes(id)),
    isReordered:
      old.filter((id) => changed.includes(id)).join("\n") !==
      changed.filter((id) => old.includes(id)).join("\n")
  }
}

/** An endpoint may be a candidate once for each credential. */
export const toCandidateId = ({
  credential,
  endpoint
}: {
  readonly endpoint: string
  readonly credential?: string
}): string => (credential === undefined ? endpoint : `${endpoint} (credential ${credential})`)
