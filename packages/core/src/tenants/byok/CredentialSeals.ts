/** Seals the secrets of credentials, and opens them. */
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { resealAll, toResealChange } from "../../engine/secrets/resealAll.ts"
import { Sealer, toSealingProblem, type UnsealFailed } from "../../engine/secrets/Sealer.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { Credential } from "./Credential.ts"
import { CredentialStore, type OwnedCredential } from "./CredentialStore.ts"
import type { SealedCredential } from "./UsableCredential.ts"

type Subject = Pick<Credential, "id" | "provider">

export const makeCredentialSeals = Effect.gen(function* () {
  const audit = yield* Audit
  const sealer = yield* Sealer
  const store = yield* CredentialStore

  /** Unsealed secrets by row: rows are immutable, so each is unsealed once. */
  const opened = new WeakMap<SealedCredential, Redacted.Redacted>()

  /** Skips rows that were removed or changed since they were read. */
  const resealOne = Effect.fnUntraced(function* ({
    account,
    row: { credential, sealed }
  }: OwnedCredential) {
    const context = toSealContext(account, credential)
    const after = yield* sealer.seal(yield* sealer.unseal(sealed, context), context)
    return yield* audit.change(
      { account },
      "byok.reseal",
      Effect.map(
        store.reseal(account, credential.id, sealed, after),
        toResealChange(credential.id, sealed, after)
      )
    )
  })

  return {
    seal: (account: AccountId, subject: Subject, key: Redacted.Redacted) =>
      Effect.mapError(sealer.seal(key, toSealContext(account, subject)), toSealingProblem(["key"])),
    open: (
      account: AccountId,
      kept: SealedCredential
    ): Effect.Effect<Redacted.Redacted, UnsealFailed> => {
      const known = opened.get(kept)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(
        sealer.unseal(kept.sealed, toSealContext(account, kept.credential)),
        (secret) => {
          opened.set(kept, secret)
          return secret
        }
      )
    },
    /** Seals everything that is sealed under an older key under the current one; returns the count. */
    reseal: resealAll({
      sealer,
      page: store.listToReseal,
      reseal: resealOne,
      describeRow: ({ row }) => `credential ${row.credential.id}`
    })
  }
})

export type CredentialSeals = Effect.Success<typeof makeCredentialSeals>

/** Binds the seal to the row and its provider, so that altering rows cannot send a secret elsewhere. */
const toSealContext = (account: AccountId, { id, provider }: Subject): ReadonlyArray<string> => [
  "byok",
  account,
  id,
  provider
]
