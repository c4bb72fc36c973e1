/** Limits concurrent attempts, so that neither one receiver nor one account with many domains delays the others. */
import { makeBulkhead } from "../../engine/jobs/Bulkhead.ts"

export interface ReceiverBulkhead {
  /** Like `Bulkhead.tryAcquire`; `account` owns the delivery. */
  readonly acquire: (
    receiver: string,
    account: string
  ) => ((isHealthy: boolean | undefined) => void) | undefined
}

/**
 * A healthy receiver may use a quarter of `total`, an unknown one a sixteenth, an unhealthy one a single slot, and
 * all unhealthy ones half together. A wildcard DNS domain provides any number of unknown receivers. Receivers that
 * are not known to be healthy therefore share limits: an account may use half of `total` for them, a quarter in
 * one domain, and all accounts three quarters together. An account may use three quarters in total.
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
      return (isHealthy) => {
        release(isHealthy)
        count(-1)
        if (usage.all === 0) usageByAccount.delete(account)
      }
    }
  }
}

/** Slots in use by one account. */
interface AccountUsage {
  all: number
  unproven: number
  /** Unproven slots by domain. */
  readonly domains: Map<string, number>
}

/** The last two labels. Under suffixes such as co.uk receivers of different owners share them, which only tightens the limit. */
const toDomain = (receiver: string): string => receiver.split(".").slice(-2).join(".")
