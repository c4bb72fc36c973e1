/** Providers: who fails since when, their share of the traffic, and what happens if one goes down. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { useDebounced } from "../../api/useDebounced.ts"
import { Loading } from "../../components/Loading.tsx"
import { Pager } from "../../components/Pager.tsx"
import { Section } from "../../components/Section.tsx"
import { ListControls, statusControls } from "../../components/ListControls.tsx"
import { statusColumns } from "../../components/statusColumns.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { formatCount } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import type { PageProps } from "../../shell/Page.ts"
import { ControlBadge } from "./ControlBadge.tsx"
import { ProviderDetail } from "./ProviderDetail.tsx"

type Provider = OperationResponse<"live.listProviders">["data"][number]

const pageSize = 25

export const ProvidersPage = ({ location, session }: PageProps) => {
  const [, slug] = location.path
  return slug === undefined ? (
    <ProviderList query={location.query} />
  ) : (
    <ProviderDetail key={slug} slug={slug} session={session} />
  )
}

const ProviderList = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  const offset = Math.max(0, Math.floor(Number(query["offset"]) || 0))
  const providers = useApi<"live.listProviders">(
    "api/v1/signalbox/providers",
    {
      q: useDebounced((query["search"] ?? "").trim()),
      state: query["state"],
      sort: query["sort"],
      offset,
      limit: pageSize
    },
    { every: 15_000 }
  )
  return (
    <Section title="All providers">
      <ListControls label="Find providers" query={query} {...statusControls} />
      <Loading
        loaded={providers}
        isEmpty={({ data }) => data.length === 0}
        empty="No provider matches."
      >
        {({ data, total_count: total }) => (
          <>
            <Table
              caption="Providers"
              columns={columns}
              rows={data}
              toKey={({ provider }) => provider}
            />
            <Pager limit={pageSize} offset={offset} total={total} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const columns: ReadonlyArray<Column<Provider>> = [
  {
    title: "Provider",
    cell: ({ name, provider }) => <a href={toHash(["providers", provider])}>{name}</a>
  },
  { title: "Control", cell: ({ control }) => <ControlBadge control={control} /> },
  ...statusColumns,
  { title: "Models", isNumber: true, cell: ({ models }) => formatCount(models) },
  { title: "Endpoints", isNumber: true, cell: ({ endpoints }) => formatCount(endpoints) }
]
