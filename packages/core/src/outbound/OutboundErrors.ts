/** Why an address that a caller chose is not connected to. */
import * as Data from "effect/Data"

/** The name leads into a private network, or to something that is not for everybody. */
export class NotPublic extends Data.TaggedError("NotPublic") {}

/** The name leads nowhere, or nobody could tell. */
export class Unresolved extends Data.TaggedError("Unresolved") {}
