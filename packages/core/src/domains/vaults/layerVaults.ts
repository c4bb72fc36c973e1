/** Manages the secrets of interns, and releases each to the hosts it is bound to. */
import * as Digest from "effect/crypto/Digest"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Transaction } from "../../instance/Transaction.ts"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import { resealAll } from "../../engine/secrets/resealAll.ts"
import { type SealedSecret } from "../../engine/secrets/SealedSecret.ts"
import { Sealer } from "../../engine/secrets/Sealer.ts"
import { deriveId } from "../../values/ids/deriveId.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { parseHostName } from "./parseHostName.ts"
import { SecretUnbound, SecretUnreadable, type Vault, VaultClosed } from "./Vault.ts"
import { type Secret, type StoredSecret, maxHosts, maxValueLength, toSecret } from "./Secret.ts"
import * as VaultId from "./VaultId.ts"
import { type OwnedKey, type OwnedSecret, type SecretPutResult, VaultStore } from "./VaultStore.ts"
import { toQuotas } from "../../tenants/workspaces/quotas.ts"
import { Settings } from "../../instance/Settings.ts"
import { enforceQuota } from "../../values/enforceQuota.ts"
import { Vaults, type VaultCaller, type ReleasedSecret } from "./Vaults.ts"

export const layerVaults = Layer.effect(
  Vaults,
  Effect.gen(function* () {
    const { withTransaction } = yield* Transaction
    const audit = yield* Audit
    const digest = yield* Digest.Digest
    const mac = yield* Mac.Mac
    const sealing = yield* Sealer
    const store = yield* VaultStore
    const workspaces = yield* Workspaces
    const quotas = toQuotas(yield* Settings)
    const now = Effect.map(DateTime.now, DateTime.formatIso)

    const ofWorkspace = ({ account, workspace }: VaultCaller) =>
      Effect.map(deriveId(digest, ["vault", account, workspace]), (id) => VaultId.VaultId.make(id))

    /** The vault of a workspace exists for callers even before it is opened. */
    const findVault = Effect.fnUntraced(function* (caller: VaultCaller, id: string) {
      if (!VaultId.is(id)) return undefined
      const { account, workspace } = caller
      const found = yield* store.find(id)
      if (found === undefined) {
        return id === (yield* ofWorkspace(caller))
          ? { id, account, workspace, intern: null }
          : undefined
      }
      return found.account === account && found.workspace === workspace ? found : undefined
    })

    /** Locks the workspace, so that no secret is stored in a deleted one. Runs in a transaction. */
    const lockForWrite = Effect.fnUntraced(function* (caller: VaultCaller, vault: Vault) {
      yield* Effect.mapError(workspaces.hold(caller, vault.workspace), (missing) =>
        vault.intern === null ? missing : new VaultClosed()
      )
      // The vault of a workspace is opened at its first use.
      if (vault.intern === null) yield* store.open(vault)
    })

    const unsealKey = (id: VaultId.VaultId, key: SealedSecret) =>
      Effect.map(sealing.unseal(key, toKeySealContext(id)), (text) =>
        Result.getOrThrow(Base64Url.decode(Redacted.value(text)))
      )

    /**
     * The key is random and stored sealed, so that fingerprints survive a rotation of the sealing key. A key that
     * cannot be unsealed is replaced.
     */
    const getFingerprintKey: (
      caller: VaultCaller,
      vault: Vault
    ) => Effect.Effect<Uint8Array, InvalidRequest | ResourceNotFound | VaultClosed> =
      Effect.fnUntraced(function* (caller, vault) {
        const found = yield* store.findKey(vault.id)
        const known =
          found === undefined ? undefined : yield* Effect.option(unsealKey(vault.id, found))
        if (known !== undefined && Option.isSome(known)) return known.value
        if (found !== undefined) {
          yield* Effect.logError(
            `the fingerprint key of vault ${vault.id} cannot be unsealed with key ${found.keyId}: a new one is generated`
          )
        }
        const generated = SecureRandom.randomBytesUnsafe(32)
        const sealed = yield* Effect.mapError(
          sealing.seal(Redacted.make(Base64Url.encode(generated)), toKeySealContext(vault.id)),
          toNoSealingKey
        )
        const isStored = yield* withTransaction(
          Effect.andThen(
            lockForWrite(caller, vault),
            store.compareAndSetKey(vault.id, found, sealed)
          )
        )
        if (isStored) return generated
        // A concurrent writer stored a key, or the vault is closed.
        if ((yield* store.find(vault.id)) === undefined) return yield* new VaultClosed()
        return yield* getFingerprintKey(caller, vault)
      })

    const seal = Effect.fnUntraced(function* (
      key: Uint8Array,
      vault: VaultId.VaultId,
      secret: Secret,
      value: Redacted.Redacted
    ) {
      const sealed = yield* Effect.mapError(
        sealing.seal(value, toSealContext(vault, secret)),
        toNoSealingKey
      )
      if (secret.hosts === null) return { ...secret, sealed }
      const hmacKey = yield* Effect.orDie(Mac.key(Mac.hmacSha256, key))
      const text = encoder.encode(Redacted.value(value))
      const fingerprint = Hex.encode(yield* Effect.orDie(mac.sign(hmacKey, text)))
      return { ...secret, fingerprint, sealed }
    })

    const open = (vault: VaultId.VaultId, secret: StoredSecret) =>
      sealing.unseal(secret.sealed, toSealContext(vault, secret)).pipe(
        Effect.mapError(
          ({ keyId }) => new SecretUnreadable({ name: secret.name, sealedUnder: keyId })
        ),
        Effect.tapError(({ name, sealedUnder }) =>
          Effect.logError(
            `secret ${name} of vault ${vault} cannot be unsealed with key ${sealedUnder}`
          )
        )
      )

    const putSecrets = Effect.fnUntraced(function* (
      caller: VaultCaller,
      vault: Vault,
      secrets: ReadonlyArray<StoredSecret>
    ) {
      yield* lockForWrite(caller, vault)
      const { account, workspace } = vault
      const put = yield* enforceQuota(
        quotas.secrets,
        (within) => store.count(account, within),
        store.put(vault.id, secrets),
        {
          added: (all = []) => all.filter(({ before }) => before === undefined).length,
          within: workspace
        }
      )
      return put ?? (yield* new VaultClosed())
    })

    const closeVault = (caller: VaultCaller, id: VaultId.VaultId) =>
      audit.change(
        caller,
        "vault.close",
        Effect.map(store.close(id), (closed) => ({
          result: undefined,
          target: closed === undefined || closed.secrets.length === 0 ? undefined : id,
          before: closed?.secrets.map(toSecret)
        }))
      )

    /** Skips rows that were removed or replaced since they were read. */
    const resealOne = Effect.fnUntraced(function* ({ secret, vault }: OwnedSecret) {
      const { name, sealed } = secret
      const after = yield* sealing.seal(yield* open(vault, secret), toSealContext(vault, secret))
      const owner = yield* store.find(vault)
      if (owner === undefined) return 0
      return yield* audit.change(
        { account: owner.account },
        "vault.secret.reseal",
        Effect.map(store.reseal(vault, name, sealed, after), (done) => ({
          result: done ? 1 : 0,
          target: done ? vault : undefined,
          before: { name, sealed_under: sealed.keyId },
          after: { name, sealed_under: after.keyId }
        }))
      )
    })

    const resealKey = Effect.fnUntraced(function* ({ key, vault }: OwnedKey) {
      const sealContext = toKeySealContext(vault)
      const after = yield* sealing.seal(yield* sealing.unseal(key, sealContext), sealContext)
      return (yield* store.compareAndSetKey(vault, key, after)) ? 1 : 0
    })

    yield* workspaces.onWorkspaceDelete(
      Effect.fnUntraced(function* (actor, workspace) {
        const vaults = yield* store.listByWorkspace(actor.account, workspace)
        for (const { id } of vaults) yield* closeVault({ ...actor, workspace }, id)
        return Effect.void
      })
    )

    return {
      ofWorkspace,
      openForIntern: Effect.fnUntraced(function* ({ account, workspace }, intern) {
        const vault: Vault = { id: yield* VaultId.next, account, workspace, intern }
        yield* store.open(vault)
        return vault
      }),
      close: Effect.fnUntraced(function* (caller, id) {
        const vault = yield* findVault(caller, id)
        if (vault !== undefined) yield* closeVault(caller, vault.id)
      }),
      list: Effect.fnUntraced(function* (caller, id, page) {
        const vault = yield* findVault(caller, id)
        if (vault === undefined) return yield* new ResourceNotFound({ resource: "vault", id })
        const { hasMore, rows } = yield* store.list(vault.id, page)
        return { rows: rows.map(toSecret), hasMore }
      }),
      put: Effect.fnUntraced(function* (caller, id, name, { hosts, value }) {
        yield* checkName(name)
        yield* checkValue(value)
        const bound = hosts === null ? null : yield* Effect.fromResult(parseHosts(hosts))
        const vault = yield* findVault(caller, id)
        if (vault === undefined) return yield* new VaultClosed()
        const key = yield* getFingerprintKey(caller, vault)
        const metadata = { created_at: yield* now, fingerprint: null, hosts: bound, name }
        const secret = yield* seal(key, vault.id, metadata, value)
        return yield* audit.change(
          caller,
          "vault.secret.put",
          Effect.map(putSecrets(caller, vault, [secret]), (put) => {
            const [done = { before: undefined, after: secret }] = put
            return { ...toAuditChange(done, vault.id), result: toSecret(done.after) }
          })
        )
      }),
      remove: Effect.fnUntraced(function* (caller, id, name) {
        yield* checkName(name)
        const vault = yield* findVault(caller, id)
        if (vault === undefined) return yield* new ResourceNotFound({ resource: "vault", id })
        const removed = yield* audit.change(
          caller,
          "vault.secret.delete",
          Effect.map(store.remove(vault.id, name), (before) => ({
            result: before,
            target: before === undefined ? undefined : id,
            before: before === undefined ? undefined : toSecret(before)
          }))
        )
        if (removed === undefined)
          return yield* new ResourceNotFound({ resource: "secret", id: name })
      }),
      copy: Effect.fnUntraced(function* (caller, from, to, names) {
        const source = yield* findVault(caller, from)
        if (source === undefined)
          return yield* new ResourceNotFound({ resource: "vault", id: from })
        const target = yield* findVault(caller, to)
        if (target === undefined) return yield* new VaultClosed()
        const found = new Map(
          (yield* store.findByNames(source.id, names)).map((secret) => [secret.name, secret])
        )
        const copies: Array<StoredSecret> = []
        // A missing secret is reported before one that cannot be copied.
        for (const name of names) {
          if (!found.has(name))
            return yield* new ResourceNotFound({ resource: `secret as ${name}`, id: name })
        }
        for (const secret of found.values()) {
          if (secret.hosts === null) return yield* new SecretUnbound({ name: secret.name })
        }
        const key = yield* getFingerprintKey(caller, target)
        const created_at = yield* now
        for (const name of new Set(names)) {
          const secret = found.get(name)
          if (secret === undefined) continue
          const metadata = { ...toSecret(secret), created_at }
          copies.push(yield* seal(key, target.id, metadata, yield* open(source.id, secret)))
        }
        return yield* audit.change(
          caller,
          "vault.secret.copy",
          Effect.map(putSecrets(caller, target, copies), (put) => ({
            result: put.map(({ after }) => toSecret(after)),
            target: to,
            before: put.flatMap(({ before }) => (before === undefined ? [] : [toSecret(before)])),
            after: { from, secrets: put.map(({ after }) => toSecret(after)) }
          }))
        )
      }),
      release: Effect.fnUntraced(function* (ids, host) {
        const name = Result.getOrUndefined(parseHostName(host))
        if (name === undefined) return noSecrets
        const rows = yield* store.listByHost(ids.filter(VaultId.is), name)
        const released = new Map<string, ReleasedSecret>()
        for (const id of ids) {
          for (const { secret, vault } of rows) {
            if (vault !== id || released.has(secret.name)) continue
            // The seal covers the hosts, so an altered row cannot be unsealed.
            if (secret.hosts?.includes(name) !== true) continue
            released.set(secret.name, { name: secret.name, value: yield* open(vault, secret) })
          }
        }
        return Array.from(released.values())
      }),
      reseal: Effect.zipWith(
        resealAll({
          sealer: sealing,
          page: store.listKeysToReseal,
          reseal: resealKey,
          describeRow: ({ vault }) => `the key of vault ${vault}`
        }),
        resealAll({
          sealer: sealing,
          page: store.listToReseal,
          reseal: resealOne,
          describeRow: ({ secret, vault }) => `secret ${secret.name} of vault ${vault}`
        }),
        (keys, secrets) => keys + secrets
      )
    }
  })
).pipe(Layer.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))))

const noSecrets: ReadonlyArray<ReleasedSecret> = []

const encoder = new TextEncoder()

/** Binds the seal to vault, name and hosts, so that altering rows cannot send a secret elsewhere. */
const toSealContext = (vault: VaultId.VaultId, { hosts, name }: Secret): ReadonlyArray<string> => [
  "vault",
  vault,
  name,
  ...(hosts ?? [])
]

/** Differs from every context of a secret, which has a name. */
const toKeySealContext = (vault: VaultId.VaultId): ReadonlyArray<string> => ["vault", vault]

/** Replacing a secret by an equal one is not audited. */
const toAuditChange = ({ after, before }: SecretPutResult, vault: VaultId.VaultId) => {
  const [was, is] = [before === undefined ? undefined : toSecret(before), toSecret(after)]
  return {
    target: findChangedTarget(vault, was, is),
    ...(was === undefined ? undefined : { before: was }),
    after: is
  }
}

const checkName = (name: string): Effect.Effect<void, InvalidRequest> =>
  isSecretName(name)
    ? Effect.void
    : failInvalid(
        ["name"],
        "must have 1 to 255 lower-case letters, digits and single underscores between them, a letter first"
      )

const checkValue = (value: Redacted.Redacted): Effect.Effect<void, InvalidRequest> => {
  const text = Redacted.value(value)
  if (text.length < 1 || text.length > maxValueLength) {
    return failInvalid(["value"], `must have 1 to ${maxValueLength} characters`)
  }
  // Encoding as UTF-8 would change the value.
  return text.isWellFormed() ? Effect.void : failInvalid(["value"], "must be well-formed Unicode")
}

const parseHosts = (
  hosts: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, InvalidRequest> => {
  if (hosts.length < 1 || hosts.length > maxHosts) {
    return Result.fail(
      new InvalidRequest({ path: ["hosts"], problem: `must name 1 to ${maxHosts} hosts` })
    )
  }
  const names = new Set<string>()
  for (const [index, host] of hosts.entries()) {
    const name = parseHostName(host)
    if (Result.isFailure(name)) {
      return Result.fail(new InvalidRequest({ path: ["hosts", index], problem: name.failure }))
    }
    names.add(name.success)
  }
  return Result.succeed(Array.from(names))
}

const failInvalid = (path: ReadonlyArray<string>, problem: string) =>
  Effect.fail(new InvalidRequest({ path, problem }))

const toNoSealingKey = (): InvalidRequest =>
  new InvalidRequest({
    path: ["value"],
    problem: "cannot be kept: this service has no key to seal it with; set the option `sealing`"
  })

export const isSecretName = (name: string): boolean => name.length <= 255 && namePattern.test(name)

const namePattern = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
