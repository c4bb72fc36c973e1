/** What records and metadata say of the conversation of a request; never its key. */
import type { Candidate } from "../../Candidate.ts"
import type { PlannedRoute } from "../../RouteQuery.ts"
import type { AffinityOutcome, AffinitySource } from "./Affinity.ts"

export interface AffinityReport {
  readonly by: AffinitySource
  readonly did: AffinityOutcome
}

/**
 * A conversation that a fallback `served` has moved. Undefined: the request continues none. All reports exist once, because
 * every chat has one.
 */
export const reportAffinity = (
  { affinity, plan }: PlannedRoute,
  served?: Candidate
): AffinityReport | undefined => {
  if (affinity === undefined) return undefined
  const did = plan.affinity?.did ?? "off"
  const isMoved = did !== "off" && served !== undefined && served.id !== plan.ordered[0]?.id
  return reports[affinity.by][isMoved ? "moved" : did]
}

const listReports = (by: AffinitySource): Readonly<Record<AffinityOutcome, AffinityReport>> => ({
  placed: { by, did: "placed" },
  kept: { by, did: "kept" },
  moved: { by, did: "moved" },
  off: { by, did: "off" }
})

const reports: Readonly<Record<AffinitySource, ReturnType<typeof listReports>>> = {
  session_id: listReports("session_id"),
  prompt_cache_key: listReports("prompt_cache_key"),
  opener: listReports("opener")
}
