/** The query of the requests since an interval of spending began: its days, weeks and months are in UTC. */

const day = 86_400_000

export type SpendInterval = "daily" | "weekly" | "monthly" | "lifetime"

export const toWindowQuery = (
  interval: SpendInterval,
  now: number
): Record<"from" | "range" | "to", string | undefined> => {
  // What is kept of requests may begin later.
  if (interval === "lifetime") return { range: "30d", from: undefined, to: undefined }
  return {
    range: undefined,
    from: new Date(findStart(interval, now)).toISOString(),
    to: new Date(Math.ceil(now / 60_000) * 60_000).toISOString()
  }
}

const findStart = (interval: Exclude<SpendInterval, "lifetime">, now: number): number => {
  const date = new Date(now)
  if (interval === "monthly") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  const today = Math.floor(now / day) * day
  // Weeks begin on Monday.
  return interval === "daily" ? today : today - ((date.getUTCDay() + 6) % 7) * day
}
