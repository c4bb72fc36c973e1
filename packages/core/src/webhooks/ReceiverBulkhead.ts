/** Which receivers may be sent to at once, so that neither one of them nor the names one account makes up hold up all. */
import { makeBulkhead } from "../jobs/Bulkhead.ts"

export interface ReceiverBulkhead {
  /** As `Slots.enter`; `account` is whose delivery it is. */
  readonly acquire: (
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
export const makeReceiverBulkhead = (total: number): ReceiverBulkhead => {
  const quarter = Math.floor(total / 4)
  const half = Math.floor(total / 2)
  const receivers = makeBulkhead({
    perHealthy: quarter,
    perUnknown: Math.max(1, Math.floor(total / 16)),
    totalUnhealthy: half
  })
  const usageByAccount = new Map<string, AccountUsage>()
  let unproven = 0

  return {
    acquire: (receiver, account) => {
      const isProven = receivers.getHealth(receiver) === "healthy"
      const usage = usageByAccount.get(account) ?? { all: 0, unproven: 0, domains: new Map() }
      if (usage.all >= total - quarter) return
      if (!isProven && (usage.unproven >= half || unproven >= total - quarter)) return
      const domain = toDomain(receiver)
      if (!isProven && (usage.domains.get(domain) ?? 0) >= quarter) return
      const release = receivers.tryAcquire(receiver)
      if (release === undefined) return
      const count = (by: 1 | -1) => {
        usage.all += by
        if (isProven) return
        usage.unproven += by
        const inDomain = (usage.domains.get(domain) ?? 0) + by
        if (inDomain > 0) usage.domains.set(domain, inDomain)
        else usage.domains.delete(domain)
        unproven += by
      }
      count(1)
      usageByAccount.set(account, usage)
      return (isWell) => {
        release(isWell)
        count(-1)
        if (usage.all === 0) usageByAccount.delete(account)
      }
    }
  }
}

/** By one account, now. */
interface AccountUsage {
  all: number
  unproven: number
  /** The same by domain. */
  readonly domains: Map<string, number>
}

/** Its last two labels. Strangers may share them, as in co.uk, but those of one account seldom do. */
const toDomain = (receiver: string): string => receiver.split(".").slice(-2).join(".")
