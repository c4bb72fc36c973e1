/** By the bills, a limit of a day is spent at most once for each day that the clocks of the processes show. */
import { dailyKey } from "../features/distantClocks.ts"
import { keyLimitNano, tenants } from "../Tenant.ts"
import type { World } from "../World.ts"
import { sumBills } from "./bills.ts"

export const noDayIsOverspent = (world: World): ReadonlyArray<string> => {
  // Worlds begin at midnight where days begin, and a clock may be set back to the day before.
  const isTheDayBefore = world.hasClockJumped || world.clockOffsets.some((offset) => offset < 0)
  const most = isTheDayBefore ? 2n * keyLimitNano : keyLimitNano
  return tenants.flatMap((tenant) => {
    const { delivered } = sumBills(world, ({ secret }) => secret === dailyKey(tenant))
    return delivered > most ? [`${dailyKey(tenant)} has ${delivered} of ${most}`] : []
  })
}
