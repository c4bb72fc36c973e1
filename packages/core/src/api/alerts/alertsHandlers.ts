/** Handlers of the alert operations. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { Alerts } from "../../domains/alerts/Alerts.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { AlertsApi } from "./AlertsApi.ts"

export const alertsHandlers = Alerts.useSync(
  (alerts) =>
    ({
      list: ({ query }, { caller }) =>
        Effect.map(alerts.list(caller, query.workspace_id, toCursorRequest(query)), (page) =>
          toCursorPageResponse(page, identity)
        )
    }) satisfies Handlers<typeof AlertsApi>
)
