/** Says which providers fail now, before everything else. */
import type { OperationResponse } from "@signalbox/core/contract"
import type { Loaded } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { toHash } from "../../routing/location.ts"
import { describeIncident } from "../incidents/describeIncident.ts"

const maxShown = 3

export const OpenIncidents = ({
  incidents
}: {
  readonly incidents: Loaded<OperationResponse<"incidents.list">>
}) => (
  <Loading loaded={incidents}>
    {({ data }) => {
      const open = data.filter(({ state }) => state === "open")
      const rest = open.length - maxShown
      return open.length === 0 ? null : (
        <div class="note note-bad open-incidents" role="alert">
          <ul>
            {open.slice(0, maxShown).map((incident) => (
              <li key={incident.id}>
                <a href={toHash(["incidents"], { provider: incident.provider })}>
                  {describeIncident(incident)}
                </a>
                .
              </li>
            ))}
            {rest > 0 && (
              <li>
                <a href={toHash(["incidents"], { state: "open" })}>{rest} more</a>
              </li>
            )}
          </ul>
        </div>
      )
    }}
  </Loading>
)
