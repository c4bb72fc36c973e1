/** Lists the spend limits of an account, each with the amounts settled and reserved under it. */
import * as Effect from "effect/Effect"
import { CurrentBundles } from "../../tenants/auth/bundles/Bundle.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { toCaller } from "../../tenants/auth/keys/ApiKeyCache.ts"
import { ApiKeyStore } from "../../tenants/auth/keys/ApiKeyStore.ts"
import { GuardrailStore } from "../../tenants/guardrails/GuardrailStore.ts"
import { Guardrails } from "../../tenants/guardrails/Guardrails.ts"
import * as Limit from "../../engine/ledger/Limit.ts"
import * as Subject from "../../engine/ledger/Subject.ts"
import { type AccountId, UserId, WorkspaceId } from "../../values/ids/Ids.ts"
import type { CursorPage, CursorRequest } from "../../values/pages/CursorPage.ts"
import type { OffsetPage, OffsetRequest } from "../../values/pages/OffsetPage.ts"
import type { CustomerState } from "../../tenants/workspaces/Workspace.ts"
import { isScopedBudget } from "../../tenants/workspaces/ScopedBudget.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import type { LimitHolder, LimitUsage } from "./LimitUsage.ts"
import { type OwnerFields, makeMeasureLimit } from "./makeMeasureLimit.ts"
import { SpendLimits } from "./SpendLimits.ts"

/** Under which limits spending falls is decided where requests are planned: each holder is asked for as a caller. */
export const makeLimitPages = Effect.gen(function* () {
  const assignments = yield* GuardrailStore
  const bundles = yield* CurrentBundles
  const guardrails = yield* Guardrails
  const keys = yield* ApiKeyStore
  const measureLimit = yield* makeMeasureLimit
  const spendLimits = yield* SpendLimits
  const workspaces = yield* WorkspaceStore

  const withBundle = (caller: Caller, customer: CustomerState | undefined): Caller => {
    const bundle = customer === undefined ? undefined : bundles.get(customer.bundle)
    return bundle === undefined ? caller : { ...caller, bundle }
  }

  const measure = (
    limits: ReadonlyArray<Limit.Limit>,
    toOwner: (limit: Limit.Limit) => OwnerFields
  ) => Effect.forEach(limits, (limit) => measureLimit(limit, toOwner(limit)), { concurrency })

  const listGuardrailLimits = (caller: Caller, keyName: string | undefined) =>
    Effect.flatMap(guardrails.listEffective(caller), (effective) =>
      Effect.forEach(effective, (guardrail) =>
        Effect.flatMap(spendLimits.listLimits(caller, [guardrail]), (limits) =>
          measure(ofKind(limits, "guardrail"), ({ subject }) => {
            const { keyHash, user } = caller
            const isKey = keyHash !== undefined && subject === Subject.fromKey(keyHash)
            return {
              name: guardrail.name,
              workspace: guardrail.workspace_id,
              guardrail: guardrail.id,
              key: isKey ? { hash: keyHash, name: keyName ?? "" } : null,
              user: isKey ? null : (user ?? null)
            }
          })
        )
      )
    ).pipe(Effect.map((lists) => lists.flat()))

  const listScopedLimits = (account: AccountId, workspace: string) =>
    Effect.flatMap(workspaces.budgets(account, workspace), (budgets) =>
      Effect.forEach(budgets.filter(isScopedBudget), (budget) =>
        measure([spendLimits.toBudgetLimit(account, budget)], (limit) => ({
          name: limit.name ?? budget.name,
          workspace,
          budget
        }))
      )
    ).pipe(Effect.map((lists) => lists.flat()))

  const ofWorkspaces = (account: AccountId, cursor: CursorRequest) =>
    collect(
      (page) => workspaces.list(account, page),
      ({ customer, id, name }, position) => {
        const caller = withBundle(
          { account, workspace: WorkspaceId.make(id), kind: "host" },
          customer
        )
        return Effect.flatMap(spendLimits.listLimits(caller, []), (limits) =>
          Effect.all([
            measure(
              // The credits belong to the whole account, so they are listed once.
              [
                ...(position === 0 ? ofKind(limits, "credits") : []),
                ...ofKind(limits, "workspace")
              ],
              ({ kind }) => ({
                name: kind === "credits" ? null : name,
                workspace: kind === "credits" ? null : id
              })
            ),
            listScopedLimits(account, id),
            listGuardrailLimits(caller, undefined)
          ]).pipe(Effect.map((lists) => lists.flat()))
        )
      },
      cursor
    )

  const ofKeys = (account: AccountId, cursor: CursorRequest) =>
    collect(
      (page) => keys.list(account, { includeDisabled: true }, page),
      Effect.fnUntraced(function* (key) {
        const { hash, name, workspace } = key
        const own = yield* workspaces.findById(account, workspace)
        const caller = withBundle(toCaller(key), own?.customer)
        const limits = yield* spendLimits.listLimits(caller, [])
        const used = yield* measure(ofKind(limits, "key"), () => ({
          name,
          workspace,
          key: { hash, name }
        }))
        return [...used, ...(yield* listGuardrailLimits(caller, name))]
      }),
      cursor
    )

  const ofMembers = (account: AccountId, cursor: CursorRequest) =>
    collect(
      (page) => assignments.listAssignments(account, "member", undefined, page),
      ({ guardrail_id, subject }) =>
        Effect.flatMap(assignments.find(account, guardrail_id), (guardrail) =>
          guardrail === undefined
            ? Effect.succeed([])
            : listGuardrailLimits(
                {
                  account,
                  workspace: WorkspaceId.make(guardrail.workspace_id),
                  kind: "member",
                  user: UserId.make(subject)
                },
                undefined
              )
        ),
      cursor
    )

  const listers: Readonly<Record<LimitHolder, typeof ofKeys>> = {
    workspace: ofWorkspaces,
    key: ofKeys,
    member: ofMembers
  }
  return (
    account: AccountId,
    holder: LimitHolder,
    cursor: CursorRequest
  ): Effect.Effect<CursorPage<LimitUsage>> => listers[holder](account, cursor)
})

/** Holders without limits are skipped, but not so many that a page takes long. The cursor is a position among holders. */
const collect = Effect.fnUntraced(function* <Holder>(
  list: (page: OffsetRequest) => Effect.Effect<OffsetPage<Holder>>,
  toUsages: (holder: Holder, position: number) => Effect.Effect<ReadonlyArray<LimitUsage>>,
  { after = 0, limit }: CursorRequest
): Effect.fn.Return<CursorPage<LimitUsage>> {
  const byCounter = new Map<string, LimitUsage>()
  let offset = after
  for (let pages = 0; pages < maxPages; pages++) {
    const page = yield* list({ offset, limit })
    const begin = offset
    const usages = yield* Effect.forEach(page.rows, (holder, at) => toUsages(holder, begin + at), {
      concurrency
    })
    // Keys of one user share the limits of the user.
    for (const usage of usages.flat()) byCounter.set(Limit.toCounterKey(usage.limit), usage)
    offset += page.rows.length
    if (offset >= page.total || page.rows.length === 0) {
      return { rows: Array.from(byCounter.values()) }
    }
    if (byCounter.size > 0) break
  }
  return { rows: Array.from(byCounter.values()), nextCursor: offset }
})

const ofKind = (limits: ReadonlyArray<Limit.Limit>, kind: Limit.LimitKind) =>
  limits.filter((limit) => limit.kind === kind)

const maxPages = 20

/** Counters that are read at the same time. */
const concurrency = 8
