/** Makes, changes and finds API keys; every change is told of in the audit log. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Atomically } from "../Atomically.ts"
import { noSpend, type Spend, SpendCounters } from "../ledger/SpendCounters.ts"
import * as Subject from "../ledger/Subject.ts"
import { Audit, targetUnlessSame } from "../observability/Audit.ts"
import { hashKey } from "../secrets/hashKey.ts"
import { mask } from "../secrets/mask.ts"
import type { Actor } from "../values/Actor.ts"
import { KeyHash } from "../values/KeyHash.ts"
import type { Page, Paged } from "../values/Page.ts"
import { InvalidRequest, Missing } from "../values/RequestErrors.ts"
import { stamped } from "../values/stamped.ts"
import { UserId } from "../values/UserId.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import * as ApiKey from "./ApiKey.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { KnownKeys } from "./KnownKeys.ts"
import { newSecret } from "./newSecret.ts"
import { quotasOf } from "../workspaces/quotas.ts"
import { Settings } from "../Settings.ts"
import { type QuotaExceeded, withinQuota } from "../values/withinQuota.ts"

/** A key, and what was spent with it. */
export interface Accounted {
  readonly key: ApiKey.ApiKey
  readonly spend: Spend
}

/** A key with its secret, which nobody can be shown again. */
export interface Issued extends Accounted {
  readonly secret: Redacted.Redacted
}

/** Of the account of the actor: another account's key is as missing as an unknown one. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    readonly find: (actor: Actor, hash: string) => Effect.Effect<Accounted, Missing>
    /** Of one workspace, by id or slug, or of all; oldest first. */
    readonly list: (
      actor: Actor,
      asked: { readonly workspace: string | undefined; readonly includeDisabled: boolean },
      page: Page
    ) => Effect.Effect<Paged<Accounted>, InvalidRequest>
    /** Acts for the member named as its creator, by default for the one who makes it. */
    readonly create: (
      actor: Actor,
      config: ApiKey.NewKey
    ) => Effect.Effect<Issued, InvalidRequest | QuotaExceeded>
    readonly update: (
      actor: Actor,
      hash: string,
      patch: ApiKey.KeyPatch
    ) => Effect.Effect<Accounted, Missing>
    /** Beside what the host allows; null: that alone. */
    readonly limitRate: (
      actor: Actor,
      hash: string,
      rateLimit: ApiKey.KeyRateLimit | null
    ) => Effect.Effect<Accounted, Missing>
    /**
     * Puts another secret in. The one before opens the key for so many seconds more, or until the next
     * rotation.
     */
    readonly rotate: (
      actor: Actor,
      hash: string,
      graceSeconds: number
    ) => Effect.Effect<Issued, Missing>
    readonly remove: (actor: Actor, hash: string) => Effect.Effect<void, Missing>
    /** Whoever keeps things of keys says once how they go with them, inside the same transaction. */
    readonly whenRemoved: (
      follow: (actor: Actor, hashes: ReadonlyArray<KeyHash>) => Effect.Effect<void>
    ) => Effect.Effect<void>
  }
>()("@signalbox/core/auth/ApiKeys") {
  static readonly layer: Layer.Layer<
    ApiKeys,
    never,
    ApiKeyStore | Atomically | Audit | Digest.Digest | KnownKeys | SpendCounters | Workspaces
  > = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const audit = yield* Audit
      const { atomically } = yield* Atomically
      const counters = yield* SpendCounters
      const known = yield* KnownKeys
      const store = yield* ApiKeyStore
      const quotas = quotasOf(yield* Settings)
      const workspaces = yield* Workspaces
      const digest = yield* Digest.Digest
      const now = Effect.map(DateTime.now, DateTime.formatIso)
      const hashed = (secret: Redacted.Redacted) =>
        Effect.provideService(hashKey(secret), Digest.Digest, digest)

      const allAccounted = Effect.fnUntraced(function* (keys: ReadonlyArray<ApiKey.ApiKey>) {
        const subjects = keys.map(({ hash }) => Subject.ofKey(hash))
        const spends = yield* counters.of(subjects, yield* Clock.currentTimeMillis)
        return keys.map((key): Accounted => ({
          key,
          spend: spends.get(Subject.ofKey(key.hash)) ?? noSpend
        }))
      })
      const accounted = (key: ApiKey.ApiKey) =>
        Effect.map(allAccounted([key]), ([one = { key, spend: noSpend }]) => one)

      const issue = Effect.gen(function* () {
        const secret = yield* newSecret
        const opened: ApiKey.Opened = {
          secret_hash: yield* hashed(secret),
          label: mask(Redacted.value(secret))
        }
        return { secret, opened }
      })

      const change = Effect.fnUntraced(function* (
        actor: Actor,
        action: string,
        ref: string,
        patch: Partial<ApiKey.ApiKey>
      ) {
        const hash = yield* hashOf(ref)
        const at = yield* now
        const after = yield* audit.change(
          actor,
          action,
          Effect.gen(function* () {
            let before: ApiKey.ApiKey | undefined
            const after = yield* store.update(actor.account, hash, (key) => {
              before = key
              return stamped(key, { ...key, ...patch }, at)
            })
            if (before === undefined || after === undefined) return yield* missing(ref)
            const target = targetUnlessSame(hash, before, after)
            return { result: after, target, before: told(before), after: told(after) }
          })
        )
        yield* known.forget(after)
        return yield* accounted(after)
      }, Effect.uninterruptible)

      const followers: Array<Follow> = []

      /** Undefined when there is none. */
      const removeOne = (actor: Actor, hash: KeyHash) =>
        audit.change(
          actor,
          "key.delete",
          Effect.map(store.remove(actor.account, hash), (before) => ({
            result: before,
            target: before === undefined ? undefined : hash,
            before: before === undefined ? undefined : told(before)
          }))
        )

      const follow = (actor: Actor, hashes: ReadonlyArray<KeyHash>) =>
        Effect.forEach(followers, (each) => each(actor, hashes), { discard: true })

      yield* workspaces.whenRemoved(
        Effect.fnUntraced(function* (actor, workspace) {
          const { rows } = yield* store.list(
            actor.account,
            { workspace, includeDisabled: true },
            everything
          )
          // Those that administer do so for the account, wherever they were made.
          const hashes = rows.flatMap(({ hash, kind }) => (kind === "management" ? [] : [hash]))
          const removed = yield* Effect.forEach(hashes, (hash) => removeOne(actor, hash))
          yield* follow(actor, hashes)
          return known.forget(...removed.filter((key) => key !== undefined))
        })
      )

      return {
        whenRemoved: (added) => Effect.sync(() => void followers.push(added)),
        find: Effect.fnUntraced(function* (actor, ref) {
          const key = yield* store.find(actor.account, yield* hashOf(ref))
          return key === undefined ? yield* missing(ref) : yield* accounted(key)
        }),
        list: Effect.fnUntraced(function* (actor, { includeDisabled, workspace }, page) {
          const { rows, total } = yield* store.list(
            actor.account,
            {
              includeDisabled,
              ...(workspace === undefined
                ? undefined
                : { workspace: yield* workspaces.meant(actor, workspace) })
            },
            page
          )
          return { rows: yield* allAccounted(rows), total }
        }),
        create: Effect.fnUntraced(function* (actor, config) {
          const { creator_user_id, expires_at, external, workspace_id, ...stated } = config
          const at = yield* DateTime.now
          const expires =
            typeof expires_at === "string" ? DateTime.makeUnsafe(expires_at) : undefined
          if (expires !== undefined && DateTime.isLessThanOrEqualTo(expires, at)) {
            return yield* new InvalidRequest({
              path: ["expires_at"],
              problem: "must lie in the future"
            })
          }
          const user = creator_user_id === undefined ? actor.user : creator_user_id
          const { opened, secret } = yield* issue
          const external_key_hash =
            external?.api_key === undefined ? null : yield* hashed(external.api_key)
          const makeIn = (workspace: WorkspaceId) =>
            ApiKey.make(
              {
                account: actor.account,
                workspace,
                ...(typeof user === "string"
                  ? { kind: "member", user: UserId.make(user) }
                  : { kind: "organization" })
              },
              opened,
              DateTime.formatIso(at),
              {
                ...stated,
                expires_at: expires === undefined ? null : DateTime.formatIso(expires),
                external_user: external?.user ?? null,
                external_key_hash
              }
            )
          const key = yield* audit.change(
            actor,
            "key.create",
            Effect.gen(function* () {
              const key = makeIn(yield* workspaces.holdMeant(actor, workspace_id))
              yield* withinQuota(
                quotas.keys,
                (workspace) => store.count(actor.account, workspace),
                store.put(key),
                { within: key.workspace }
              )
              return { result: key, target: key.hash, after: told(key) }
            })
          )
          return { ...(yield* accounted(key)), secret }
        }, Effect.uninterruptible),
        update: (actor, hash, patch) => change(actor, "key.update", hash, patch),
        limitRate: (actor, hash, rate_limit) =>
          change(actor, "key.rate_limit", hash, { rate_limit }),
        rotate: Effect.fnUntraced(function* (actor, ref, graceSeconds) {
          const hash = yield* hashOf(ref)
          const { opened, secret } = yield* issue
          const at = yield* DateTime.now
          const graceEnds =
            graceSeconds === 0
              ? undefined
              : DateTime.formatIso(DateTime.add(at, { seconds: graceSeconds }))
          const { after, before } = yield* audit.change(
            actor,
            "key.rotate",
            Effect.gen(function* () {
              const rotated = yield* store.rotate(actor.account, hash, (key) =>
                ApiKey.rotated(key, opened, DateTime.formatIso(at), graceEnds)
              )
              if (rotated === undefined) return yield* missing(ref)
              const { after, before } = rotated
              return { result: rotated, target: hash, before: told(before), after: told(after) }
            })
          )
          yield* known.forget(before, after)
          return { ...(yield* accounted(after)), secret }
        }, Effect.uninterruptible),
        remove: Effect.fnUntraced(function* (actor, ref) {
          const hash = yield* hashOf(ref)
          const removed = yield* atomically(
            Effect.gen(function* () {
              const key = yield* removeOne(actor, hash)
              if (key === undefined) return yield* missing(ref)
              yield* follow(actor, [hash])
              return key
            })
          )
          yield* known.forget(removed)
        }, Effect.uninterruptible)
      }
    })
  )
}

type Follow = Parameters<ApiKeys["Service"]["whenRemoved"]>[0]

const everything: Page = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

/** What is no hash names no key. */
const hashOf = (ref: string): Effect.Effect<KeyHash, Missing> =>
  Schema.is(KeyHash)(ref) ? Effect.succeed(ref) : missing(ref)

const missing = (id: string): Effect.Effect<never, Missing> =>
  Effect.fail(new Missing({ what: "API key", id }))

/** For the audit log: without what tells of secrets. */
const told = (key: ApiKey.ApiKey) => ({
  ...Struct.omit(key, ["external_key_hash", "former_secret", "secret_hash"]),
  former_secret_expires_at: key.former_secret?.expires_at ?? null
})
