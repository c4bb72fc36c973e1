/** Who may be sent to at once, so that receivers that hang keep no other receiver waiting. */

export interface ReceiverSlots {
  /**
   * Undefined: not now, too many are on their way. Otherwise it is to be called once with how the receiver
   * was, or with undefined when nobody knows.
   */
  readonly enter: (receiver: string) => ((isWell: boolean | undefined) => void) | undefined
}

/**
 * One receiver has a quarter of `total` at most. One that was not well when it was last tried has one, and
 * all of those together have half.
 */
export const receiverSlots = (total: number): ReceiverSlots => {
  const perReceiver = Math.floor(total / 4)
  const ofUnwell = Math.floor(total / 2)
  const running = new Map<string, number>()
  /** Those that were not well, the one tried least recently first. */
  const unwell = new Set<string>()
  let runningUnwell = 0

  return {
    enter: (receiver) => {
      const count = running.get(receiver) ?? 0
      const isSuspect = unwell.has(receiver)
      if (isSuspect ? count > 0 || runningUnwell >= ofUnwell : count >= perReceiver) return
      running.set(receiver, count + 1)
      if (isSuspect) runningUnwell++
      return (isWell) => {
        if (isSuspect) runningUnwell--
        const left = (running.get(receiver) ?? 1) - 1
        if (left > 0) running.set(receiver, left)
        else running.delete(receiver)
        if (isWell === undefined) return
        unwell.delete(receiver)
        if (isWell) return
        unwell.add(receiver)
        const [oldest] = unwell
        if (unwell.size > mostUnwell && oldest !== undefined) unwell.delete(oldest)
      }
    }
  }
}

/** Addresses are for callers to choose, any number of them. */
const mostUnwell = 10_000
