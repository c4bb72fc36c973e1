/** How a request or an attempt ended. */
import { Badge, type Tone } from "../../components/Badge.tsx"

export const Outcome = ({ outcome }: { readonly outcome: string }) => (
  <Badge tone={toTone(outcome)}>{outcome}</Badge>
)

const toTone = (outcome: string): Tone => {
  if (outcome === "answered" || outcome === "served") return "good"
  // An attempt is lost when another one beside it answered first, which is no failure.
  return ["Interrupted", "interrupted", "lost", "unread"].includes(outcome) ? "plain" : "bad"
}
