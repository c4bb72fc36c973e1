/** Writes records of every kind that name a person into the stores that a `PersonStore` changes. */
import {
  type AccountId,
  AuditLog,
  CalibrationStore,
  defaultWorkspaceId,
  FailedRequestStore,
  type Generation,
  GenerationStore,
  GuardrailStore,
  InternStore,
  type Limit,
  LedgerStore,
  NanoUsd,
  PresetStore,
  SpendCounters,
  Subject,
  UserId,
  VideoStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { makeSample } from "./CalibrationStoreContract.ts"
import * as fresh from "./fixtures.ts"
import { makeGuardrail } from "./GuardrailStoreContract.ts"
import { makeIntern } from "./InternStoreContract.ts"
import { addVersion, makePreset } from "./PresetStoreContract.ts"
import { makeJob } from "./VideoStoreContract.ts"

/** A time that no background purge takes for the past. */
const day = Date.UTC(2100, 0, 1)

/**
 * What is named: an acting user, and the external user of their requests. Returns the ids of what was written, and a limit
 * under which a reservation is open.
 */
export const namePerson = Effect.fnUntraced(function* (
  account: AccountId,
  name: string,
  externalName: string
) {
  const user = UserId.make(name)
  const spender = { account, workspace: defaultWorkspaceId, user }
  const subject = Subject.fromMember(spender, user)
  const limit: Limit = {
    ...fresh.makeLimit(1_000_000_000_000n),
    kind: "key",
    id: JSON.stringify([account, subject]),
    subject
  }
  const generation: Generation = {
    id: fresh.makeGenerationId(),
    account,
    workspace: defaultWorkspaceId,
    user: name,
    externalUser: externalName,
    tags: { person: name, customer: "acme" },
    session: `session of ${name} and ${externalName}`,
    trace: { trace_name: `trace of ${name} and ${externalName}` },
    operation: "chat",
    startedAt: day,
    latencyMillis: 1,
    cost: NanoUsd.make(9_007_199_254_740_993n),
    configuration: 1,
    requestedModel: "a/b",
    attempts: [],
    rejected: [
      {
        endpoint: "a/b@proof",
        rule: "spend_limit",
        source: `budget person=${name}, model a/b, external user ${externalName}`,
        wanted: "at least 1 USD left",
        found: "0 USD"
      }
    ],
    demoted: []
  }
  yield* GenerationStore.use((store) => store.record([generation]))
  yield* SpendCounters.use((store) => store.record(spender, NanoUsd.make(7n), false, day))
  const reservation = yield* LedgerStore.use((store) =>
    store.reserve({ account, limits: [limit], amount: NanoUsd.make(10n), leaseMillis: 60_000 })
  )
  const job = makeJob({
    account,
    user,
    tags: { person: name },
    request: {
      model: "proof/video",
      user: externalName,
      session_id: `of ${name} and ${externalName}`,
      trace: { trace_name: `of ${name} and ${externalName}` }
    }
  })
  yield* VideoStore.use((store) => store.add(job, 100))
  const intern = makeIntern({ account, creator: user })
  yield* InternStore.use((store) => store.add(intern))
  yield* CalibrationStore.use((store) =>
    Effect.gen(function* () {
      const { epoch } = yield* store.load(account, "0".repeat(64))
      const sample = makeSample(account, generation.id, { labeler: { user: name } })
      yield* store.label([sample])
      yield* store.saveMaps(
        account,
        {
          kind: sample.kind,
          method: sample.method,
          model: sample.model,
          fitted: {
            fittedAt: day,
            maps: [
              {
                map: { type: "none" },
                scores: "",
                labelers: [{ labeler: { user: name }, samples: 1, share: 1 }],
                all: comparison,
                recent: comparison
              }
            ]
          }
        },
        epoch
      )
    })
  )
  yield* GuardrailStore.use((store) =>
    Effect.gen(function* () {
      const guardrail = makeGuardrail()
      yield* store.insert(account, guardrail)
      yield* store.assign(account, guardrail.id, [
        {
          id: crypto.randomUUID(),
          guardrail_id: guardrail.id,
          assigned_by: name,
          created_at: "2026-11-01T00:00:00.000Z",
          kind: "key",
          subject: fresh.makeKeyHash()
        }
      ])
    })
  )
  const preset = makePreset({}, name)
  yield* PresetStore.use((store) =>
    Effect.gen(function* () {
      yield* store.insert(account, preset)
      for (const creator of [name, "another"]) {
        yield* store.update(account, preset.id, (before) => addVersion(before, creator))
      }
    })
  )
  yield* FailedRequestStore.use((store) =>
    store.record({
      requestId: "req-of-the-person",
      at: day,
      caller: { account, workspace: defaultWorkspaceId, user },
      method: "POST",
      status: 400,
      message: `${name} sent nonsense`
    })
  )
  yield* AuditLog.use((log) =>
    Effect.gen(function* () {
      const entry = { account, at: day, actor: { user }, target: name }
      yield* log.append({
        ...entry,
        id: crypto.randomUUID(),
        action: "workspace.members.add",
        after: { user_ids: [name, "another"], name: "daily" }
      })
      yield* log.append({
        ...entry,
        id: crypto.randomUUID(),
        target: "key",
        action: "key.create",
        before: { user: name, creator_user_id: name, external_user: externalName },
        after: [{ members: [{ user_id: name, role: "admin" }], allowed_user_ids: [name] }]
      })
    })
  )
  return { generation, intern, job, limit, preset, reservation, spender }
})

const figures = { ece: 0, equalMassEce: 0, chanceEce: 0, brier: 0, nll: 0, bins: [] }
const comparison = { samples: 1, before: figures, after: figures }
