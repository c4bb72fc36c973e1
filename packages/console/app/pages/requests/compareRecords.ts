/** What two requests have alike, and where they differ. Pure. */
import {
  formatCount,
  formatMillis,
  formatMoney,
  formatSignedShare,
  unknown
} from "../../format/format.ts"
import { formatUsage } from "../../format/formatUsage.ts"
import type { RequestRecord } from "./RequestRecord.ts"

export interface ComparedField {
  readonly name: string
  readonly one: string
  readonly other: string
  readonly differs: boolean
  /** By how much the other is more or less, such as "+20 %"; absent where that makes no sense. */
  readonly change?: string
}

type Read = (record: RequestRecord) => string | null

const texts: ReadonlyArray<readonly [string, Read]> = [
  ["Outcome", ({ outcome }) => outcome],
  ["Operation", ({ api, operation }) => (api === null ? operation : `${operation}, ${api} API`)],
  ["Streamed", ({ streamed }) => (streamed ? "yes" : "no")],
  ["Requested models", ({ models }) => models.join(", ")],
  ["Preset", ({ preset_id: preset }) => preset],
  ["Answered by", ({ model }) => model],
  ["Name at the provider", ({ upstream_model: model }) => model],
  ["Provider", ({ provider_name: provider }) => provider],
  ["Ordered by", ({ strategy }) => strategy],
  ["Configuration", ({ configuration_version: version }) => String(version)],
  ["Attempts", ({ attempts }) => attempts.map(describeAttempt).join(", then ")],
  ["Left out", ({ rejected }) => listReasons(rejected)],
  ["Moved back", ({ demoted }) => listReasons(demoted)],
  [
    "Not sent",
    ({ attempts }) =>
      listOnce(attempts.flatMap(({ dropped_parameters: dropped }) => dropped)).join(", ")
  ],
  ["Conversation", ({ affinity }) => affinity?.did ?? null],
  ["Response cache", ({ cache }) => cache?.status ?? null],
  ["Service tier", ({ service_tier: tier }) => tier],
  ["Finished with", ({ finish_reason: reason }) => reason],
  ["Used", ({ usage }) => formatUsage(usage)],
  ["User", ({ user }) => user],
  ["Key", ({ key_hash: key }) => key],
  ["Workspace", ({ workspace_id: workspace }) => workspace],
  ["Session", ({ session_id: session }) => session]
]

interface Figure {
  readonly name: string
  readonly read: (record: RequestRecord) => number | null | undefined
  readonly format: (value: number | null | undefined) => string
}

const figures: ReadonlyArray<Figure> = [
  { name: "Latency", read: ({ latency }) => latency, format: formatMillis },
  {
    name: "First token",
    read: ({ attempts }) => attempts.at(-1)?.time_to_first_token,
    format: formatMillis
  },
  { name: "Tokens in", read: ({ usage }) => usage?.tokens_prompt, format: formatCount },
  { name: "of which cached", read: ({ usage }) => usage?.tokens_cached, format: formatCount },
  { name: "Tokens out", read: ({ usage }) => usage?.tokens_completion, format: formatCount },
  { name: "of which reasoning", read: ({ usage }) => usage?.tokens_reasoning, format: formatCount },
  {
    name: "Cost",
    read: ({ cost, upstream_inference_cost: upstream }) => cost ?? upstream,
    format: formatMoney
  }
]

/** Figures first. Fields that neither request has are left out. */
export const compareRecords = (
  one: RequestRecord,
  other: RequestRecord
): ReadonlyArray<ComparedField> =>
  [
    ...figures.map((figure) => compareFigure(figure, one, other)),
    ...texts.map(([name, read]) => compareTexts(name, read(one), read(other))),
    ...comparePreferences(one, other)
  ].filter((field) => field.one !== unknown || field.other !== unknown)

const compareFigure = (
  { format, name, read }: Figure,
  one: RequestRecord,
  other: RequestRecord
): ComparedField => {
  const [before, after] = [read(one) ?? undefined, read(other) ?? undefined]
  return {
    name,
    one: format(before),
    other: format(after),
    differs: before !== after,
    ...(before === undefined || after === undefined || before === 0 || before === after
      ? undefined
      : { change: formatSignedShare(after / before - 1) })
  }
}

const compareTexts = (name: string, one: string | null, other: string | null): ComparedField => ({
  name,
  one: one === null || one === "" ? unknown : one,
  other: other === null || other === "" ? unknown : other,
  differs: (one ?? "") !== (other ?? "")
})

const comparePreferences = (one: RequestRecord, other: RequestRecord) => {
  const preferences = [one, other].map(
    (record) => new Map(Object.entries(record.preferences ?? {}))
  )
  const names = listOnce(preferences.flatMap((each) => Array.from(each.keys())))
  return names.map((name) => {
    const [before, after] = preferences.map((each) =>
      each.has(name) ? JSON.stringify(each.get(name)) : null
    )
    return compareTexts(`provider.${name}`, before ?? null, after ?? null)
  })
}

const describeAttempt = ({ endpoint_id: endpoint, outcome }: RequestRecord["attempts"][number]) =>
  `${endpoint} ${outcome}`

const listReasons = (reasons: RequestRecord["rejected"]): string =>
  listOnce(reasons.map(({ endpoint_id: endpoint, rule }) => `${endpoint} (${rule})`)).join(", ")

const listOnce = (all: ReadonlyArray<string>): ReadonlyArray<string> => Array.from(new Set(all))
