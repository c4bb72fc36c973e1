/** The presets of the workspace and of the host, with what their requests of the last 30 days cost. */
import type { OperationResponse } from "@signalbox/core/contract"
import type { Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { useNames } from "../../api/useNames.ts"
import { usePages } from "../../api/usePages.ts"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { Money } from "../../components/Money.tsx"
import { Section } from "../../components/Section.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, unknown } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { toRangeQuery } from "../../routing/timeRange.ts"
import { useRange } from "../../routing/useRange.ts"
import { PresetState } from "./PresetState.tsx"

type Preset = OperationResponse<"presets.list">["data"][number]
type Totals = OperationResponse<"series.get">["data"]["series"][number]["totals"]

export const PresetList = ({ session }: { readonly session: Session }) => {
  const { toWorkspaceName } = useNames()
  const presets = usePages<Preset>("api/v1/presets", { limit: 50 })
  const range = useRange({}, "30d")
  const figures = useApi<"series.get">("api/v1/signalbox/series", {
    ...toRangeQuery(range.from, range.to),
    group_by: "preset",
    limit: 200
  })
  const totals = new Map(
    figures.data?.data.series.flatMap(({ is_other: isOther, totals, value }) =>
      isOther || value === null ? [] : [[value, totals] as const]
    )
  )
  return (
    <Section title="Presets">
      <p class="muted small">
        Presets of the workspace{" "}
        <span title={session.workspace}>{toWorkspaceName(session.workspace)}</span> and of the
        application. Those of other workspaces need a console whose <code>authorize</code> names
        their workspace.
      </p>
      <Loading
        loaded={presets}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <>
            There is no preset. Store a request as one with{" "}
            <code>POST /api/v1/presets/my-preset/chat/completions</code>, or pass{" "}
            <code>presets</code> to <code>Signalbox.make</code>.
          </>
        }
      >
        {(rows) => (
          <>
            <Table
              caption="Presets"
              columns={makeColumns(totals)}
              rows={rows}
              toKey={({ id }) => id}
            />
            <LoadMore pages={presets} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const makeColumns = (totals: ReadonlyMap<string, Totals>): ReadonlyArray<Column<Preset>> => [
  {
    title: "Preset",
    cell: ({ name, slug }) => (
      <>
        <a href={toHash(["presets", slug])}>{name}</a>
        <br />
        <code class="id muted">@preset/{slug}</code>
      </>
    )
  },
  { title: "State", cell: ({ status }) => <PresetState status={status} /> },
  {
    title: "Of",
    cell: ({ workspace_id: workspace }) =>
      workspace === null ? <span class="muted">the application</span> : "the workspace"
  },
  { title: "Made by", cell: ({ creator_user_id: creator }) => creator ?? unknown },
  { title: "Changed", cell: ({ updated_at: at }) => <Time at={at} /> },
  {
    title: "Requests, 30 days",
    isNumber: true,
    cell: ({ id }) => (
      <a href={toHash(["requests"], { preset_id: id, range: "30d" })}>
        {formatCount(totals.get(id)?.requests ?? 0)}
      </a>
    )
  },
  {
    title: "Cost, 30 days",
    isNumber: true,
    cell: ({ id }) => <Money usd={totals.get(id)?.cost ?? 0} />
  }
]
