/** What one may say of a budget, and what follows from it. */
import type { OperationResponse } from "@signalbox/core/contract"
import { type FormField, parseNumber, toText, type Values } from "../../components/FormField.ts"
import { formatMoney } from "../../format/format.ts"

export type Limit = OperationResponse<"limits.list">["data"][number]

export const limitFields: ReadonlyArray<FormField> = [
  { name: "limit", label: "Limit in USD", kind: "number", isRequired: true },
  { name: "soft", label: "It only warns", kind: "checkbox" }
]

export const toLimitValues = ({ limit, soft }: Pick<Limit, "limit" | "soft">): Values => ({
  limit: toText(limit),
  soft: toText(soft)
})

export const toLimitBody = ({
  limit,
  soft
}: Values): { readonly limit_usd: number; readonly soft: boolean } => ({
  limit_usd: Number(limit),
  soft: soft === "true"
})

/** `used` is settled or reserved in the present interval. */
export const explainChange = (values: Values, used: number): string => {
  const limit = parseNumber(values["limit"]) ?? 0
  const money = formatMoney(limit)
  if (values["soft"] === "true") return `Nothing is refused beyond ${money}; alerts tell of it.`
  return used >= limit
    ? `Requests that count under it are refused with 402 at once: ${formatMoney(used)} of ${money} are spent or reserved.`
    : `${formatMoney(limit - used)} are left until it refuses requests with 402; ${formatMoney(used)} are spent or reserved.`
}

const intervalOptions = [
  ["daily", "daily"],
  ["weekly", "weekly"],
  ["monthly", "monthly"],
  ["lifetime", "never"]
] as const

/** For a budget of a workspace, or of a part of its spending. */
export const makeNewBudgetFields = (
  workspaces: ReadonlyArray<{ readonly id: string; readonly name: string }>
): ReadonlyArray<FormField> => [
  {
    name: "workspace",
    label: "Workspace",
    kind: "select",
    options: workspaces.map(({ id, name }) => [id, name] as const)
  },
  {
    name: "scope",
    label: "Of what it spends",
    kind: "select",
    options: [
      ["", "on everything"],
      ["model", "on a model"],
      ["provider", "on a provider"],
      ["external_user", "on an external user"],
      ["tag", "on a tag, such as customer=acme"]
    ]
  },
  { name: "value", label: "Its name", kind: "text", hint: "* counts each by itself" },
  ...limitFields,
  { name: "interval", label: "It resets", kind: "select", options: intervalOptions }
]

/** What to send, and where. */
export const toNewBudget = (
  values: Values
): { readonly method: "POST" | "PUT"; readonly path: string; readonly body: object } => {
  const { interval = "monthly", scope = "", value = "", workspace = "" } = values
  if (scope === "") {
    return {
      method: "PUT",
      path: `api/v1/workspaces/${encodeURIComponent(workspace)}/budgets/${interval}`,
      body: toLimitBody(values)
    }
  }
  const [name = "", ...rest] = value.trim().split("=")
  return {
    method: "POST",
    path: "api/v1/signalbox/budgets",
    body: {
      ...toLimitBody(values),
      workspace_id: workspace,
      reset_interval: interval === "lifetime" ? null : interval,
      scope:
        scope === "tag"
          ? { tag: Object.fromEntries([[name, rest.join("=")]]) }
          : { [scope]: value.trim() }
    }
  }
}
