/** What holds in every simulated world once everything works again. */
import type { World } from "../World.ts"
import { acceptedIsKept } from "./acceptedIsKept.ts"
import { booksMatchBills } from "./booksMatchBills.ts"
import { eventsAreSigned } from "./eventsAreSigned.ts"
import { eventsArrive } from "./eventsArrive.ts"
import { everyProcessServes } from "./everyProcessServes.ts"
import { everyRequestEnds } from "./everyRequestEnds.ts"
import { cachedAnswerExpires } from "./cachedAnswerExpires.ts"
import { credentialStaysWithItsOwner } from "./credentialStaysWithItsOwner.ts"
import { deletedKeyIsRefused } from "./deletedKeyIsRefused.ts"
import { internsAreKept } from "./internsAreKept.ts"
import { noDayIsOverspent } from "./noDayIsOverspent.ts"
import { noJobRunsTwice } from "./noJobRunsTwice.ts"
import { noTenantSeesAnothers } from "./noTenantSeesAnothers.ts"
import { noLimitOverspent } from "./noLimitOverspent.ts"
import { noTurnIsBilledTwice } from "./noTurnIsBilledTwice.ts"
import { noUserOverspends } from "./noUserOverspends.ts"
import { oneOperationAtATime } from "./oneOperationAtATime.ts"

/** Each returns what breaks it. */
export const invariants: Readonly<
  Record<string, (world: World) => Promise<ReadonlyArray<string>> | ReadonlyArray<string>>
> = {
  noLimitOverspent,
  noUserOverspends,
  noDayIsOverspent,
  booksMatchBills,
  acceptedIsKept,
  noJobRunsTwice,
  everyRequestEnds,
  everyProcessServes,
  noTenantSeesAnothers,
  deletedKeyIsRefused,
  credentialStaysWithItsOwner,
  eventsArrive,
  eventsAreSigned,
  internsAreKept,
  oneOperationAtATime,
  noTurnIsBilledTwice,
  cachedAnswerExpires
}
