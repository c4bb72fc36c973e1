/** Handlers of the operations on incidents. */
import * as Effect from "effect/Effect"
import { makeIncidents } from "../../domains/incidents/makeIncidents.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import { toMillis } from "../contract/queryParameters.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { IncidentsApi } from "./IncidentsApi.ts"

export const incidentsHandlers = Effect.map(
  makeIncidents,
  ({ list }): Handlers<typeof IncidentsApi> => ({
    list: ({ query }) => {
      const { endpoint, from, provider, state, to } = query
      const filter = omitUndefined({
        endpoint,
        provider,
        from: toMillis(from),
        to: toMillis(to),
        isOpen: state === undefined ? undefined : state === "open"
      })
      return Effect.map(list(filter, toCursorRequest(query)), (page) =>
        toCursorPageResponse(page, ({ endedAt, impact, incident, providerName }) => ({
          id: incident.id,
          provider: incident.provider,
          provider_name: providerName,
          state: endedAt === undefined ? "open" : "ended",
          started_at: incident.started_at,
          ended_at: endedAt === undefined ? null : new Date(endedAt).toISOString(),
          endpoints: incident.endpoints,
          impact
        }))
      )
    }
  })
)
