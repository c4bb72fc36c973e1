/** How a request or an attempt ended. */
import { Badge, type Tone } from "../../components/Badge.tsx"

export const Outcome = ({ outcome }: { readonly outcome: string }) => (
  <Badge tone={toTone(outcome)}>{outcome}</Badge>
)

const toTone = (outcome: string): Tone => {
  if (outcome === "answered" || outcome === "served") return "good"
  return outcome === "Interrupted" || outcome === "interrupted" ? "plain" : "bad"
}
