/** The spend limit that refused a request. */
import { Money } from "../../components/Money.tsx"
import type { RequestRecord } from "./RequestRecord.ts"

export const Refusal = ({
  limit: { available_usd: available, interval, kind, limit_usd: cap, name, required_usd: required }
}: {
  readonly limit: NonNullable<RequestRecord["exceeded_limit"]>
}) => (
  <>
    the {interval} {name === null ? (names[kind] ?? kind) : `budget ${name}`} of <Money usd={cap} />{" "}
    <span class="muted">
      <Money usd={available} /> was left, and it might have cost <Money usd={required} />
    </span>
  </>
)

const names: Readonly<Record<string, string>> = {
  credits: "credits of the account",
  key: "limit of the key",
  workspace: "budget of the workspace",
  guardrail: "limit of a guardrail",
  experiment: "budget of the experiment"
}
