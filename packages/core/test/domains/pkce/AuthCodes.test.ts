/** Attacks on codes, and what a key that an application gets may do. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { makeMemoryServices } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import type { NewAuthCode } from "../../../src/domains/pkce/AuthCodeRequests.ts"
import { AuthCodes } from "../../../src/domains/pkce/AuthCodes.ts"
import { type PkceOptions, CurrentPkce } from "../../../src/domains/pkce/PkceOptions.ts"
import type { Caller } from "../../../src/tenants/auth/Caller.ts"
import { toCaller } from "../../../src/tenants/auth/keys/ApiKeyCache.ts"
import type { NewKey } from "../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeys } from "../../../src/tenants/auth/keys/ApiKeys.ts"
import { toOwnerKey } from "../../../src/tenants/auth/rateLimits/RequestLimiter.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import {
  AccountId,
  defaultAccountId,
  defaultWorkspaceId,
  UserId
} from "../../../src/values/ids/Ids.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"
import { scaleRuns } from "../../../../../vitest.scope.ts"

const provide = (pkce: PkceOptions = { callbackUrls: ["https://app.example/callback"] }) =>
  Effect.provide(
    AuthCodes.layer.pipe(
      Layer.provideMerge(makeMemoryServices({ settings: { authCodeExchangesPerMinute: 1e6 } })),
      Layer.provideMerge(Layer.succeed(CurrentPkce, pkce)),
      Layer.provideMerge(TestClock.layer())
    )
  )

const verifier = "v".repeat(43)
const challenge = createHash("sha256").update(verifier).digest("base64url")

const actor = { account: defaultAccountId }

/** A key of ada, and its caller. */
const makeKey = Effect.fnUntraced(function* (config: Partial<NewKey> = {}) {
  const keys = yield* ApiKeys
  const { key } = yield* keys.create(actor, {
    name: "own",
    creator_user_id: UserId.make("ada"),
    ...config
  })
  return { key, caller: toCaller(key) }
})

const consent = Effect.fnUntraced(function* (caller: Caller, config: Partial<NewAuthCode> = {}) {
  const codes = yield* AuthCodes
  const { code } = yield* codes.create(caller, { code_challenge: challenge, ...config })
  return Redacted.value(code)
})

const exchange = (code: string, code_verifier = verifier) =>
  AuthCodes.use((codes) => codes.exchange({ code, code_verifier }))

/** The key that an application got last. */
const findGranted = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const { rows } = yield* keys.list(actor, {}, { offset: 0, limit: 100 })
  return rows.map(({ key }) => key).findLast(({ granted_by }) => granted_by !== undefined)!
})

const minutes = (count: number) => count * 60_000

describe("a code", () => {
  it.effect("is worth nothing after ten minutes", () =>
    Effect.gen(function* () {
      const { caller } = yield* makeKey()
      const [inTime, late] = [yield* consent(caller), yield* consent(caller)]
      yield* TestClock.adjust(minutes(10) - 1)
      assert.strictEqual((yield* exchange(inTime)).user, "ada")
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Effect.flip(exchange(late)))._tag, "AuthCodeRefused")
    }).pipe(provide())
  )

  it.effect("is worth nothing once its key has expired", () =>
    Effect.gen(function* () {
      const { caller } = yield* makeKey({ expires_at: "1970-01-01T00:05:00.000Z" })
      const code = yield* consent(caller)
      yield* TestClock.adjust(minutes(5))
      assert.strictEqual((yield* Effect.flip(exchange(code)))._tag, "AuthCodeRefused")
    }).pipe(provide())
  )

  it.effect(
    "is worth nothing once its key is changed, so that it gives no more than that has now",
    () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const rate_limit = { requests: 1, windowMillis: 1_000 }
        const changes = [
          (hash: string) => keys.update(actor, hash, { limit: 1 }),
          (hash: string) => keys.setRateLimit(actor, hash, { rate_limit }),
          (hash: string) => keys.rotate(actor, hash, 0),
          (hash: string) => keys.remove(actor, hash)
        ]
        for (const change of changes) {
          const { caller, key } = yield* makeKey({ limit: 100 })
          const [before, after] = [yield* consent(caller), yield* consent(caller)]
          yield* TestClock.adjust(1)
          yield* exchange(before)
          yield* change(key.hash)
          assert.strictEqual((yield* Effect.flip(exchange(after)))._tag, "AuthCodeRefused")
        }
      }).pipe(provide())
  )

  it.effect("is exchanged once, however many try at the same time", () =>
    Effect.gen(function* () {
      const { caller } = yield* makeKey()
      const code = yield* consent(caller)
      const tries = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.isSuccess(exchange(code)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(tries.filter(Boolean), 1)
    }).pipe(provide())
  )

  it.effect(
    "is not exchanged for its challenge, by another method, or after wrong guesses by anybody else",
    () =>
      Effect.gen(function* () {
        const codes = yield* AuthCodes
        const { caller } = yield* makeKey()
        const code = yield* consent(caller)
        for (const guess of [challenge, "", verifier.slice(1), `${verifier}v`]) {
          assert.strictEqual((yield* Effect.flip(exchange(code, guess)))._tag, "AuthCodeRefused")
        }
        const downgraded = codes.exchange({
          code,
          code_verifier: challenge,
          code_challenge_method: "plain"
        })
        assert.strictEqual((yield* Effect.flip(downgraded))._tag, "InvalidRequest")
        assert.strictEqual((yield* exchange(code)).user, "ada")
      }).pipe(provide({ callbackUrls: [], allowPlain: true }))
  )

  it.effect("is for no other workspace and no other account", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const elsewhere = yield* workspaces.create(actor, { name: "Elsewhere", slug: "elsewhere" })
      const foreign = yield* workspaces.create(
        { account: AccountId.make("another") },
        { name: "Foreign", slug: "foreign" }
      )
      const { caller } = yield* makeKey()
      const refuse = (workspace_id: string) => Effect.flip(consent(caller, { workspace_id }))
      assert.strictEqual((yield* refuse("elsewhere"))._tag, "ConsentRefused")
      assert.strictEqual((yield* refuse(elsewhere.id))._tag, "ConsentRefused")
      assert.strictEqual((yield* refuse(foreign.id))._tag, "InvalidRequest")
      yield* exchange(yield* consent(caller, { workspace_id: defaultWorkspaceId }))
      assert.strictEqual((yield* findGranted).workspace, defaultWorkspaceId)
    }).pipe(provide())
  )

  it.effect("of a manager gives no key that manages", () =>
    Effect.gen(function* () {
      const { key } = yield* makeKey({ creator_user_id: null })
      const manager: Caller = { ...toCaller(key), kind: "management", canManage: true }
      yield* exchange(yield* consent(manager))
      assert.strictEqual((yield* findGranted).kind, "organization")
    }).pipe(provide())
  )
})

it.effect("a code by plain, which outlived the permission of the host, is refused without it", () =>
  Effect.gen(function* () {
    const { caller } = yield* makeKey()
    const stated = { code_challenge: verifier, code_challenge_method: "plain" }
    const code = yield* consent(caller, stated).pipe(
      Effect.provide(Layer.fresh(AuthCodes.layer)),
      Effect.provideService(CurrentPkce, { callbackUrls: [], allowPlain: true })
    )
    assert.strictEqual((yield* Effect.flip(exchange(code)))._tag, "AuthCodeRefused")
  }).pipe(provide())
)

describe("the new key", () => {
  const limit = fc.constantFrom(0, 0.5, 1, 20)
  const reset = fc.constantFrom("daily" as const, "weekly" as const, "monthly" as const)
  const at = fc.constantFrom("1970-01-02T00:00:00.000Z", "2999-01-01T00:00:00.000Z")
  const own = fc.record(
    { limit, limit_reset: reset, include_byok_in_limit: fc.boolean(), expires_at: at },
    { requiredKeys: [] }
  )
  const asked = fc.record(
    { limit, usage_limit_type: reset, expires_at: at, key_label: fc.constant("Editor") },
    { requiredKeys: [] }
  )

  it("never has more than the key that consented, whatever is asked", async () => {
    await fc.assert(
      fc.asyncProperty(own, asked, (own, asked) =>
        Effect.gen(function* () {
          const { caller, key } = yield* makeKey(own)
          const code = yield* Effect.option(consent(caller, asked))
          if (code._tag === "None") return
          yield* exchange(code.value)
          const granted = toCaller(yield* findGranted)
          const { expires_at } = yield* findGranted
          assert.strictEqual(granted.kind, "member")
          assert.strictEqual(granted.user, caller.user)
          assert.strictEqual(toOwnerKey(granted), toOwnerKey(caller))
          // All that it spends counts under the limit of the other, too.
          const { cap, includesByok, reset } = granted.grantedLimit ?? {}
          assert.deepStrictEqual(granted.grantedLimit && { cap, includesByok, reset }, caller.limit)
          if (key.limit !== null && granted.limit?.reset === key.limit_reset) {
            assert.isTrue(granted.limit.cap <= NanoUsd.fromUsdNumber(key.limit))
          }
          if (key.expires_at !== null) {
            assert.isAtMost(Date.parse(expires_at ?? "9999-01-01"), Date.parse(key.expires_at))
          }
        }).pipe(provide(), Effect.scoped, Effect.runPromise)
      ),
      { numRuns: scaleRuns(200) }
    )
  })
})
