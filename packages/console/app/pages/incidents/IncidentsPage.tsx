/** Incidents: which provider failed since when, where its traffic went, and who was affected. */
import { usePages } from "../../api/usePages.ts"
import { Field } from "../../components/Field.tsx"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { Section } from "../../components/Section.tsx"
import { setQuery, toHash } from "../../routing/location.ts"
import { useNow } from "../../routing/useNow.ts"
import type { PageProps } from "../../shell/Page.ts"
import type { Incident } from "./describeIncident.ts"
import { IncidentDetail } from "./IncidentDetail.tsx"
import { Timeline } from "./Timeline.tsx"

export const IncidentsPage = ({ location: { query } }: PageProps) => {
  const { endpoint, provider, state } = query
  const now = useNow(10_000)
  const incidents = usePages<Incident>(
    "api/v1/signalbox/incidents",
    { endpoint, provider, state, limit: 20 },
    { every: 10_000 }
  )
  const isFiltered = endpoint !== undefined || provider !== undefined || state !== undefined
  return (
    <Section
      title="When providers failed"
      aside={
        <Field label="State">
          <select
            value={state ?? ""}
            onChange={({ currentTarget: { value } }) =>
              setQuery({ state: value === "" ? undefined : value })
            }
          >
            <option value="">all</option>
            <option value="open">open</option>
            <option value="ended">ended</option>
          </select>
        </Field>
      }
    >
      {(endpoint ?? provider) !== undefined && (
        <p class="small">
          Only of <bdi>{endpoint ?? provider}</bdi>. <a href={toHash(["incidents"])}>Show all</a>
        </p>
      )}
      <Loading
        loaded={incidents}
        isEmpty={(rows) => rows.length === 0}
        empty={
          isFiltered
            ? "No incident matches."
            : "No provider has failed. An incident begins when the circuit breaker of an endpoint opens."
        }
      >
        {(rows) => (
          <>
            <Timeline incidents={rows} now={now} />
            {rows.map((incident) => (
              <IncidentDetail key={incident.id} incident={incident} now={now} />
            ))}
            <LoadMore pages={incidents} />
          </>
        )}
      </Loading>
    </Section>
  )
}
