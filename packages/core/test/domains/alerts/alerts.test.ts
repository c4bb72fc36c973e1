import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import type { AlertOptions } from "../../../src/domains/alerts/AlertOptions.ts"
import { AlertRules } from "../../../src/domains/alerts/AlertRules.ts"
import { Alerts } from "../../../src/domains/alerts/Alerts.ts"
import { Customers } from "../../../src/domains/customers/Customers.ts"
import { layerAlertWatch, layerAlertWorker, memoryStores } from "../../../src/domains.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import { Calendar } from "../../../src/engine/ledger/Calendar.ts"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import { type Limit, type LimitDefinition, resolveLimit } from "../../../src/engine/ledger/Limit.ts"
import type { Alert } from "../../../src/engine/observability/alerts/Alert.ts"
import { AlertStore } from "../../../src/engine/observability/alerts/AlertStore.ts"
import { OutboundHttp } from "../../../src/engine/outbound/OutboundHttp.ts"
import { layerParts, type Parts } from "../../../src/layer.ts"
import type { Options } from "../../../src/Options.ts"
import { SpendLimits } from "../../../src/routing/restrictions/SpendLimits.ts"
import { Deliveries } from "../../../src/tenants/webhooks/Deliveries.ts"
import { ScopedBudgets } from "../../../src/tenants/workspaces/ScopedBudgets.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import * as Subject from "../../../src/engine/ledger/Subject.ts"
import { defaultAccountId, defaultWorkspaceId, KeyHash } from "../../../src/values/ids/Ids.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"
import { settle } from "../../settle.ts"

const platform = Layer.mergeAll(
  Digest.layerWebCrypto,
  OutboundHttp.layerNone,
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die("no network"))
  )
)

const account = defaultAccountId
const actor = { account }
const usd = (amount: number) => NanoUsd.fromUsdNumber(amount)
const calendar = new Calendar({ limitTimeZone: "UTC", limitResetDay: 1, limitWeekStart: "monday" })
const november = Date.UTC(2026, 10, 1)
const dayMillis = 86_400_000

/** Runs a test that begins at the beginning of November. `heard` is what the function of the host has received. */
const run = (
  alerts: AlertOptions | undefined,
  test: (heard: ReadonlyArray<Alert>) => Effect.Effect<void, unknown, Parts | Scope.Scope>,
  options: Partial<Options> = {},
  workers = Layer.mergeAll(layerAlertWorker, layerAlertWatch)
): Promise<void> => {
  const heard: Array<Alert> = []
  const onAlert = (alert: Alert) => void heard.push(alert)
  const parts = layerParts({
    upstreams: [],
    models: [],
    ...(alerts === undefined ? undefined : { alerts: { providerDown: false, onAlert, ...alerts } }),
    workspaceDefaults: { callbackUrl: "https://hooks.example.com/in" },
    ...options
  })
  return Effect.runPromise(
    // Before anything sleeps: what sleeps for seconds would wake millions of times.
    Effect.andThen(
      TestClock.setTime(november),
      Effect.provide(
        Effect.scoped(test(heard)),
        workers.pipe(Layer.provideMerge(parts), Layer.provide(platform))
      )
    ).pipe(Effect.provide([TestClock.layer(), Logger.layer([])]))
  )
}

const elapse = (millis: number) =>
  Effect.gen(function* () {
    yield* Effect.promise(() => settle(20))
    yield* TestClock.adjust(millis)
    for (let second = 0; second < 3; second++) {
      yield* Effect.promise(() => settle(20))
      yield* TestClock.adjust("1 second")
    }
    yield* Effect.promise(() => settle(20))
  })

const budget = (cap: number, at: number, changes: Partial<LimitDefinition> = {}): Limit =>
  resolveLimit(calendar, at, {
    kind: "workspace",
    id: JSON.stringify([account, defaultWorkspaceId]),
    interval: "monthly",
    cap: usd(cap),
    countsByok: false,
    ...changes
  })

const spend = (limit: Limit, amount: number) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const reservation = yield* ledger.reserve(account, [limit], usd(amount))
    yield* reservation.settle(usd(amount))
    yield* elapse(5_000)
  })

const listDeliveries = Effect.gen(function* () {
  const deliveries = yield* Deliveries
  return (yield* deliveries.list(actor, {}, { limit: 100 })).rows
})

const listAlerts = Effect.gen(function* () {
  const alerts = yield* Alerts
  return (yield* alerts.list(actor, undefined, { limit: 100 })).rows
})

const listThresholds = (heard: ReadonlyArray<Alert>) => heard.map(({ threshold }) => threshold)

describe("alerts of limits", () => {
  it("are purged where no worker runs, because nobody receives them", () =>
    run(
      {},
      () =>
        Effect.gen(function* () {
          yield* spend(budget(10, november), 5)
          assert.lengthOf(yield* listAlerts, 1)
          yield* elapse(2 * 3_600_000)
          assert.deepStrictEqual(yield* listAlerts, [])
        }),
      { settings: { alertRetentionMillis: 1_000 } },
      layerAlertWatch
    ))

  it("are told once for each threshold, to the function, the webhook and the list", () =>
    run({}, (heard) =>
      Effect.gen(function* () {
        const limit = budget(10, november)
        yield* spend(limit, 4.9)
        assert.deepStrictEqual(heard, [])
        for (const amount of [0.1, 1, 2, 1, 1]) yield* spend(limit, amount)
        assert.deepStrictEqual(listThresholds(heard), [
          { percent: 50 },
          { percent: 80 },
          { percent: 100 }
        ])
        const [first] = heard
        assert.deepStrictEqual(first, {
          id: first?.id ?? "",
          type: "alert.threshold_crossed",
          account,
          workspace_id: defaultWorkspaceId,
          created_at: first?.created_at ?? "",
          message:
            'The monthly budget of workspace "Default" has reached 50 %: 5.00 of 10.00 USD are spent (50 %). ' +
            "It resets on 2026-12-01 at 00:00 UTC. " +
            "Raise the limit or spend less; requests that may cost more than the rest are refused.",
          rule_id: null,
          threshold: { percent: 50 },
          limit: {
            kind: "workspace",
            name: "Default",
            guardrail_id: null,
            key_hash: null,
            user_id: null,
            external_user_id: null,
            interval: "monthly",
            resets_at: "2026-12-01T00:00:00.000Z",
            soft: false,
            limit: 10,
            settled: 5,
            remaining: 5,
            percent: 50,
            forecast: null,
            exhausted_at: null
          },
          health: null
        })
        const alerts = yield* Alerts
        const { rows } = yield* alerts.list(actor, undefined, { limit: 10 })
        assert.deepStrictEqual(rows, heard.toReversed())
        const deliveries = yield* listDeliveries
        assert.deepStrictEqual(
          deliveries.map(({ body, id, type }) => [id, type, JSON.parse(body).data]),
          rows.map((alert) => [alert.id, alert.type, alert])
        )
      })
    ))

  it("tell the highest of several that one cost jumped over, and never the lower ones", () =>
    run({}, (heard) =>
      Effect.gen(function* () {
        const limit = budget(10, november)
        yield* spend(limit, 9)
        yield* spend(limit, 0.5)
        assert.deepStrictEqual(listThresholds(heard), [{ percent: 80 }])
      })
    ))

  it("are told again in a new period, and under a new cap", () =>
    run({ thresholds: [{ percent: 80 }, { spent: 4 }] }, (heard) =>
      Effect.gen(function* () {
        const daily = { interval: "daily" } as const
        yield* spend(budget(10, november, daily), 8)
        yield* spend(budget(10, november, daily), 1)
        assert.strictEqual(heard.length, 2)
        yield* spend(budget(20, november, daily), 7)
        assert.deepStrictEqual(listThresholds(heard.slice(2)), [{ percent: 80 }])
        assert.strictEqual(heard[2]?.limit?.limit, 20)
        yield* TestClock.setTime(november + dayMillis)
        yield* spend(budget(10, november + dayMillis, daily), 8)
        assert.deepStrictEqual(listThresholds(heard.slice(3)), [{ percent: 80 }, { spent: 4 }])
      })
    ))

  it("are lost by no crash: a failing queue frees the claim", () =>
    run({ thresholds: [{ percent: 80 }] }, (heard) =>
      Effect.gen(function* () {
        const alerts = yield* Alerts
        const claim = { key: "k", level: NanoUsd.zero, expiresAt: november + dayMillis }
        const alert = {
          type: "alert.provider_down",
          account,
          workspace_id: defaultWorkspaceId,
          rule_id: null,
          message: "down",
          threshold: null,
          limit: null,
          health: null
        } as const
        const cyclic = { ...alert, message: "" } as { message: unknown }
        cyclic.message = cyclic
        const failed = yield* Effect.exit(alerts.raise(claim, cyclic as typeof alert))
        assert.strictEqual(failed._tag, "Failure")
        assert.isTrue(yield* alerts.raise(claim, alert))
        assert.isFalse(yield* alerts.raise(claim, alert))
        yield* elapse(1_000)
        assert.deepStrictEqual(
          heard.map(({ message }) => message),
          ["down"]
        )
        assert.strictEqual((yield* listDeliveries).length, 1)
      })
    ))

  it("warn of a forecast above the limit from a tenth of the period on", () =>
    run({ thresholds: [{ forecast: true }] }, (heard) =>
      Effect.gen(function* () {
        const limit = budget(10, november, { interval: "daily" })
        yield* spend(limit, 2)
        assert.deepStrictEqual(heard, [])
        yield* TestClock.setTime(november + dayMillis / 4 - 5_000)
        yield* spend(limit, 1)
        yield* spend(limit, 1)
        assert.deepStrictEqual(
          heard.map(({ limit, type }) => [type, limit?.forecast, limit?.exhausted_at]),
          [["alert.forecast_exceeded", 12, "2026-11-01T20:00:00.000Z"]]
        )
        assert.include(
          heard[0]?.message,
          "will not last: its period ends at 12.00 USD if it goes on like this: 3.00 of 10.00 USD are spent (30 %). " +
            "At this rate it is spent on 2026-11-01 at 20:00 UTC."
        )
      })
    ))

  it("warn of credits that are running out, and again after a grant", () =>
    run({ thresholds: [{ remaining: 5 }] }, (heard) =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const spendCredits = (amount: number) =>
          Effect.gen(function* () {
            const [limit] = yield* ledger.listCreditLimits(account)
            if (limit !== undefined) yield* spend(limit, amount)
          })
        yield* ledger.grant(account, usd(20))
        yield* spendCredits(14)
        assert.deepStrictEqual(heard, [])
        yield* spendCredits(1)
        yield* spendCredits(1)
        assert.strictEqual(
          heard[0]?.message,
          "The credit of the account has 5.00 USD or less left: 15.00 of 20.00 USD are spent (75 %). " +
            "It does not reset. Grant credits or spend less; requests that may cost more than the rest are refused."
        )
        yield* ledger.grant(account, usd(20))
        yield* spendCredits(10)
        assert.strictEqual(heard.length, 1)
        yield* spendCredits(9)
        assert.strictEqual(heard.length, 2)
      })
    ))

  it("tell that a limit has begun to refuse, though it is never spent to the last cent", () =>
    run({ thresholds: [{ percent: 100 }, { refused: true }] }, (heard) =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const limit = budget(10, november)
        yield* spend(limit, 9.9)
        for (let time = 0; time < 2; time++) {
          yield* Effect.flip(ledger.reserve(account, [limit], usd(1)))
          yield* elapse(5_000)
        }
        assert.deepStrictEqual(
          heard.map(({ type }) => type),
          ["alert.limit_refused"]
        )
      })
    ))

  it("follow the rules of a workspace, for its limits alone", () =>
    run({ thresholds: [] }, (heard) =>
      Effect.gen(function* () {
        const rules = yield* AlertRules
        const workspaces = yield* Workspaces
        const acme = yield* workspaces.create(actor, { name: "Acme", slug: "acme" })
        const rule = yield* rules.create(actor, {
          name: "half",
          workspace_id: acme.id,
          limits: ["workspace"],
          thresholds: [{ percent: 50 }]
        })
        const ofAcme = { id: JSON.stringify([account, acme.id]) }
        yield* spend(budget(10, november), 6)
        yield* spend(budget(10, november, { ...ofAcme, kind: "guardrail" }), 6)
        yield* spend(budget(10, november, ofAcme), 6)
        assert.deepStrictEqual(
          heard.map(({ limit, rule_id, workspace_id }) => [rule_id, workspace_id, limit?.name]),
          [[rule.id, acme.id, "Acme"]]
        )
        yield* workspaces.remove(actor, acme.id)
        assert.strictEqual((yield* Effect.flip(rules.get(actor, rule.id)))._tag, "ResourceNotFound")
      })
    ))

  it("name the external user of a budget that counts each of them, and tell each once", () =>
    run({}, (heard) =>
      Effect.gen(function* () {
        const budgets = yield* ScopedBudgets
        const { listLimits } = yield* SpendLimits
        yield* budgets.create(actor, {
          scope: { external_user: "*" },
          limit_usd: 10,
          reset_interval: "monthly"
        })
        const caller = { account, workspace: defaultWorkspaceId, kind: "host" } as const
        for (const user of ["ada", "bob", "ada"]) {
          const [limit] = yield* listLimits(caller, [], user)
          assert(limit !== undefined)
          yield* spend(limit, 5)
        }
        assert.deepStrictEqual(
          heard.map(({ limit, threshold }) => [limit?.external_user_id, limit?.name, threshold]),
          [
            ["ada", "external user ada", { percent: 50 }],
            ["bob", "external user bob", { percent: 50 }],
            ["ada", "external user ada", { percent: 100 }]
          ]
        )
      })
    ))

  it("tell of a budget that only warns that nothing is refused", () =>
    run({ thresholds: [{ percent: 100 }, { percent: 120 }] }, (heard) =>
      Effect.gen(function* () {
        const budgets = yield* ScopedBudgets
        const { id, name } = yield* budgets.create(actor, {
          scope: { tag: { customer: "acme" } },
          limit_usd: 10,
          reset_interval: "monthly",
          soft: true
        })
        const soft = budget(10, november, {
          kind: "budget",
          id: JSON.stringify([account, id]),
          name,
          soft: true
        })
        yield* spend(soft, 11)
        yield* spend(soft, 2)
        assert.deepStrictEqual(listThresholds(heard), [{ percent: 100 }, { percent: 120 }])
        assert.strictEqual(
          heard[1]?.message,
          'The monthly budget "customer=acme" has reached 120 %: 13.00 of 10.00 USD are spent (130 %). ' +
            "It resets on 2026-12-01 at 00:00 UTC. It only warns: no request is refused."
        )
        assert.include(heard[1]?.limit ?? {}, { soft: true, remaining: 0, percent: 130 })
      })
    ))

  it("call the guardrail of a customer after its bundle", () =>
    run(
      { thresholds: [{ percent: 50 }] },
      (heard) =>
        Effect.gen(function* () {
          const customers = yield* Customers
          const { customer } = yield* customers.create(actor, { slug: "acme", bundle: "starter" })
          const guardrail = `bundle ${customer.workspace_id}`
          const subject = Subject.fromKey(KeyHash.make(customer.key_hash))
          const id = JSON.stringify([account, guardrail, subject])
          yield* spend(budget(10, november, { kind: "guardrail", id, subject }), 6)
          assert.deepStrictEqual(
            heard.map(({ limit, workspace_id }) => [workspace_id, limit?.name]),
            [[customer.workspace_id, "bundle starter"]]
          )
          assert.match(heard[0]?.message ?? "", /of guardrail "bundle starter" for key "acme" has/)
        }),
      { bundles: { starter: { guardrail: { limit_usd: 10, reset_interval: "monthly" } } } }
    ))

  it("survive a function that throws: it is called again, and requests do not notice", () => {
    let calls = 0
    const onAlert = async () => {
      calls += 1
      if (calls < 3) throw new Error("the pager is down")
    }
    return run({ onAlert, thresholds: [{ percent: 50 }] }, () =>
      Effect.gen(function* () {
        yield* spend(budget(10, november), 6)
        yield* elapse(20_000)
        assert.strictEqual(calls, 3)
      })
    )
  })

  it("reach the destinations of a broadcast that want them", () => {
    const received: Array<string> = []
    return run(
      { thresholds: [{ percent: 50 }] },
      () =>
        Effect.gen(function* () {
          yield* spend(budget(10, november), 6)
          yield* elapse(1_000)
          assert.deepStrictEqual(received, ["alert.threshold_crossed"])
        }),
      {
        broadcast: [
          () => void received.push("a generation"),
          { onAlert: ({ type }) => void received.push(type) }
        ]
      }
    )
  })

  it("are told of what was spent last, when the instance closes", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const stores = yield* Layer.build(memoryStores)
          const limit = budget(10, november)
          yield* Effect.promise(() =>
            run(
              {},
              () =>
                Effect.gen(function* () {
                  const ledger = yield* Ledger
                  const reservation = yield* ledger.reserve(account, [limit], usd(6))
                  yield* reservation.settle(usd(6))
                }),
              { stores }
            )
          )
          const { rows } = yield* Context.get(stores, AlertStore).list(account, undefined, {
            limit: 9
          })
          assert.deepStrictEqual(listThresholds(rows), [{ percent: 50 }])
        })
      )
    ))

  it("cannot be asked for where the host has none", () =>
    run(undefined, () =>
      Effect.gen(function* () {
        const rules = yield* AlertRules
        const refused = yield* Effect.flip(
          rules.create(actor, { name: "r", thresholds: [{ percent: 80 }] })
        )
        assert.include(refused, { _tag: "InvalidRequest" })
        yield* spend(budget(10, november), 9)
        assert.deepStrictEqual(yield* listDeliveries, [])
      })
    ))
})

const model = {
  id: "acme/model",
  endpoints: [{ provider: "acme", price: { prompt: "0", completion: "0" } }]
}
const providers: Partial<Options> = {
  upstreams: [{ slug: "acme", name: "Acme" }],
  models: [model]
}

const tryEndpoint = (result: "failure" | "success", times: number) =>
  Health.useSync((health) => {
    const at = health.time.now()
    for (let time = 0; time < times; time++) {
      health.record({
        endpoint: "acme/model@acme",
        startedAt: at,
        at,
        result,
        kind: "server_error"
      })
    }
  })

describe("alerts of providers", () => {
  it("tell once that a provider is down, and once that it is up again", () =>
    run(
      { providerDown: true },
      (heard) =>
        Effect.gen(function* () {
          const health = yield* Health
          yield* tryEndpoint("success", 1)
          yield* elapse(15_000)
          yield* tryEndpoint("failure", 40)
          yield* elapse(15_000)
          yield* elapse(15_000)
          assert.deepStrictEqual(
            heard.map(({ health, type }) => [type, health?.kind, health?.name]),
            [["alert.provider_down", "provider", "acme"]]
          )
          assert.match(heard[0]?.message ?? "", /^Provider acme is down: \d+ of \d+ failed in/)
          yield* elapse(60_000)
          assert.isTrue(health.claim("acme/model@acme"))
          yield* tryEndpoint("success", 1)
          yield* elapse(15_000)
          yield* elapse(15_000)
          assert.deepStrictEqual(
            heard.map(({ type }) => type),
            ["alert.provider_down", "alert.provider_up"]
          )
        }),
      providers
    ))

  it("tell that a provider is up again after more than a day", () =>
    run(
      { providerDown: true },
      (heard) =>
        Effect.gen(function* () {
          const health = yield* Health
          yield* tryEndpoint("failure", 40)
          yield* elapse(15_000)
          yield* TestClock.setTime(november + 1.2 * dayMillis)
          yield* elapse(15_000)
          assert.isTrue(health.claim("acme/model@acme"))
          yield* tryEndpoint("success", 1)
          yield* elapse(15_000)
          assert.deepStrictEqual(
            heard.map(({ type }) => type),
            ["alert.provider_down", "alert.provider_up"]
          )
        }),
      providers
    ))

  it("tell the end of what a process told before it was restarted, and what begins after that", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const stores = yield* Layer.build(memoryStores)
          yield* Effect.promise(() =>
            run(
              { providerDown: true },
              () => Effect.andThen(tryEndpoint("failure", 40), elapse(15_000)),
              { ...providers, stores }
            )
          )
          yield* Effect.promise(() =>
            run(
              { providerDown: true },
              () =>
                Effect.gen(function* () {
                  yield* tryEndpoint("success", 1)
                  yield* elapse(15_000)
                  yield* tryEndpoint("failure", 40)
                  yield* elapse(15_000)
                }),
              { ...providers, stores }
            )
          )
          const { rows } = yield* Context.get(stores, AlertStore).list(account, undefined, {
            limit: 9
          })
          assert.deepStrictEqual(
            rows.map(({ type }) => type),
            ["alert.provider_down", "alert.provider_up", "alert.provider_down"]
          )
        })
      )
    ))

  it("tell an error rate that stays high for some minutes and has enough attempts", () =>
    run(
      { errorRate: { above: 0.2, minRequests: 10, minutes: 2, by: "model" } },
      (heard) =>
        Effect.gen(function* () {
          yield* tryEndpoint("failure", 3)
          yield* elapse(15_000)
          yield* tryEndpoint("success", 8)
          yield* elapse(60_000)
          assert.deepStrictEqual(heard, [])
          yield* elapse(60_000)
          yield* elapse(15_000)
          assert.deepStrictEqual(
            heard.map(({ health, type }) => [type, health?.kind, health?.name, health?.errors]),
            [["alert.error_rate_exceeded", "model", "acme/model", 3]]
          )
          yield* tryEndpoint("success", 50)
          yield* elapse(15_000)
          assert.strictEqual(heard[1]?.type, "alert.error_rate_recovered")
        }),
      providers
    ))
})
