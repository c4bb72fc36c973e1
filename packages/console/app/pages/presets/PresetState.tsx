/** Whether requests can use a preset. */
import type { OperationResponse } from "@signalbox/core/contract"
import { Badge, type Tone } from "../../components/Badge.tsx"

type Status = OperationResponse<"presets.get">["data"]["status"]

const tones: Readonly<Record<Status, Tone>> = { active: "good", disabled: "bad", archived: "plain" }

export const PresetState = ({ status }: { readonly status: Status }) => (
  <Badge tone={tones[status]}>{status}</Badge>
)
