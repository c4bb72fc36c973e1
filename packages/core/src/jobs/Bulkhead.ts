/** Who may be called at once, so that those that hang keep nobody else waiting. */

/** How one was when it was last called; `unknown`: never, or long ago. */
type BulkheadHealth = "healthy" | "unhealthy" | "unknown"

export interface Bulkhead {
  /**
   * Undefined: not now, too many calls are on their way. Otherwise it is to be called once with how the one
   * that was called was, or with undefined when nobody knows.
   */
  readonly tryAcquire: (name: string) => ((isWell: boolean | undefined) => void) | undefined
  readonly getHealth: (name: string) => BulkheadHealth
}

export interface BulkheadLimits {
  /** Of one that was well when it was last called. */
  readonly perHealthy: number
  /** Of one of which nobody knows yet. */
  readonly perUnknown: number
  /** Of all together that were not well when they were last called; each of those has one. */
  readonly totalUnhealthy: number
}

export const makeBulkhead = (bounds: BulkheadLimits): Bulkhead => {
  const running = new Map<string, number>()
  /** How each was, the one called least recently first. */
  const lastHealth = new Map<string, "healthy" | "unhealthy">()
  let runningUnhealthy = 0

  return {
    tryAcquire: (name) => {
      const count = running.get(name) ?? 0
      const standing = lastHealth.get(name) ?? "unknown"
      const isSuspect = standing === "unhealthy"
      if (isSuspect && runningUnhealthy >= bounds.totalUnhealthy) return
      if (count >= (isSuspect ? 1 : standing === "healthy" ? bounds.perHealthy : bounds.perUnknown))
        return
      running.set(name, count + 1)
      if (isSuspect) runningUnhealthy++
      return (isWell) => {
        if (isSuspect) runningUnhealthy--
        const left = (running.get(name) ?? 1) - 1
        if (left > 0) running.set(name, left)
        else running.delete(name)
        if (isWell === undefined) return
        lastHealth.delete(name)
        lastHealth.set(name, isWell ? "healthy" : "unhealthy")
        const [oldest] = lastHealth.keys()
        if (lastHealth.size > maxTracked && oldest !== undefined) lastHealth.delete(oldest)
      }
    },
    getHealth: (name) => lastHealth.get(name) ?? "unknown"
  }
}

/** Names may be for callers to choose, any number of them. */
const maxTracked = 10_000
