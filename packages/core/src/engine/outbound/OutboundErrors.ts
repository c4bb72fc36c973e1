/** Why no connection is made to an address that a caller chose. */
import * as Data from "effect/Data"

/** The name resolves to a private or reserved address. */
export class NonPublicAddress extends Data.TaggedError("NonPublicAddress") {}

/** The name does not resolve, or the lookup failed. */
export class HostUnresolved extends Data.TaggedError("HostUnresolved") {}
