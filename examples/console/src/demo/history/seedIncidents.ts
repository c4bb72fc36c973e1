/** Stores the outages of the made-up month as incidents: the one that lasts goes on with what the instance sees from now on. */
import type { Signalbox } from "@signalbox/core"
import { type Incident, IncidentStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { trafficModels } from "../traffic/trafficModels.ts"
import type { Outage } from "./pastRequests.ts"

export const seedIncidents = async (
  { context }: Pick<Signalbox, "context">,
  outages: ReadonlyArray<Outage>,
  now: number
): Promise<void> => {
  const store = Context.get(context, IncidentStore)
  // What is stored last is listed first.
  for (const outage of outages.toSorted((one, other) => one.from - other.from)) {
    const incident = toIncident(outage, now)
    await Effect.runPromise(store.update(outage.provider, outage.from, () => [incident]))
  }
}

const toIso = (at: number): string => new Date(at).toISOString()

/** Its endpoints fail some time after each other, as their breakers notice. */
const toIncident = ({ from, provider, to }: Outage, now: number): Incident => {
  const ended = to < now ? toIso(to) : null
  const seen = toIso(Math.min(to, now))
  const models = trafficModels.filter(({ endpoints }) =>
    endpoints.some((endpoint) => endpoint.provider === provider)
  )
  return {
    id: `incident-demo-${from}`,
    provider,
    started_at: toIso(from),
    ended_at: ended,
    seen_at: seen,
    endpoints: models.map(({ id: model }, at) => ({
      endpoint_id: `${model}@${provider}`,
      model,
      started_at: toIso(from + at * noticeMillis),
      ended_at: ended,
      cause: `${12 - at} of ${14 - at} failed in 60 s`,
      processes: ended === null ? [{ id: "demo-history", seen_at: seen }] : []
    })),
    impact: null
  }
}

const noticeMillis = 40_000
