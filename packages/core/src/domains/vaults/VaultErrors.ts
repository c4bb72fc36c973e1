/** Errors of vaults. */
import * as Data from "effect/Data"

/** The vault is closed, because its owner is being deleted. */
export class VaultClosed extends Data.TaggedError("VaultClosed")<{}> {}

/** A secret without hosts cannot be copied. */
export class SecretUnbound extends Data.TaggedError("SecretUnbound")<{
  readonly name: string
}> {}

/** A stored secret cannot be unsealed: its sealing key is missing, or the row was altered. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{
  readonly name: string
  /** The id of the sealing key. */
  readonly sealedUnder: string
}> {}
