/** Who may be called at once, so that those that hang keep nobody else waiting. */

/** How one was when it was last called; `unknown`: never, or long ago. */
type Standing = "well" | "unwell" | "unknown"

export interface Slots {
  /**
   * Undefined: not now, too many calls are on their way. Otherwise it is to be called once with how the one
   * that was called was, or with undefined when nobody knows.
   */
  readonly enter: (name: string) => ((isWell: boolean | undefined) => void) | undefined
  readonly standingOf: (name: string) => Standing
}

export interface SlotBounds {
  /** Of one that was well when it was last called. */
  readonly each: number
  /** Of one of which nobody knows yet. */
  readonly unknown: number
  /** Of all together that were not well when they were last called; each of those has one. */
  readonly unwell: number
}

export const makeSlots = (bounds: SlotBounds): Slots => {
  const running = new Map<string, number>()
  /** How each was, the one called least recently first. */
  const known = new Map<string, "well" | "unwell">()
  let runningUnwell = 0

  return {
    enter: (name) => {
      const count = running.get(name) ?? 0
      const standing = known.get(name) ?? "unknown"
      const isSuspect = standing === "unwell"
      if (isSuspect && runningUnwell >= bounds.unwell) return
      if (count >= (isSuspect ? 1 : standing === "well" ? bounds.each : bounds.unknown)) return
      running.set(name, count + 1)
      if (isSuspect) runningUnwell++
      return (isWell) => {
        if (isSuspect) runningUnwell--
        const left = (running.get(name) ?? 1) - 1
        if (left > 0) running.set(name, left)
        else running.delete(name)
        if (isWell === undefined) return
        known.delete(name)
        known.set(name, isWell ? "well" : "unwell")
        const [oldest] = known.keys()
        if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
      }
    },
    standingOf: (name) => known.get(name) ?? "unknown"
  }
}

/** Names may be for callers to choose, any number of them. */
const mostKnown = 10_000
