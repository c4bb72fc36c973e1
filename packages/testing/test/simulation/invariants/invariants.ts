/** What holds in every simulated world once everything works again. */
import type { World } from "../World.ts"
import { acceptedIsKept } from "./acceptedIsKept.ts"
import { booksMatchBills } from "./booksMatchBills.ts"
import { everyRequestEnds } from "./everyRequestEnds.ts"
import { deletedKeyIsRefused } from "./deletedKeyIsRefused.ts"
import { noJobRunsTwice } from "./noJobRunsTwice.ts"
import { noTenantSeesAnothers } from "./noTenantSeesAnothers.ts"
import { noLimitOverspent } from "./noLimitOverspent.ts"

/** Each returns what breaks it. */
export const invariants: Readonly<
  Record<string, (world: World) => Promise<ReadonlyArray<string>> | ReadonlyArray<string>>
> = {
  noLimitOverspent,
  booksMatchBills,
  acceptedIsKept,
  noJobRunsTwice,
  everyRequestEnds,
  noTenantSeesAnothers,
  deletedKeyIsRefused
}
