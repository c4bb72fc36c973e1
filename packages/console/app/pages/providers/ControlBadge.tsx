/** What an operator asks of a provider or an endpoint. */
import type { OperationResponse } from "@signalbox/core/contract"
import { Badge } from "../../components/Badge.tsx"
import { formatShare } from "../../format/format.ts"

type Control = OperationResponse<"live.listProviders">["data"][number]["control"]

export const ControlBadge = ({ control: { state, weight } }: { readonly control: Control }) => (
  <>
    <Badge tone={state === "active" ? (weight === 1 ? "plain" : "warn") : "warn"}>
      {state === "active" ? "in service" : state}
    </Badge>
    {weight < 1 && <span class="small"> weight {formatShare(weight)}</span>}
  </>
)
