/** Manages the secrets of interns, and releases each to the hosts it is bound to. */
import * as Digest from "effect/crypto/Digest"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { Transaction } from "../../instance/Transaction.ts"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import { deriveId } from "../../values/ids/generateId.ts"
import { type InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { checkName, checkValue, parseHostName, parseHosts } from "./checkSecret.ts"
import { SecretUnbound, type Vault, VaultClosed } from "./Vault.ts"
import type { Secret } from "./Secret.ts"
import * as VaultId from "./VaultId.ts"
import { makeVaultSeals } from "./VaultSeals.ts"
import { type SecretPutResult, type StoredSecret, VaultStore } from "./VaultStore.ts"
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
    const seals = yield* makeVaultSeals
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
          found === undefined ? undefined : yield* Effect.option(seals.openKey(vault.id, found))
        if (known !== undefined && Option.isSome(known)) return known.value
        if (found !== undefined) {
          yield* Effect.logError(
            `the fingerprint key of vault ${vault.id} cannot be unsealed with key ${found.keyId}: a new one is generated`
          )
        }
        const generated = SecureRandom.randomBytesUnsafe(32)
        const sealed = yield* seals.sealKey(vault.id, generated)
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
        const secret = yield* seals.seal(key, vault.id, metadata, value)
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
          copies.push(
            yield* seals.seal(key, target.id, metadata, yield* seals.open(source.id, secret))
          )
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
            released.set(secret.name, {
              name: secret.name,
              value: yield* seals.open(vault, secret)
            })
          }
        }
        return Array.from(released.values())
      }),
      reseal: seals.reseal
    }
  })
).pipe(Layer.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))))

const noSecrets: ReadonlyArray<ReleasedSecret> = []

/** Replacing a secret by an equal one is not audited. */
const toAuditChange = ({ after, before }: SecretPutResult, vault: VaultId.VaultId) => {
  const [was, is] = [before === undefined ? undefined : toSecret(before), toSecret(after)]
  return {
    target: findChangedTarget(vault, was, is),
    ...(was === undefined ? undefined : { before: was }),
    after: is
  }
}

const toSecret = (stored: StoredSecret): Secret => Struct.omit(stored, ["sealed"])
