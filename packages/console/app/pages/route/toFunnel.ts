/** The funnel of a route: endpoints that were considered, those that each rule left out, and those that are tried. */
import type { FunnelStage } from "../../charts/FunnelStage.ts"
import { formatCount } from "../../format/format.ts"

interface LeftOut {
  readonly endpoint: string
  readonly rule: string
  /** Who set the rule. */
  readonly source: string
  readonly found: string
}

/**
 * `leftOut` may name an endpoint more than once, by several rules: it leaves by the first one. `left` are the endpoints that
 * no rule left out, each with what became of it.
 */
export const toFunnel = (
  leftOut: ReadonlyArray<LeftOut>,
  left: ReadonlyArray<{ readonly endpoint: string; readonly text: string }>,
  lastLabel: (count: number) => string
): ReadonlyArray<FunnelStage> => {
  const rejections = [
    ...new Map(leftOut.toReversed().map((each) => [each.endpoint, each])).values()
  ]
  const byRule = Map.groupBy(rejections.toReversed(), ({ rule, source }) => `${rule}, ${source}`)
  const remaining = new Set(left.map(({ endpoint }) => endpoint)).size
  const considered = rejections.length + remaining
  let from = considered
  const stages: Array<FunnelStage> = [
    {
      key: "considered",
      label: `${formatCount(considered)} ${considered === 1 ? "endpoint" : "endpoints"} considered`,
      detail: describeEndpoints(considered, rejections.length),
      from,
      to: from,
      tone: "plain"
    }
  ]
  for (const [key, group] of byRule) {
    const { rule, source } = group[0]!
    const to = from - group.length
    stages.push({
      key,
      label: `${formatCount(group.length)} left out by ${rule}`,
      detail: `set by ${source}: ${group.map(({ endpoint, found }) => `${endpoint} (${found})`).join(", ")}`,
      from,
      to,
      tone: "bad"
    })
    from = to
  }
  return [
    ...stages,
    {
      key: "left",
      label: lastLabel(remaining),
      detail: left.map(({ text }, at) => `${at + 1}. ${text}`).join("  "),
      from: remaining,
      to: remaining,
      tone: remaining === 0 ? "bad" : "good"
    }
  ]
}

const describeEndpoints = (considered: number, rejected: number): string =>
  rejected === 0
    ? "no rule left one out"
    : `${formatCount(considered - rejected)} of them may serve the request`
