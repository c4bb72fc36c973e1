import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { Presets } from "../src/domains/presets/Presets.ts"
import { SavedViews } from "../src/domains/views/SavedViews.ts"
import { AlertRules } from "../src/domains/alerts/AlertRules.ts"
import { ApiKeys } from "../src/tenants/auth/keys/ApiKeys.ts"
import { type Caller, hostCaller } from "../src/tenants/auth/Caller.ts"
import { Credentials } from "../src/tenants/byok/Credentials.ts"
import { Guardrails } from "../src/tenants/guardrails/Guardrails.ts"
import { toErrorResponse } from "../src/api/errors/toErrorResponse.ts"
import { Interns } from "../src/domains/interns/Interns.ts"
import { layerParts } from "../src/layer.ts"
import { OutboundHttp } from "../src/engine/outbound/OutboundHttp.ts"
import type { SettingsShape } from "../src/instance/Settings.ts"
import { UserId } from "../src/values/ids/Ids.ts"
import { QuotaExceeded } from "../src/values/enforceQuota.ts"
import { Vaults } from "../src/domains/vaults/Vaults.ts"
import { Workspaces } from "../src/tenants/workspaces/Workspaces.ts"

const memberCaller: Caller = { ...hostCaller, kind: "member", user: UserId.make("ann") }
const redacted = Redacted.make("sk-of-a-customer-1234567890")

const platform = Layer.mergeAll(
  Digest.layerWebCrypto,
  OutboundHttp.layerNone,
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die("no network"))
  ),
  Logger.layer([])
)

type Needed =
  | AlertRules
  | ApiKeys
  | Credentials
  | Guardrails
  | Interns
  | Presets
  | SavedViews
  | Vaults
  | Workspaces

interface Maker {
  readonly setting: keyof SettingsShape
  /** Creates the resource with index `at` in the default workspace. */
  readonly make: (at: number) => Effect.Effect<unknown, unknown, Needed>
  /** Resources that exist before; default 0. */
  readonly initial?: number
}

const makeBoth = (
  resource:
    | "AlertRules"
    | "Credentials"
    | "Guardrails"
    | "Interns"
    | "Keys"
    | "Members"
    | "Presets"
    | "SavedViews"
    | "Secrets",
  make: Maker["make"]
): ReadonlyArray<Maker> =>
  ([`max${resource}PerAccount`, `max${resource}PerWorkspace`] as const).map((setting) => ({
    setting,
    make
  }))

const makers: ReadonlyArray<Maker> = [
  {
    setting: "maxWorkspacesPerAccount",
    make: (at) => Workspaces.use((all) => all.create(hostCaller, { name: "w", slug: `w-${at}` })),
    initial: 1
  },
  ...makeBoth("Members", (at) =>
    Workspaces.use((all) => all.addMembers(hostCaller, "default", [`user-${at}`]))
  ),
  ...makeBoth("Keys", () => ApiKeys.use((all) => all.create(hostCaller, { name: "k" }))),
  ...makeBoth("Guardrails", () => Guardrails.use((all) => all.create(hostCaller, { name: "g" }))),
  ...makeBoth("AlertRules", () =>
    AlertRules.use((all) => all.create(hostCaller, { name: "r", thresholds: [{ percent: 80 }] }))
  ),
  ...makeBoth("SavedViews", () => SavedViews.use((all) => all.create(hostCaller, { name: "v" }))),
  ...makeBoth("Presets", (at) =>
    Presets.use((all) =>
      all.save(hostCaller, `p${at}`, { config: { model: "a/b" }, system_prompt: null })
    )
  ),
  ...makeBoth("Credentials", () =>
    Credentials.use((all) => all.create(hostCaller, { provider: "acme", key: redacted }))
  ),
  ...makeBoth("Interns", (at) =>
    Interns.use((all) => all.create(memberCaller, { name: `ida-${at}` }))
  ),
  ...makeBoth("Secrets", (at) =>
    Vaults.use((all) =>
      Effect.flatMap(all.ofWorkspace(memberCaller), (id) =>
        all.put(memberCaller, id, `secret_${"abcdefghij".charAt(at)}`, {
          hosts: null,
          value: redacted
        })
      )
    )
  )
]

const runInInstance = <E>(
  settings: Partial<SettingsShape>,
  test: Effect.Effect<void, E, Needed>
): Promise<void> =>
  Effect.runPromise(
    Effect.provide(
      test,
      layerParts({
        upstreams: [{ slug: "acme", name: "Acme" }],
        models: [],
        alerts: {},
        sealing: { current: "k", keys: { k: "a sealing key of sufficient length" } },
        settings
      }).pipe(Layer.provide(platform))
    )
  )

describe("the quotas of an account", () => {
  it.each(makers)(
    "are enforced by $setting under concurrent requests",
    ({ initial = 0, make, setting }) =>
      runInInstance(
        { [setting]: 3 + initial },
        Effect.gen(function* () {
          const results = yield* Effect.forEach(
            Array.from({ length: 10 }, (_, at) => at),
            (at) => Effect.result(make(at)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(results.filter(Result.isSuccess).length, 3)
          for (const { failure } of results.filter(Result.isFailure)) {
            if (!(failure instanceof QuotaExceeded)) throw new Error(String(failure))
            assert.strictEqual(failure.setting, setting)
            const response = toErrorResponse(failure)
            assert.strictEqual(response.status, 409)
            assert.include(response.message, setting)
            assert.include(response.message, String(3 + initial))
          }
        })
      )
  )

  it("allow replacing a secret when they are exhausted", () =>
    runInInstance(
      { maxSecretsPerWorkspace: 1 },
      Effect.gen(function* () {
        const vaults = yield* Vaults
        const id = yield* vaults.ofWorkspace(memberCaller)
        const put = (name: string) =>
          vaults.put(memberCaller, id, name, { hosts: null, value: redacted })
        yield* put("one")
        yield* put("one")
        assert.strictEqual((yield* Effect.flip(put("two")))._tag, "QuotaExceeded")
        yield* vaults.remove(memberCaller, id, "one")
        yield* put("two")
      })
    ))

  it("allow repeating the creation of an intern when they are exhausted", () =>
    runInInstance(
      { maxInternsPerAccount: 1 },
      Effect.gen(function* () {
        const interns = yield* Interns
        const first = yield* interns.create(memberCaller, { name: "ida" }, "once")
        const again = yield* interns.create(memberCaller, { name: "ida" }, "once")
        assert.strictEqual(again.intern.id, first.intern.id)
        assert.isFalse(again.isNew)
      })
    ))
})
