/** How vaults refuse what is asked of them, in facts. */
import * as Data from "effect/Data"

/** The vault was there, and is closed: its owner is on the way out. Nothing is put into it any more. */
export class VaultClosed extends Data.TaggedError("VaultClosed")<{}> {}

/** A secret without hosts is not copied: nobody said where it may go. */
export class SecretUnbound extends Data.TaggedError("SecretUnbound")<{
  readonly name: string
}> {}

/** A kept secret does not open: the host no longer has the key it was sealed under, or it was altered. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{
  readonly name: string
  /** The id of the host's key. */
  readonly sealedUnder: string
}> {}
