/** Seals the secrets of vaults and the keys of their fingerprints, and opens them. */
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { resealAll, toResealChange } from "../../engine/secrets/resealAll.ts"
import { type SealedSecret, Sealer, toSealingProblem } from "../../engine/secrets/Sealer.ts"
import type { Secret } from "./Secret.ts"
import { SecretUnreadable } from "./Vault.ts"
import type { VaultId } from "./VaultId.ts"
import { type OwnedKey, type OwnedSecret, type StoredSecret, VaultStore } from "./VaultStore.ts"

export const makeVaultSeals = Effect.gen(function* () {
  const audit = yield* Audit
  const mac = yield* Mac.Mac
  const sealer = yield* Sealer
  const store = yield* VaultStore

  const seal = Effect.fnUntraced(function* (
    key: Uint8Array,
    vault: VaultId,
    secret: Secret,
    value: Redacted.Redacted
  ) {
    const sealed = yield* Effect.mapError(
      sealer.seal(value, toSealContext(vault, secret)),
      toNoSealingKey
    )
    if (secret.hosts === null) return { ...secret, sealed }
    const hmacKey = yield* Effect.orDie(Mac.key(Mac.hmacSha256, key))
    const text = encoder.encode(Redacted.value(value))
    const fingerprint = Hex.encode(yield* Effect.orDie(mac.sign(hmacKey, text)))
    return { ...secret, fingerprint, sealed }
  })

  const open = (vault: VaultId, secret: StoredSecret) =>
    sealer.unseal(secret.sealed, toSealContext(vault, secret)).pipe(
      Effect.mapError(
        ({ keyId }) => new SecretUnreadable({ name: secret.name, sealedUnder: keyId })
      ),
      Effect.tapError(({ name, sealedUnder }) =>
        Effect.logError(
          `secret ${name} of vault ${vault} cannot be unsealed with key ${sealedUnder}`
        )
      )
    )

  /** Skips rows that were removed or replaced since they were read. */
  const resealOne = Effect.fnUntraced(function* ({ secret, vault }: OwnedSecret) {
    const { name, sealed } = secret
    const after = yield* sealer.seal(yield* open(vault, secret), toSealContext(vault, secret))
    const owner = yield* store.find(vault)
    if (owner === undefined) return 0
    return yield* audit.change(
      { account: owner.account },
      "vault.secret.reseal",
      Effect.map(
        store.reseal(vault, name, sealed, after),
        toResealChange(vault, sealed, after, { name })
      )
    )
  })

  const resealKey = Effect.fnUntraced(function* ({ key, vault }: OwnedKey) {
    const sealContext = toKeySealContext(vault)
    const after = yield* sealer.seal(yield* sealer.unseal(key, sealContext), sealContext)
    return (yield* store.compareAndSetKey(vault, key, after)) ? 1 : 0
  })

  return {
    /** The sealed secret, with its fingerprint by a key of the vault. */
    seal,
    open,
    sealKey: (vault: VaultId, key: Uint8Array) =>
      Effect.mapError(
        sealer.seal(Redacted.make(Base64Url.encode(key)), toKeySealContext(vault)),
        toNoSealingKey
      ),
    openKey: (vault: VaultId, key: SealedSecret) =>
      Effect.map(sealer.unseal(key, toKeySealContext(vault)), (text) =>
        Result.getOrThrow(Base64Url.decode(Redacted.value(text)))
      ),
    /** Seals everything that is sealed under an older key under the current one; returns the count. */
    reseal: Effect.zipWith(
      resealAll({
        sealer,
        page: store.listKeysToReseal,
        reseal: resealKey,
        describeRow: ({ vault }) => `the key of vault ${vault}`
      }),
      resealAll({
        sealer,
        page: store.listToReseal,
        reseal: resealOne,
        describeRow: ({ secret, vault }) => `secret ${secret.name} of vault ${vault}`
      }),
      (keys, secrets) => keys + secrets
    )
  }
})

const encoder = new TextEncoder()

/** Binds the seal to vault, name and hosts, so that altering rows cannot send a secret elsewhere. */
const toSealContext = (vault: VaultId, { hosts, name }: Secret): ReadonlyArray<string> => [
  "vault",
  vault,
  name,
  ...(hosts ?? [])
]

/** Differs from every context of a secret, which has a name. */
const toKeySealContext = (vault: VaultId): ReadonlyArray<string> => ["vault", vault]

const toNoSealingKey = toSealingProblem(["value"])
