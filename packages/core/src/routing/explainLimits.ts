/** Which limits a request would meet now, for dry runs. Nothing is taken of any of them. */
import * as Effect from "effect/Effect"
import { LedgerStore } from "../engine/ledger/LedgerStore.ts"
import type { Caller } from "../tenants/auth/Caller.ts"
import type { CallReport, UsageReport } from "../tenants/auth/rateLimits/UsageLimiter.ts"
import type { OperationName } from "../values/OperationName.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { EndpointRoom } from "./attempt/concurrency/makeEndpointLimits.ts"
import { Routing } from "./Routing.ts"
import type { PlannedRoute } from "./RouteQuery.ts"

/** A limit on spending, in approximate USD. */
interface ExplainedBudget {
  readonly kind: string
  /** The name of a budget; absent: the kind says it. */
  readonly name?: string
  readonly interval: string
  readonly limit_usd: number
  /** What is neither spent nor reserved; 0: requests that cost something are refused. */
  readonly left_usd: number
  /** It only warns. */
  readonly warns?: true
  /** The only model or provider that counts; absent: all do. */
  readonly model?: string
  readonly provider?: string
}

/** A limit on how often, how much or how many at a time. */
interface ExplainedRate {
  readonly counts: "requests" | "tokens" | "parallel_requests"
  /** Whose requests count together. */
  readonly holder: "key" | "account" | "customer"
  readonly limit: number
  readonly window_millis?: number
  /** Requests of this process that run under it; absent: it counts no parallel requests. */
  readonly running?: number
  /** Further requests that are admitted in this window; absent: it counts something else. */
  readonly left?: number
  /** When the window ends, so that all requests are left again, in milliseconds; absent: none is open. */
  readonly resets_in_millis?: number
  /** Whether another request would be refused. */
  readonly now: "admitted" | "refused"
  /** When there is room again, in milliseconds; absent: now, or unknown. */
  readonly retry_after_millis?: number
}

/** Without the counts for callers who must not see the traffic of other accounts. */
type ExplainedRoom = { readonly endpoint: string } & Pick<EndpointRoom, "limit" | "now"> &
  Partial<EndpointRoom>

export interface ExplainedLimits {
  readonly spending: ReadonlyArray<ExplainedBudget>
  readonly rates: ReadonlyArray<ExplainedRate>
  /** The endpoints of the plan with a limit of parallel requests. */
  readonly endpoints: ReadonlyArray<ExplainedRoom>
  /** What would happen to the request, as far as it can be told without making it. */
  readonly now: "runs" | "waits" | "refused"
}

export const makeLimitExplainer = Effect.gen(function* () {
  const ledger = yield* LedgerStore
  const { reportLimits } = yield* Routing

  const explainSpending = ({ limits }: PlannedRoute) =>
    Effect.forEach(limits, (limit) =>
      Effect.map(ledger.getUsage(limit), ({ reserved, settled }): ExplainedBudget => {
        const left = limit.cap - reserved - settled
        return {
          kind: limit.kind,
          ...(limit.name === undefined ? undefined : { name: limit.name }),
          interval: limit.interval,
          limit_usd: NanoUsd.toUsdNumber(limit.cap),
          left_usd: left <= 0n ? 0 : NanoUsd.toUsdNumber(NanoUsd.make(left)),
          ...(limit.soft === true ? { warns: true } : undefined),
          ...(limit.scope?.model === undefined ? undefined : { model: limit.scope.model }),
          ...(limit.scope?.provider === undefined ? undefined : { provider: limit.scope.provider })
        }
      })
    )

  return Effect.fnUntraced(function* (
    planned: PlannedRoute,
    caller: Caller,
    operation: OperationName
  ): Effect.fn.Return<ExplainedLimits> {
    const spending = yield* explainSpending(planned)
    const { ordered } = planned.plan
    const { calls, rooms: found, usage } = yield* reportLimits(caller, ordered, operation)
    const rooms = ordered.map(({ endpoint: { id: endpoint } }, at) => ({
      endpoint,
      room: found[at]
    }))
    const rates = [...calls.map(toCallRate), ...usage.map(toUsageRate)]
    const isRefused =
      rooms.length === 0 || rates.some(({ now }) => now === "refused") || spending.some(isExhausted)
    const states = new Set(rooms.map(({ room }) => room?.now ?? "runs"))
    return {
      spending,
      rates,
      endpoints: rooms.flatMap(({ endpoint, room }) =>
        room === undefined ? [] : [{ endpoint, ...room }]
      ),
      now: isRefused
        ? "refused"
        : states.has("runs")
          ? "runs"
          : states.has("waits")
            ? "waits"
            : "refused"
    }
  })
})

const toCallRate = ({ endsInMillis, holder, left, limit }: CallReport): ExplainedRate => ({
  counts: "requests",
  holder,
  limit: limit.requests,
  window_millis: limit.windowMillis,
  left,
  ...(endsInMillis === 0 ? undefined : { resets_in_millis: endsInMillis }),
  now: left > 0 ? "admitted" : "refused",
  ...(left > 0 || endsInMillis === 0 ? undefined : { retry_after_millis: endsInMillis })
})

const toUsageRate = (report: UsageReport): ExplainedRate => ({
  ...(report.kind === "slots"
    ? { counts: "parallel_requests", limit: report.slots, running: report.running ?? 0 }
    : { counts: "tokens", limit: report.limit.tokens, window_millis: report.limit.windowMillis }),
  holder: report.holder ?? "key",
  now: report.retryAfterMillis === 0 ? "admitted" : "refused",
  ...(report.retryAfterMillis === 0 ? undefined : { retry_after_millis: report.retryAfterMillis })
})

/** Whether nothing can be spent at any endpoint. */
const isExhausted = ({ left_usd, model, provider, warns }: ExplainedBudget): boolean =>
  left_usd === 0 && warns === undefined && model === undefined && provider === undefined
