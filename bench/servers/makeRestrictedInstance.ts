/** Makes an instance with the restrictions in `POLICIES`: none, limits and routing rules, or these and credentials. */
import { type Caller, hostCaller, NanoUsd, UserId } from "@signalbox/core"
import { hashKey } from "@signalbox/core/adapter"
import type { Upstream } from "@signalbox/core/upstream"
import { platform, Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

const memberKey = "sk-bench"
const managementKey = "sk-bench-management"

/** The restrictions of the load's key. */
export const toPolicies = (name: string | undefined) => ({
  restricts: name !== "none",
  /** The provider of the credentials; undefined without credentials. */
  brings: name === "credentials" ? "alpha" : name === "credentials of others" ? "nobody" : undefined
})

/** The lists allow everything and no budget is exceeded, so the restrictions do not change the route. */
const guardrailLists = {
  allowed_models: ["bench/judge", "bench/other"],
  ignored_models: ["bench/bad"],
  allowed_providers: ["alpha", "beta", "gamma", "delta"],
  ignored_providers: ["epsilon"]
}
const budget = { limit_usd: 1_000_000, reset_interval: "monthly", include_byok_in_budgets: true }

/** Calls `upstream` with the slugs of three providers of one model. */
export const makeRestrictedInstance = async (
  upstream: (slug: string) => Upstream,
  { brings, restricts }: ReturnType<typeof toPolicies>
) => {
  const instance = await Signalbox.make({
    upstreams: ["alpha", "beta", "gamma"].map(upstream),
    models: [
      {
        id: "bench/judge",
        endpoints: [
          {
            provider: "alpha",
            contextLength: 128_000,
            price: { prompt: "0.000001", completion: "0" }
          },
          {
            provider: "beta",
            contextLength: 128_000,
            price: { prompt: "0.000002", completion: "0" }
          },
          {
            provider: "gamma",
            contextLength: 128_000,
            price: { prompt: "0.000003", completion: "0" }
          }
        ]
      }
    ],
    keys: [
      { key: managementKey, kind: "management" },
      {
        key: memberKey,
        kind: "member",
        user: "user_bench",
        ...(restricts
          ? { limit: 1_000_000, limitReset: "daily", includeByokInLimit: true }
          : undefined)
      }
    ],
    ...(restricts
      ? {
          accounts: [{ id: "default", only: guardrailLists.allowed_providers, ignore: ["zeta"] }],
          credits: { default: "1000000" }
        }
      : undefined),
    ...(brings === undefined
      ? undefined
      : {
          sealing: { current: "one", keys: { one: "0123456789abcdef0123456789abcdef" } },
          credentials: ["first", "second"].map((name) => ({
            provider: brings,
            name,
            key: `sk-bench-${name}`
          }))
        })
  })
  const keyHash = await Effect.runPromise(
    Effect.provide(hashKey(Redacted.make(memberKey)), platform())
  )
  if (restricts) {
    const manage = makeManage(instance.fetch)
    const { default_guardrail_id: byDefault, id } = await manage(
      "GET",
      "/api/v1/workspaces/default"
    )
    await manage("PUT", `/api/v1/workspaces/${id}/budgets/weekly`, {
      limit_usd: budget.limit_usd,
      include_byok_in_budgets: true
    })
    await manage("PATCH", `/api/v1/guardrails/${byDefault}`, { ...guardrailLists, ...budget })
    const ofKey = await manage("POST", "/api/v1/guardrails", {
      name: "key",
      ...guardrailLists,
      ...budget
    })
    await manage("POST", `/api/v1/guardrails/${ofKey.id}/assignments/keys`, {
      key_hashes: [keyHash]
    })
    const ofMember = await manage("POST", "/api/v1/guardrails", {
      name: "member",
      ...guardrailLists,
      ...budget
    })
    await manage("POST", `/api/v1/guardrails/${ofMember.id}/assignments/members`, {
      member_user_ids: ["user_bench"]
    })
  }
  const caller: Caller = {
    ...hostCaller,
    kind: "member",
    user: UserId.make("user_bench"),
    keyHash,
    ...(restricts
      ? { limit: { cap: NanoUsd.fromUsdNumber(1_000_000), reset: "daily", includesByok: true } }
      : undefined)
  }
  return { box: instance, caller }
}

interface ManagementResponse {
  readonly id?: string
  readonly default_guardrail_id?: string
}

const makeManage =
  (fetch: (request: Request) => Promise<Response>) =>
  async (method: string, path: string, body?: object): Promise<ManagementResponse> => {
    const response = await fetch(
      new Request(`http://bench${path}`, {
        method,
        headers: { authorization: `Bearer ${managementKey}`, "content-type": "application/json" },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    // Only ids are read from responses.
    const received = JSON.parse(text) as { readonly data?: ManagementResponse }
    return received.data ?? {}
  }
