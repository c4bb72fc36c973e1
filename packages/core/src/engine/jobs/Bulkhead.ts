/** Limits concurrent calls by target, so that hanging targets do not delay the others. */
import { setMostRecent } from "../../values/setMostRecent.ts"

/** The result of the last call of a target; `unknown`: it was never called, or long ago. */
type BulkheadHealth = "healthy" | "unhealthy" | "unknown"

export interface Bulkhead {
  /**
   * Takes a slot; undefined when all are taken. Call the returned function once, with the health of the target, or with
   * undefined when the health is unknown.
   */
  readonly tryAcquire: (name: string) => ((isHealthy: boolean | undefined) => void) | undefined
  readonly getHealth: (name: string) => BulkheadHealth
}

export interface BulkheadLimits {
  /** Slots of a healthy target. */
  readonly perHealthy: number
  /** Slots of an unknown target. */
  readonly perUnknown: number
  /** Slots of all unhealthy targets together; each has one. */
  readonly totalUnhealthy: number
}

export const makeBulkhead = (limits: BulkheadLimits): Bulkhead => {
  const running = new Map<string, number>()
  /** Least recently called first. */
  const lastHealth = new Map<string, "healthy" | "unhealthy">()
  let runningUnhealthy = 0

  const getHealth = (name: string): BulkheadHealth => lastHealth.get(name) ?? "unknown"
  const slotsByHealth: Readonly<Record<BulkheadHealth, number>> = {
    healthy: limits.perHealthy,
    unhealthy: 1,
    unknown: limits.perUnknown
  }

  return {
    tryAcquire: (name) => {
      const count = running.get(name) ?? 0
      const health = getHealth(name)
      const isUnhealthy = health === "unhealthy"
      if (isUnhealthy && runningUnhealthy >= limits.totalUnhealthy) return
      if (count >= slotsByHealth[health]) return
      running.set(name, count + 1)
      if (isUnhealthy) runningUnhealthy++
      return (isHealthy) => {
        if (isUnhealthy) runningUnhealthy--
        const left = (running.get(name) ?? 1) - 1
        if (left > 0) running.set(name, left)
        else running.delete(name)
        if (isHealthy === undefined) return
        setMostRecent(lastHealth, name, isHealthy ? "healthy" : "unhealthy", maxTracked)
      }
    },
    getHealth
  }
}

/** Bounds memory, because callers may choose any number of names. */
const maxTracked = 10_000
