/** Models: price, context, health by hour, share of the traffic. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { useDebounced } from "../../api/useDebounced.ts"
import { Loading } from "../../components/Loading.tsx"
import { Pager } from "../../components/Pager.tsx"
import { Section } from "../../components/Section.tsx"
import { ListControls, statusControls } from "../../components/ListControls.tsx"
import { statusColumns } from "../../components/statusColumns.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { formatCount, formatMoney, unknown } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import type { PageProps } from "../../shell/Page.ts"

type Model = OperationResponse<"live.listModels">["data"][number]

const pageSize = 25

export const ModelsPage = ({ location: { query } }: PageProps) => {
  const offset = Math.max(0, Math.floor(Number(query["offset"]) || 0))
  const models = useApi<"live.listModels">(
    "api/v1/signalbox/models",
    {
      q: useDebounced((query["search"] ?? "").trim()),
      state: query["state"],
      sort: query["sort"],
      provider: query["provider"],
      offset,
      limit: pageSize
    },
    { every: 15_000 }
  )
  return (
    <Section title="All models">
      <ListControls label="Find models" query={query} {...statusControls} />
      <Loading loaded={models} isEmpty={({ data }) => data.length === 0} empty="No model matches.">
        {({ data, total_count: total }) => (
          <>
            <Table caption="Models" columns={columns} rows={data} toKey={({ model }) => model} />
            <Pager limit={pageSize} offset={offset} total={total} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const million = 1_000_000

/** Prices are of tokens; people compare those of a million. */
const formatPrice = ({ max, min }: NonNullable<Model["price"]>["prompt"]): string => {
  const [low, high] = [min, max].map((price) => formatMoney(Number(price) * million))
  return low === high ? String(low) : `${low} – ${high}`
}

const columns: ReadonlyArray<Column<Model>> = [
  {
    title: "Model",
    cell: ({ model }) => <a href={toHash(["requests"], { model, range: "24h" })}>{model}</a>
  },
  {
    title: "Providers",
    cell: ({ providers }) =>
      providers.slice(0, 3).map((provider, at) => (
        <span key={provider}>
          {at > 0 && ", "}
          <a href={toHash(["providers", provider])}>{provider}</a>
          {at === 2 && providers.length > 3 && ` and ${providers.length - 3} more`}
        </span>
      ))
  },
  ...statusColumns,
  {
    title: "USD per million in",
    isNumber: true,
    cell: ({ price }) => (price === null ? unknown : formatPrice(price.prompt))
  },
  {
    title: "out",
    isNumber: true,
    cell: ({ price }) => (price === null ? unknown : formatPrice(price.completion))
  },
  {
    title: "Context",
    isNumber: true,
    cell: ({ context_length: length }) => (length === null ? unknown : formatCount(length))
  }
]
