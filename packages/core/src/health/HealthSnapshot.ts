/** What the router knows of endpoints at one moment: plain data, so that a plan can be replayed. */
export interface HealthSnapshot {
  /** Ids of endpoints with a significant outage in the last seconds. */
  readonly outages: ReadonlySet<string>
}

export const healthy: HealthSnapshot = { outages: new Set() }
