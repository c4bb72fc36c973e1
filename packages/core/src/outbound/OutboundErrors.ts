/** Why an address that a caller chose is not connected to. */
import * as Data from "effect/Data"

/** The name leads into a private network, or to something that is not for everybody. */
export class NonPublicAddress extends Data.TaggedError("NonPublicAddress") {}

/** The name leads nowhere, or nobody could tell. */
export class HostUnresolved extends Data.TaggedError("HostUnresolved") {}
