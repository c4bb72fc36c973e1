/** Keeps secrets for interns, and releases them to the hosts they are for, and to no other. */
import * as Context from "effect/Context"
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
import { Atomically } from "../Atomically.ts"
import type { Caller } from "../auth/Caller.ts"
import { Audit, targetUnlessSame } from "../observability/Audit.ts"
import { resealing } from "../secrets/resealing.ts"
import { type Sealed, Sealing } from "../secrets/Sealing.ts"
import { derivedId } from "../values/derivedId.ts"
import type { Page } from "../values/Page.ts"
import { InvalidRequest, Missing } from "../values/RequestErrors.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { hostName } from "./hostName.ts"
import { isSecretName } from "./isSecretName.ts"
import { type KeptSecret, type Secret, toldSecret } from "./Secret.ts"
import { longestValue, mostHosts } from "./SecretWrite.ts"
import type { Vault } from "./Vault.ts"
import { SecretUnbound, SecretUnreadable, VaultClosed } from "./VaultErrors.ts"
import * as VaultId from "./VaultId.ts"
import { type OwnedKey, type OwnedSecret, type PutSecret, VaultStore } from "./VaultStore.ts"
import { quotasOf } from "../workspaces/quotas.ts"
import { Settings } from "../Settings.ts"
import { type QuotaExceeded, withinQuota } from "../values/withinQuota.ts"

/** A vault of another workspace than the caller's is like one that was never there. */
export class Vaults extends Context.Service<
  Vaults,
  {
    /** The id of the vault of the caller's workspace, which is there before anything is put into it. */
    readonly ofWorkspace: (caller: VaultCaller) => Effect.Effect<VaultId.VaultId>
    /**
     * Opens the private vault of an intern in the caller's workspace, empty; inside the change that makes
     * the intern, which holds the workspace and is what the audit log tells of.
     */
    readonly openFor: (caller: VaultCaller, internId: string) => Effect.Effect<Vault>
    /** Closes a vault with all its secrets, of which the audit log tells; nothing when it is closed. */
    readonly close: (caller: VaultCaller, id: string) => Effect.Effect<void>
    /** By name, without their values. */
    readonly list: (caller: VaultCaller, id: string, page: Page) => Effect.Effect<Secrets, Missing>
    /** Creates a secret or replaces the one of its name; refused where nothing can be sealed. */
    readonly put: (
      caller: VaultCaller,
      id: string,
      name: string,
      secret: NewSecret
    ) => Effect.Effect<Secret, InvalidRequest | Missing | VaultClosed | QuotaExceeded>
    readonly remove: (
      caller: VaultCaller,
      id: string,
      name: string
    ) => Effect.Effect<void, InvalidRequest | Missing>
    /** Puts these secrets of one vault into another one too: all of them, in this order, or none. */
    readonly copy: (
      caller: VaultCaller,
      from: string,
      to: string,
      names: ReadonlyArray<string>
    ) => Effect.Effect<
      ReadonlyArray<Secret>,
      InvalidRequest | Missing | SecretUnbound | SecretUnreadable | VaultClosed | QuotaExceeded
    >
    /**
     * The values a request to `host` may carry: of the secrets that name exactly this host. Case and a
     * trailing dot do not matter; anything else that is no plain host name gets nothing. Of equal names
     * the vault that is named first wins: an intern's own before a borrowed one.
     */
    readonly release: (
      ids: ReadonlyArray<string>,
      host: string
    ) => Effect.Effect<ReadonlyArray<ReleasedSecret>, SecretUnreadable>
    /** Seals everything under the current key that is sealed under another one; how many there were. */
    readonly reseal: Effect.Effect<number>
  }
>()("@signalbox/core/vaults/Vaults") {
  static readonly layer: Layer.Layer<
    Vaults,
    never,
    Atomically | Audit | Digest.Digest | Sealing | VaultStore | Workspaces
  > = Layer.effect(
    Vaults,
    Effect.gen(function* () {
      const { atomically } = yield* Atomically
      const audit = yield* Audit
      const digest = yield* Digest.Digest
      const mac = yield* Mac.Mac
      const sealing = yield* Sealing
      const store = yield* VaultStore
      const workspaces = yield* Workspaces
      const quotas = quotasOf(yield* Settings)
      const now = Effect.map(DateTime.now, DateTime.formatIso)

      const ofWorkspace = ({ account, workspace }: VaultCaller) =>
        Effect.map(derivedId(digest, ["vault", account, workspace]), (id) =>
          VaultId.VaultId.make(id)
        )

      /** The vault if the caller may know of it; that of its workspace whether it was opened or not. */
      const reach = Effect.fnUntraced(function* (caller: VaultCaller, id: string) {
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

      /** Inside a change. Who puts holds the workspace, so that nothing is put into one that is gone. */
      const enter = Effect.fnUntraced(function* (caller: VaultCaller, vault: Vault) {
        yield* Effect.mapError(workspaces.hold(caller, vault.workspace), (missing) =>
          vault.intern === null ? missing : new VaultClosed()
        )
        // That of the workspace is there as soon as somebody needs it.
        if (vault.intern === null) yield* store.open(vault)
      })

      const openKey = (id: VaultId.VaultId, key: Sealed) =>
        Effect.map(sealing.open(key, placeOfKey(id)), (text) =>
          Result.getOrThrow(Base64Url.decode(Redacted.value(text)))
        )

      /**
       * What the fingerprints of a vault are made with: drawn when it is first needed, and kept sealed, so that
       * a fingerprint outlives the key of the host. One that does not open any more is replaced.
       */
      const keyOf: (
        caller: VaultCaller,
        vault: Vault
      ) => Effect.Effect<Uint8Array, InvalidRequest | Missing | VaultClosed> = Effect.fnUntraced(
        function* (caller, vault) {
          const found = yield* store.findKey(vault.id)
          const known =
            found === undefined ? undefined : yield* Effect.option(openKey(vault.id, found))
          if (known !== undefined && Option.isSome(known)) return known.value
          if (found !== undefined) {
            yield* Effect.logError(
              `the key of vault ${vault.id} does not open under ${found.keyId}; its fingerprints start anew`
            )
          }
          const drawn = SecureRandom.randomBytesUnsafe(32)
          const sealed = yield* Effect.mapError(
            sealing.seal(Redacted.make(Base64Url.encode(drawn)), placeOfKey(vault.id)),
            notSealed
          )
          const isKept = yield* atomically(
            Effect.andThen(enter(caller, vault), store.swapKey(vault.id, found, sealed))
          )
          if (isKept) return drawn
          // Somebody else was faster, or the vault is closed.
          if ((yield* store.find(vault.id)) === undefined) return yield* new VaultClosed()
          return yield* keyOf(caller, vault)
        }
      )

      const seal = Effect.fnUntraced(function* (
        key: Uint8Array,
        vault: VaultId.VaultId,
        secret: Secret,
        value: Redacted.Redacted
      ) {
        const sealed = yield* Effect.mapError(
          sealing.seal(value, placeOf(vault, secret)),
          notSealed
        )
        if (secret.hosts === null) return { ...secret, sealed }
        const mark = yield* Effect.orDie(Mac.key(Mac.hmacSha256, key))
        const text = encoder.encode(Redacted.value(value))
        const fingerprint = Hex.encode(yield* Effect.orDie(mac.sign(mark, text)))
        return { ...secret, fingerprint, sealed }
      })

      const open = (vault: VaultId.VaultId, secret: KeptSecret) =>
        sealing.open(secret.sealed, placeOf(vault, secret)).pipe(
          Effect.mapError(
            ({ keyId }) => new SecretUnreadable({ name: secret.name, sealedUnder: keyId })
          ),
          Effect.tapError(({ name, sealedUnder }) =>
            Effect.logError(`secret ${name} of vault ${vault} does not open under ${sealedUnder}`)
          )
        )

      const putAll = Effect.fnUntraced(function* (
        caller: VaultCaller,
        vault: Vault,
        secrets: ReadonlyArray<KeptSecret>
      ) {
        yield* enter(caller, vault)
        const { account, workspace } = vault
        const put = yield* withinQuota(
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

      const closeOne = (caller: VaultCaller, id: VaultId.VaultId) =>
        audit.change(
          caller,
          "vault.close",
          Effect.map(store.close(id), (closed) => ({
            result: undefined,
            target: closed === undefined || closed.secrets.length === 0 ? undefined : id,
            before: closed?.secrets.map(toldSecret)
          }))
        )

      /** Rows that are not there any more, or whose secret was replaced meanwhile, are left alone. */
      const resealOne = Effect.fnUntraced(function* ({ secret, vault }: OwnedSecret) {
        const { name, sealed } = secret
        const after = yield* sealing.seal(yield* open(vault, secret), placeOf(vault, secret))
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
        const place = placeOfKey(vault)
        const after = yield* sealing.seal(yield* sealing.open(key, place), place)
        return (yield* store.swapKey(vault, key, after)) ? 1 : 0
      })

      yield* workspaces.whenRemoved(
        Effect.fnUntraced(function* (actor, workspace) {
          const vaults = yield* store.ofWorkspace(actor.account, workspace)
          for (const { id } of vaults) yield* closeOne({ ...actor, workspace }, id)
          return Effect.void
        })
      )

      return {
        ofWorkspace,
        openFor: Effect.fnUntraced(function* ({ account, workspace }, intern) {
          const vault: Vault = { id: yield* VaultId.next, account, workspace, intern }
          yield* store.open(vault)
          return vault
        }),
        close: Effect.fnUntraced(function* (caller, id) {
          const vault = yield* reach(caller, id)
          if (vault !== undefined) yield* closeOne(caller, vault.id)
        }),
        list: Effect.fnUntraced(function* (caller, id, page) {
          const vault = yield* reach(caller, id)
          if (vault === undefined) return yield* new Missing({ what: "vault", id })
          const { hasMore, rows } = yield* store.list(vault.id, page)
          return { rows: rows.map(toldSecret), hasMore }
        }),
        put: Effect.fnUntraced(function* (caller, id, name, { hosts, value }) {
          yield* checkName(name)
          yield* checkValue(value)
          const bound = hosts === null ? null : yield* Effect.fromResult(hostsOf(hosts))
          const vault = yield* reach(caller, id)
          if (vault === undefined) return yield* new VaultClosed()
          const key = yield* keyOf(caller, vault)
          const told = { created_at: yield* now, fingerprint: null, hosts: bound, name }
          const secret = yield* seal(key, vault.id, told, value)
          return yield* audit.change(
            caller,
            "vault.secret.put",
            Effect.map(putAll(caller, vault, [secret]), (put) => {
              const [done = { before: undefined, after: secret }] = put
              return { ...changed(done, vault.id), result: toldSecret(done.after) }
            })
          )
        }),
        remove: Effect.fnUntraced(function* (caller, id, name) {
          yield* checkName(name)
          const vault = yield* reach(caller, id)
          if (vault === undefined) return yield* new Missing({ what: "vault", id })
          const removed = yield* audit.change(
            caller,
            "vault.secret.delete",
            Effect.map(store.remove(vault.id, name), (before) => ({
              result: before,
              target: before === undefined ? undefined : id,
              before: before === undefined ? undefined : toldSecret(before)
            }))
          )
          if (removed === undefined) return yield* new Missing({ what: "secret", id: name })
        }),
        copy: Effect.fnUntraced(function* (caller, from, to, names) {
          const source = yield* reach(caller, from)
          if (source === undefined) return yield* new Missing({ what: "vault", id: from })
          const target = yield* reach(caller, to)
          if (target === undefined) return yield* new VaultClosed()
          const found = new Map(
            (yield* store.get(source.id, names)).map((secret) => [secret.name, secret])
          )
          const copies: Array<KeptSecret> = []
          // What is missing is told before what may not be copied.
          for (const name of names) {
            if (!found.has(name)) return yield* new Missing({ what: `secret as ${name}`, id: name })
          }
          for (const secret of found.values()) {
            if (secret.hosts === null) return yield* new SecretUnbound({ name: secret.name })
          }
          const key = yield* keyOf(caller, target)
          const created_at = yield* now
          for (const name of new Set(names)) {
            const secret = found.get(name)
            if (secret === undefined) continue
            const told = { ...toldSecret(secret), created_at }
            copies.push(yield* seal(key, target.id, told, yield* open(source.id, secret)))
          }
          return yield* audit.change(
            caller,
            "vault.secret.copy",
            Effect.map(putAll(caller, target, copies), (put) => ({
              result: put.map(({ after }) => toldSecret(after)),
              target: to,
              before: put.flatMap(({ before }) =>
                before === undefined ? [] : [toldSecret(before)]
              ),
              after: { from, secrets: put.map(({ after }) => toldSecret(after)) }
            }))
          )
        }),
        release: Effect.fnUntraced(function* (ids, host) {
          const name = Result.getOrUndefined(hostName(host))
          if (name === undefined) return nothing
          const rows = yield* store.secretsOf(ids.filter(VaultId.is), name)
          const released = new Map<string, ReleasedSecret>()
          for (const id of ids) {
            for (const { secret, vault } of rows) {
              if (vault !== id || released.has(secret.name)) continue
              // The seal holds the hosts: an altered row does not open.
              if (secret.hosts?.includes(name) !== true) continue
              released.set(secret.name, { name: secret.name, value: yield* open(vault, secret) })
            }
          }
          return Array.from(released.values())
        }),
        reseal: Effect.gen(function* () {
          const { current } = sealing
          if (current === undefined) return 0
          const keys = yield* resealing({
            page: (after: OwnedKey | undefined, limit) =>
              store.keysSealedOtherwise(current, after, limit),
            reseal: resealKey,
            nameOf: ({ vault }) => `the key of vault ${vault}`
          })
          const secrets = yield* resealing({
            page: (after: OwnedSecret | undefined, limit) =>
              store.sealedOtherwise(current, after, limit),
            reseal: resealOne,
            nameOf: ({ secret, vault }) => `secret ${secret.name} of vault ${vault}`
          })
          return keys + secrets
        })
      }
    })
  ).pipe(Layer.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))))
}

/** What vaults need to know of a caller. */
export type VaultCaller = Pick<Caller, "account" | "keyHash" | "user" | "workspace">

/** A secret to put into a vault. */
export interface NewSecret {
  /** 1 to 65,536 characters. */
  readonly value: Redacted.Redacted
  /** 1 to 100 exact host names; null: it is kept, released to nobody, and not copied. */
  readonly hosts: ReadonlyArray<string> | null
}

/** A page of secrets, without their values. */
export interface Secrets {
  readonly rows: ReadonlyArray<Secret>
  readonly hasMore: boolean
}

/** A secret that a request may carry, with its value. */
export interface ReleasedSecret {
  readonly name: string
  readonly value: Redacted.Redacted
}

const nothing: ReadonlyArray<ReleasedSecret> = []

const encoder = new TextEncoder()

/**
 * A secret opens in its own vault, by its own name, for its own hosts: nobody who can write rows can have it
 * sent elsewhere.
 */
const placeOf = (vault: VaultId.VaultId, { hosts, name }: Secret): ReadonlyArray<string> => [
  "vault",
  vault,
  name,
  ...(hosts ?? [])
]

/** No secret stands there: it would have a name. */
const placeOfKey = (vault: VaultId.VaultId): ReadonlyArray<string> => ["vault", vault]

/** What is told of a put: a value that was replaced by itself changes nothing. */
const changed = ({ after, before }: PutSecret, vault: VaultId.VaultId) => {
  const [was, is] = [before === undefined ? undefined : toldSecret(before), toldSecret(after)]
  return {
    target: targetUnlessSame(vault, was, is),
    ...(was === undefined ? undefined : { before: was }),
    after: is
  }
}

const checkName = (name: string): Effect.Effect<void, InvalidRequest> =>
  isSecretName(name)
    ? Effect.void
    : invalid(
        ["name"],
        "must have 1 to 255 lower-case letters, digits and single underscores between them, a letter first"
      )

const checkValue = (value: Redacted.Redacted): Effect.Effect<void, InvalidRequest> => {
  const text = Redacted.value(value)
  if (text.length < 1 || text.length > longestValue) {
    return invalid(["value"], `must have 1 to ${longestValue} characters`)
  }
  // It could not be handed out as it came.
  return text.isWellFormed() ? Effect.void : invalid(["value"], "must be well-formed Unicode")
}

const hostsOf = (
  hosts: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, InvalidRequest> => {
  if (hosts.length < 1 || hosts.length > mostHosts) {
    return Result.fail(
      new InvalidRequest({ path: ["hosts"], problem: `must name 1 to ${mostHosts} hosts` })
    )
  }
  const names = new Set<string>()
  for (const [index, host] of hosts.entries()) {
    const name = hostName(host)
    if (Result.isFailure(name)) {
      return Result.fail(new InvalidRequest({ path: ["hosts", index], problem: name.failure }))
    }
    names.add(name.success)
  }
  return Result.succeed(Array.from(names))
}

const invalid = (path: ReadonlyArray<string>, problem: string) =>
  Effect.fail(new InvalidRequest({ path, problem }))

const notSealed = (): InvalidRequest =>
  new InvalidRequest({
    path: ["value"],
    problem: "cannot be kept: this service has no key to seal it with; set the option `sealing`"
  })
