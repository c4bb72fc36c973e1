/** The endpoints of the instance, a page at a time: the server searches, sorts and pages them. */
import { useDebounced } from "../../api/useDebounced.ts"
import { ListControls } from "../../components/ListControls.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Pager } from "../../components/Pager.tsx"
import { formatCount } from "../../format/format.ts"
import { EndpointTable } from "./EndpointTable.tsx"
import { fromLive, shownMinutes } from "./toEndpointRows.ts"
import { useEndpoints } from "./useEndpoints.ts"

const pageSize = 25

const sorts = {
  state: "most urgent first",
  requests: "most attempts first",
  failures: "most failures first",
  latency: "slowest first",
  model: "by model"
}

const states = {
  "": "any",
  "open,backing_off,ramping": "not closed",
  open: "open",
  backing_off: "backing off",
  ramping: "ramping",
  closed: "closed"
}

export const LiveEndpoints = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  const search = query["search"] ?? ""
  const sort = query["sort"] ?? "state"
  const state = query["state"] ?? ""
  const offset = Math.max(0, Math.floor(Number(query["offset"]) || 0))
  const endpoints = useEndpoints({
    q: useDebounced(search.trim()),
    sort,
    state,
    offset,
    limit: pageSize,
    minutes: shownMinutes
  })
  const total = endpoints.data?.total
  return (
    <>
      <ListControls
        label="Find endpoints"
        query={query}
        stateLabel="Breaker"
        states={states}
        sorts={sorts}
      >
        <span class="muted" role="status">
          {total !== undefined && `${formatCount(total)} ${total === 1 ? "endpoint" : "endpoints"}`}
        </span>
      </ListControls>
      <Loading
        loaded={endpoints}
        isEmpty={(state) => state.total === 0}
        empty={
          search === "" && state === ""
            ? "The catalog has no endpoints. Add models to the options of the instance."
            : "No endpoint matches."
        }
      >
        {(state) => (
          <>
            <EndpointTable rows={fromLive(state)} now={state.at} />
            <Pager limit={pageSize} offset={offset} total={state.total} />
          </>
        )}
      </Loading>
    </>
  )
}
