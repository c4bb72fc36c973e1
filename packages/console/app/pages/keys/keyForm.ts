/** What one may say of a key, and what follows from it. */
import type { OperationResponse } from "@signalbox/core/contract"
import type { Names } from "../../api/useNames.ts"
import {
  type FormField,
  parseDate,
  parseNumber,
  toText,
  type Values
} from "../../components/FormField.ts"
import { formatMoney } from "../../format/format.ts"
import { parseTags } from "./parseTags.ts"

export type Key = OperationResponse<"keys.list">["data"][number]

const editFields: ReadonlyArray<FormField> = [
  { name: "name", label: "Name", kind: "text", isRequired: true },
  { name: "limit", label: "Limit in USD", kind: "number", hint: "empty: none" },
  {
    name: "limit_reset",
    label: "The limit resets",
    kind: "select",
    options: [
      ["", "never"],
      ["daily", "daily"],
      ["weekly", "weekly"],
      ["monthly", "monthly"]
    ]
  },
  { name: "soft_limit", label: "The limit only warns", kind: "checkbox" },
  {
    name: "include_byok_in_limit",
    label: "Spending on own credentials counts, too",
    kind: "checkbox"
  }
]

export const editKeyFields = editFields

export const makeNewKeyFields = ({ workspaces }: Names): ReadonlyArray<FormField> => [
  ...editFields,
  { name: "expires_at", label: "Expires at", kind: "date", hint: "empty: never" },
  {
    name: "creator_user_id",
    label: "Acts for the user",
    kind: "text",
    hint: "empty: the organization"
  },
  {
    name: "tags",
    label: "Tags of its requests",
    kind: "list",
    hint: "such as customer:acme, team:search"
  },
  {
    name: "workspace_id",
    label: "Workspace",
    kind: "select",
    options: [
      ["", "the default workspace"],
      ...workspaces.map(({ id, name }) => [id, name] as const)
    ]
  }
]

export const toKeyValues = (key: Key): Values => ({
  name: key.name,
  limit: toText(key.limit),
  limit_reset: toText(key.limit_reset),
  soft_limit: toText(key.soft_limit),
  include_byok_in_limit: toText(key.include_byok_in_limit)
})

/** A patch with the fields that differ. */
export const toKeyPatch = (before: Values, after: Values): Readonly<Record<string, unknown>> => {
  const [old, young] = [toEditBody(before), toEditBody(after)]
  return Object.fromEntries(Object.entries(young).filter(([name, value]) => old[name] !== value))
}

export const toNewKey = (values: Values): Readonly<Record<string, unknown>> => {
  const { creator_user_id: user = "", workspace_id: workspace = "" } = values
  const tags = parseTags(values["tags"])
  return {
    ...toEditBody(values),
    expires_at: parseDate(values["expires_at"]),
    creator_user_id: user.trim() === "" ? null : user.trim(),
    ...(Object.keys(tags).length === 0 ? undefined : { tags }),
    ...(workspace === "" ? undefined : { workspace_id: workspace })
  }
}

const toEditBody = (values: Values): Readonly<Record<string, unknown>> => ({
  name: (values["name"] ?? "").trim(),
  limit: parseNumber(values["limit"]),
  limit_reset: values["limit_reset"] === "" ? null : (values["limit_reset"] ?? null),
  soft_limit: values["soft_limit"] === "true",
  include_byok_in_limit: values["include_byok_in_limit"] === "true"
})

/** `spent` is what has been spent in the present interval; undefined: not known. */
export const explainLimit = (values: Values, spent?: number): string => {
  const limit = parseNumber(values["limit"])
  if (limit === null) return "It may spend without a limit of its own."
  const [money, reset = ""] = [formatMoney(limit), values["limit_reset"]]
  const now = spent === undefined ? "" : ` It has spent ${formatMoney(spent)} so far.`
  if (values["soft_limit"] === "true") {
    return `Requests are answered beyond ${money}, too; alerts tell of it.${now}`
  }
  return spent !== undefined && spent >= limit
    ? `Its requests are refused with 402 at once: it has spent ${formatMoney(spent)} of ${money}.`
    : `Its requests are refused with 402 once ${money} are spent${
        reset === "" ? "" : `, until the limit resets ${reset}`
      }.${now}`
}
