/** What may be told of a secret in a vault: never its value. Sources: wire, VaultSecret; semantics D2. */
import * as Schema from "effect/Schema"
import type { SealedSecret } from "../secrets/Sealer.ts"

/** A secret of a vault without its value. */
export const Secret = Schema.Struct({
  /** When there was first one of this name in its vault, which replacing it does not change. ISO 8601. */
  created_at: Schema.String,
  /**
   * Of the value, keyed: 64 hexadecimal digits. Inside one vault equal for equal values and for no others; of
   * no meaning across vaults. Null where `hosts` is.
   */
  fingerprint: Schema.NullOr(Schema.String),
  /**
   * The hosts it is released to, in lower case, in the order given; null: to none, and it cannot be
   * copied. Only the application itself makes such.
   */
  hosts: Schema.NullOr(Schema.Array(Schema.String)),
  name: Schema.String
})
export type Secret = typeof Secret.Type

/** A secret as it is kept, its value sealed. */
export interface StoredSecret extends Secret {
  readonly sealed: SealedSecret
}

export const toSecret = ({ created_at, fingerprint, hosts, name }: StoredSecret): Secret => ({
  created_at,
  fingerprint,
  hosts,
  name
})
