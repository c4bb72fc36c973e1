/** Ids of vaults. The id of a workspace's vault is derived from the workspace; others are random. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { uuidPattern } from "../../values/ids/Ids.ts"

/** The id of a vault: a UUID in lower case. */
export const VaultId = Schema.String.check(
  Schema.isPattern(uuidPattern, { expected: "the id of a vault" })
).pipe(Schema.brand("VaultId"))
export type VaultId = typeof VaultId.Type

export const is = Schema.is(VaultId)

export const next: Effect.Effect<VaultId> = Effect.sync(() =>
  VaultId.make(SecureRandom.uuidV4Unsafe())
)
