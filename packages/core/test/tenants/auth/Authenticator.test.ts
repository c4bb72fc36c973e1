import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as ApiKey from "../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeyStore } from "../../../src/tenants/auth/keys/ApiKeyStore.ts"
import { Authenticator } from "../../../src/tenants/auth/Authenticator.ts"
import { ApiKeyCache } from "../../../src/tenants/auth/keys/ApiKeyCache.ts"
import { MemoryJournal } from "../../../src/memory/MemoryJournal.ts"
import { hashKey } from "../../../src/engine/secrets/hashKey.ts"
import { AccountId, UserId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import { makeAuthenticationRequest } from "./makeAuthenticationRequest.ts"
import { memoryApiKeyStore } from "../../../src/memory/memoryApiKeyStore.ts"

const services = Authenticator.layer.pipe(
  Layer.provideMerge(ApiKeyCache.layer),
  Layer.provideMerge(memoryApiKeyStore),
  Layer.provide(MemoryJournal.layer),
  Layer.provideMerge(NodeCrypto.layerDigest)
)

const issue = Effect.fnUntraced(function* (
  secret: string,
  of: Pick<ApiKey.ApiKey, "kind" | "user">
) {
  const store = yield* ApiKeyStore
  const key = ApiKey.make(
    { account: AccountId.make("acme"), workspace: WorkspaceId.make("lab"), ...of },
    { secret_hash: yield* hashKey(Redacted.make(secret)), label: "***" },
    "2026-11-01T00:00:00.000Z",
    { name: "a key" }
  )
  yield* store.put(key)
  return key
})

layer(services)("Authenticator", (it) => {
  it.effect.each([
    { kind: "member", user: UserId.make("ada") },
    { kind: "organization" },
    { kind: "management" }
  ] as const)("finds the caller of a key: %j", (of) =>
    Effect.gen(function* () {
      const { authenticate } = yield* Authenticator
      const { account, hash, workspace } = yield* issue(`sk-${of.kind}`, of)
      assert.deepStrictEqual(yield* authenticate(makeAuthenticationRequest(`sk-${of.kind}`)), {
        account,
        workspace,
        keyHash: hash,
        ...of
      })
    })
  )

  it.effect("rejects a key that was never issued, however similar", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* Authenticator
      const { hash } = yield* issue("sk-issued", { kind: "organization" })
      for (const token of ["sk-issue", "sk-issued ", "SK-ISSUED", "", hash]) {
        const error = yield* Effect.flip(authenticate(makeAuthenticationRequest(token)))
        assert.strictEqual(error._tag, "Unauthenticated")
      }
    })
  )
})
