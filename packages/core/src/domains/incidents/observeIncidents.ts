/** Merges what a process sees of a provider into its incidents. Pure. */
import { type Incident, type IncidentEndpoint, staleMillis } from "./Incident.ts"

/** What a process sees of the endpoints of a provider. */
export interface Observation {
  readonly provider: string
  /** The id of the process. */
  readonly process: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly failing: ReadonlyArray<FailingEndpoint>
  /** The id of an incident that it may begin. */
  readonly newId: string
}

/** An endpoint whose breaker is not closed. */
export interface FailingEndpoint {
  readonly id: string
  readonly model: string
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Undefined: its breaker ramps, which begins no incident. */
  readonly cause: string | undefined
}

/** What failed again within this time never recovered. */
export const reopenMillis = 300_000

/** What fails later than this after the others has a reason of its own. */
const joinMillis = 600_000

const maxEndpoints = 200

/** The incidents that have changed or begun. `recent` are those of the last `reopenMillis`, the oldest first. */
export const observeIncidents = (
  recent: ReadonlyArray<Incident>,
  observation: Observation
): ReadonlyArray<Incident> => {
  const { failing, process } = observation
  const failingIds = new Set(failing.map(({ id }) => id))
  const now = toIso(observation.at)
  const incidents = recent.map((incident): { readonly before: Incident; after: Incident } => ({
    before: incident,
    after: {
      ...incident,
      endpoints: incident.endpoints.map((endpoint) =>
        dropProcesses(
          endpoint,
          ({ id, seen_at }) =>
            (id === process && !failingIds.has(endpoint.endpoint_id)) ||
            observation.at - Date.parse(seen_at) > staleMillis,
          now
        )
      )
    }
  }))
  let begun: Incident | undefined
  for (const endpoint of failing) {
    const known =
      incidents.find(({ after }) => isFailing(after, endpoint.id)) ??
      incidents.findLast(({ after }) => mayContinue(after, endpoint))
    if (known !== undefined) known.after = withEndpoint(known.after, endpoint, observation)
    else if (endpoint.cause !== undefined) {
      begun = withEndpoint(begun ?? begin(observation), endpoint, observation)
    }
  }
  const changed = incidents
    .map(({ after, before }) => ({ before, after: close(after) }))
    .filter(({ after, before }) => JSON.stringify(after) !== JSON.stringify(before))
    .map(({ after }) => after)
  return begun === undefined ? changed : [...changed, begun]
}

const toIso = (at: number): string => new Date(at).toISOString()

const begin = ({ at, newId, provider }: Observation): Incident => ({
  id: newId,
  provider,
  started_at: toIso(at),
  ended_at: null,
  seen_at: toIso(at),
  endpoints: [],
  impact: null
})

const isFailing = ({ endpoints }: Incident, id: string): boolean =>
  endpoints.some(({ ended_at, endpoint_id }) => endpoint_id === id && ended_at === null)

/** Whether an endpoint that fails now belongs to the incident: it failed there shortly before, or others did. */
const mayContinue = (incident: Incident, { cause, id, since }: FailingEndpoint): boolean => {
  const known = incident.endpoints.find(({ endpoint_id }) => endpoint_id === id)
  if (known !== undefined) {
    return known.ended_at === null || since - Date.parse(known.ended_at) <= reopenMillis
  }
  if (cause === undefined || incident.endpoints.length >= maxEndpoints) return false
  const latest = Math.max(...incident.endpoints.map(({ started_at }) => Date.parse(started_at)))
  const lasts = incident.endpoints.some(({ ended_at }) => ended_at === null)
  return lasts && Math.abs(since - latest) <= joinMillis
}

const withEndpoint = (
  incident: Incident,
  { cause, id, model, since }: FailingEndpoint,
  { at, process }: Observation
): Incident => {
  const known = incident.endpoints.find(({ endpoint_id }) => endpoint_id === id)
  const began = toIso(since)
  const seen = { id: process, seen_at: toIso(at) }
  const endpoint: IncidentEndpoint =
    known === undefined
      ? {
          endpoint_id: id,
          model,
          started_at: began,
          ended_at: null,
          cause: cause ?? "",
          processes: [seen]
        }
      : {
          ...known,
          started_at: began < known.started_at ? began : known.started_at,
          ended_at: null,
          processes: [...known.processes.filter((each) => each.id !== process), seen]
        }
  return {
    ...incident,
    started_at:
      endpoint.started_at < incident.started_at ? endpoint.started_at : incident.started_at,
    seen_at: seen.seen_at > incident.seen_at ? seen.seen_at : incident.seen_at,
    // Somebody counted too early.
    impact: null,
    endpoints:
      known === undefined
        ? [...incident.endpoints, endpoint]
        : incident.endpoints.map((each) => (each === known ? endpoint : each))
  }
}

const dropProcesses = (
  endpoint: IncidentEndpoint,
  isGone: (process: IncidentEndpoint["processes"][number]) => boolean,
  now: string
): IncidentEndpoint => {
  const gone = endpoint.processes.filter(isGone)
  if (endpoint.ended_at !== null || gone.length === 0) return endpoint
  const processes = endpoint.processes.filter((each) => !gone.includes(each))
  if (processes.length > 0) return { ...endpoint, processes }
  // All that is known of a process that is gone is when it was there last.
  const isSeenNow = gone.some(({ seen_at }) => Date.parse(now) - Date.parse(seen_at) <= staleMillis)
  const lastSeen =
    gone
      .map(({ seen_at }) => seen_at)
      .toSorted()
      .at(-1) ?? now
  return { ...endpoint, processes, ended_at: isSeenNow ? now : lastSeen }
}

/** It ends with the last of its endpoints, and lasts again with any of them. */
const close = (incident: Incident): Incident => {
  const { endpoints } = incident
  if (endpoints.some(({ ended_at }) => ended_at === null)) return { ...incident, ended_at: null }
  const ended = endpoints
    .map(({ ended_at }) => ended_at ?? "")
    .toSorted()
    .at(-1)
  return ended === undefined || ended === incident.ended_at
    ? incident
    : { ...incident, ended_at: ended, seen_at: ended }
}
