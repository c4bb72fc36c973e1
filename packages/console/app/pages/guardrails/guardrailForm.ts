/** What one may say of a guardrail here; content filters stay as they are. */
import type { OperationResponse } from "@signalbox/core/contract"
import type { Session } from "../../api/request.ts"
import {
  type FormField,
  parseList,
  parseNumber,
  toPatch,
  toText,
  type Values
} from "../../components/FormField.ts"

export type Guardrail = OperationResponse<"guardrails.list">["data"][number]

type KeyAssignment = OperationResponse<"guardrails.listAllKeyAssignments">["data"][number]
type MemberAssignment = OperationResponse<"guardrails.listAllMemberAssignments">["data"][number]

/** The first hundred of each. */
export interface Assignments {
  readonly keys: ReadonlyArray<KeyAssignment>
  readonly members: ReadonlyArray<MemberAssignment>
}

export interface GuardrailActionProps {
  readonly of: Guardrail
  readonly session: Session
  readonly reload: () => void
}

const namesHint = "separated by commas; empty: all"

export const guardrailFields: ReadonlyArray<FormField> = [
  { name: "name", label: "Name", kind: "text", isRequired: true },
  { name: "allowed_models", label: "Allowed models", kind: "list", hint: namesHint },
  { name: "ignored_models", label: "Forbidden models", kind: "list" },
  { name: "allowed_providers", label: "Allowed providers", kind: "list", hint: namesHint },
  { name: "ignored_providers", label: "Forbidden providers", kind: "list" },
  {
    name: "limit_usd",
    label: "Limit in USD of each key and member",
    kind: "number",
    hint: "empty: none"
  },
  {
    name: "reset_interval",
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
  { name: "enforce_zdr", label: "Zero data retention only", kind: "checkbox" },
  { name: "enforce_no_store", label: "No answers from the cache of responses", kind: "checkbox" }
]

export const toGuardrailValues = (guardrail: Guardrail): Values => ({
  name: guardrail.name,
  allowed_models: (guardrail.allowed_models ?? []).join(", "),
  ignored_models: (guardrail.ignored_models ?? []).join(", "),
  allowed_providers: (guardrail.allowed_providers ?? []).join(", "),
  ignored_providers: (guardrail.ignored_providers ?? []).join(", "),
  limit_usd: toText(guardrail.limit_usd),
  reset_interval: toText(guardrail.reset_interval),
  soft_limit: toText(guardrail.soft_limit),
  enforce_zdr: toText(guardrail.enforce_zdr),
  enforce_no_store: toText(guardrail.enforce_no_store)
})

export const toGuardrailBody = (values: Values) => ({
  name: (values["name"] ?? "").trim(),
  allowed_models: toNames(values["allowed_models"]),
  ignored_models: toNames(values["ignored_models"]),
  allowed_providers: toNames(values["allowed_providers"]),
  ignored_providers: toNames(values["ignored_providers"]),
  limit_usd: parseNumber(values["limit_usd"]),
  reset_interval: values["reset_interval"] === "" ? null : (values["reset_interval"] ?? null),
  soft_limit: values["soft_limit"] === "true",
  enforce_zdr: values["enforce_zdr"] === "true" ? true : null,
  enforce_no_store: values["enforce_no_store"] === "true"
})

/** What differs. A limit is sent with its interval, as the operation asks for. */
export const toGuardrailPatch = (before: Values, after: Values): object => {
  const [old, young] = [toGuardrailBody(before), toGuardrailBody(after)]
  const patch = toPatch(old, young)
  const { limit_usd, reset_interval } = young
  return "limit_usd" in patch || "reset_interval" in patch
    ? { ...patch, limit_usd, reset_interval }
    : patch
}

const toNames = (text = ""): ReadonlyArray<string> | null => {
  const names = parseList(text)
  return names.length === 0 ? null : names
}
