/** How providers, endpoints and models fare. Pure. */
import type { EndpointReport, HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import type { AlertHealth } from "../../engine/observability/alerts/Alert.ts"

/** What has a rate of errors. */
export type HealthKind = AlertHealth["kind"]

/** An endpoint as the catalog has it. */
export interface GroupedEndpoint {
  readonly id: string
  readonly model: string
  readonly provider: string
}

export interface GroupHealth {
  /** Attempts of the last five minutes that succeeded or failed; rate limits are neither. */
  readonly requests: number
  readonly errors: number
  /**
   * The breakers of all endpoints that were used in these minutes are open. Undefined: none was used and no breaker says
   * anything.
   */
  readonly isDown: boolean | undefined
  /** Why the first breaker opened. */
  readonly cause: string | undefined
}

/** The health of each provider, endpoint or model that this process has tried, by name. */
export const measureHealth = (
  endpoints: ReadonlyArray<GroupedEndpoint>,
  { endpoints: reports }: HealthSnapshot,
  kind: HealthKind
): ReadonlyMap<string, GroupHealth> => {
  const groups = Map.groupBy(
    endpoints.filter(({ id }) => Object.hasOwn(reports, id)),
    (endpoint) => (kind === "endpoint" ? endpoint.id : endpoint[kind])
  )
  return new Map(
    Array.from(groups, ([name, members]) => [
      name,
      toGroupHealth(members.flatMap(({ id }) => reports[id] ?? []))
    ])
  )
}

const toGroupHealth = (reports: ReadonlyArray<EndpointReport>): GroupHealth => {
  let requests = 0
  let errors = 0
  for (const report of reports) {
    const failed = countErrors(report)
    errors += failed
    requests += failed + report.answers.valid
  }
  const active = reports.filter(
    (report) => report.breaker.state !== "closed" || report.answers.valid + countErrors(report) > 0
  )
  const open = active.flatMap(({ breaker }) => (breaker.state === "open" ? [breaker] : []))
  return {
    requests,
    errors,
    isDown: active.length === 0 ? undefined : open.length === active.length,
    cause: open[0]?.cause
  }
}

const countErrors = ({ errors }: EndpointReport): number =>
  Object.values(errors).reduce((sum, count) => sum + count, 0)
