/** Which receivers may be sent to at once, so that neither one of them nor the names one account makes up hold up all. */
import { makeSlots } from "../jobs/slots.ts"

export interface ReceiverSlots {
  /** As `Slots.enter`; `account` is whose delivery it is. */
  readonly enter: (
    receiver: string,
    account: string
  ) => ((isWell: boolean | undefined) => void) | undefined
}

/**
 * One receiver has a quarter of `total` at most; one that is new a sixteenth; one that was not well when it was
 * last tried one slot, and all of those together have half. A wildcard domain is any number of receivers, each
 * of them new: so with receivers that are not known to be well an account has half, a quarter in one
 * domain, and all accounts together three quarters. The rest is for receivers that are known to be well, of
 * which one account has no more than three quarters either.
 */
export const receiverSlots = (total: number): ReceiverSlots => {
  const quarter = Math.floor(total / 4)
  const half = Math.floor(total / 2)
  const receivers = makeSlots({
    each: quarter,
    unknown: Math.max(1, Math.floor(total / 16)),
    unwell: half
  })
  const ofAccount = new Map<string, Taken>()
  let unproven = 0

  return {
    enter: (receiver, account) => {
      const isProven = receivers.standingOf(receiver) === "well"
      const taken = ofAccount.get(account) ?? { all: 0, unproven: 0, domains: new Map() }
      if (taken.all >= total - quarter) return
      if (!isProven && (taken.unproven >= half || unproven >= total - quarter)) return
      const domain = domainOf(receiver)
      if (!isProven && (taken.domains.get(domain) ?? 0) >= quarter) return
      const leave = receivers.enter(receiver)
      if (leave === undefined) return
      const count = (by: 1 | -1) => {
        taken.all += by
        if (isProven) return
        taken.unproven += by
        const inDomain = (taken.domains.get(domain) ?? 0) + by
        if (inDomain > 0) taken.domains.set(domain, inDomain)
        else taken.domains.delete(domain)
        unproven += by
      }
      count(1)
      ofAccount.set(account, taken)
      return (isWell) => {
        leave(isWell)
        count(-1)
        if (taken.all === 0) ofAccount.delete(account)
      }
    }
  }
}

/** By one account, now. */
interface Taken {
  all: number
  unproven: number
  /** The same by domain. */
  readonly domains: Map<string, number>
}

/** Its last two labels. Strangers may share them, as in co.uk, but those of one account seldom do. */
const domainOf = (receiver: string): string => receiver.split(".").slice(-2).join(".")
