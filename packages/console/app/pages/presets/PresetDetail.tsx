/** One preset: what it sets now and set before, what it costs, and who uses it. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { usePages } from "../../api/usePages.ts"
import { StackedChart } from "../../charts/StackedChart.tsx"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { RangePicker } from "../../components/RangePicker.tsx"
import { Section } from "../../components/Section.tsx"
import { Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatMoney, unknown } from "../../format/format.ts"
import { setQuery, toHash } from "../../routing/location.ts"
import { toRangeQuery } from "../../routing/timeRange.ts"
import { useRange } from "../../routing/useRange.ts"
import type { RequestSummary } from "../requests/RequestRecord.ts"
import { RequestTable } from "../requests/RequestTable.tsx"
import { SpendFigures } from "../spend/SpendFigures.tsx"
import { PresetState } from "./PresetState.tsx"

type Preset = OperationResponse<"presets.get">["data"]
type Version = NonNullable<Preset["designated_version"]>

export const PresetDetail = ({
  query,
  slug
}: {
  readonly slug: string
  readonly query: Readonly<Record<string, string>>
}) => {
  const path = `api/v1/presets/${encodeURIComponent(slug)}`
  const preset = useApi<"presets.get">(path)
  return (
    <>
      <p>
        <a href={toHash(["presets"])}>Back to the list</a>
      </p>
      <Loading loaded={preset}>
        {({ data }) => (
          <>
            <Section title={data.name}>
              <Facts preset={data} />
            </Section>
            <Versions path={path} />
            <Usage preset={data} query={query} />
          </>
        )}
      </Loading>
    </>
  )
}

const Facts = ({ preset }: { readonly preset: Preset }) => (
  <dl class="facts">
    <dt>State</dt>
    <dd>
      <PresetState status={preset.status} />
    </dd>
    <dt>Used as</dt>
    <dd>
      <code>@preset/{preset.slug}</code>
    </dd>
    {preset.description !== null && (
      <>
        <dt>Description</dt>
        <dd>{preset.description}</dd>
      </>
    )}
    <dt>Made</dt>
    <dd>
      <Time at={preset.created_at} /> by {preset.creator_user_id ?? "the application"}
    </dd>
    {preset.designated_version !== null && (
      <>
        <dt>Version</dt>
        <dd>{preset.designated_version.version}</dd>
        <dt>System prompt</dt>
        <dd>
          {preset.designated_version.system_prompt === null ? (
            unknown
          ) : (
            <pre>{preset.designated_version.system_prompt}</pre>
          )}
        </dd>
        <dt>Settings</dt>
        <dd>
          <pre>{JSON.stringify(preset.designated_version.config, null, 2)}</pre>
        </dd>
      </>
    )}
  </dl>
)

/** Requests use the last of them. */
const Versions = ({ path }: { readonly path: string }) => {
  const versions = usePages<Version>(`${path}/versions`, { limit: 20 })
  return (
    <Section title="Versions">
      <Loading loaded={versions}>
        {(rows) => (
          <>
            <Table
              caption="Versions, the oldest first"
              rows={rows}
              toKey={({ id }) => id}
              columns={[
                { title: "Version", isNumber: true, cell: ({ version }) => version },
                { title: "Stored", cell: ({ created_at: at }) => <Time at={at} /> },
                {
                  title: "By",
                  cell: ({ creator_id: creator }) => <span class="id">{creator}</span>
                },
                {
                  title: "Settings",
                  cell: ({ config, system_prompt: prompt }) => (
                    <details>
                      <summary>{Object.keys(config).join(", ") || "none"}</summary>
                      <pre>{JSON.stringify({ ...config, system_prompt: prompt }, null, 2)}</pre>
                    </details>
                  )
                }
              ]}
            />
            <LoadMore pages={versions} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const Usage = ({
  preset: { id },
  query
}: {
  readonly preset: Preset
  readonly query: Readonly<Record<string, string>>
}) => {
  const range = useRange(query, "30d")
  const time = toRangeQuery(range.from, range.to)
  const figures = useApi<"series.get">("api/v1/signalbox/series", {
    ...time,
    group_by: "preset",
    value: id
  })
  const requests = usePages<RequestSummary>("api/v1/signalbox/generations", {
    ...time,
    preset_id: id,
    limit: 10
  })
  return (
    <Section title="Use" aside={<RangePicker range={range} />}>
      <Loading
        loaded={figures}
        isEmpty={({ data }: OperationResponse<"series.get">) => data.series.length === 0}
        empty="No request of this time named the preset."
      >
        {({ data }) => (
          <>
            <SpendFigures data={data} range={range} filter={{ preset_id: id }} />
            <StackedChart
              title="Cost"
              data={data}
              pick={({ cost }) => cost}
              format={formatMoney}
              toLabel={() => "all"}
              onSelect={(from, to) => setQuery(toRangeQuery(from, to))}
            />
          </>
        )}
      </Loading>
      <Loading loaded={requests}>
        {(rows) => rows.length > 0 && <RequestTable opened={undefined} rows={rows} />}
      </Loading>
      <LoadMore pages={requests} />
    </Section>
  )
}
