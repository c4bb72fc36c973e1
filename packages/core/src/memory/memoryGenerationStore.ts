/** GenerationStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableList from "effect/MutableList"
import { Settings } from "../instance/Settings.ts"
import type { GenerationId } from "../values/ids/GenerationId.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { truncateGeneration } from "../engine/observability/generations/truncateGeneration.ts"
import { makeFairEviction } from "../engine/observability/generations/FairEviction.ts"
import type { Generation } from "../engine/observability/generations/Generation.ts"
import {
  concernsProvider,
  type GenerationFilter,
  type GenerationPosition,
  hasFigures,
  hasTag,
  hasTried,
  toFilterValues,
  toGenerationPage,
  toPosition
} from "../engine/observability/generations/GenerationFilter.ts"
import { GenerationStore } from "../engine/observability/generations/GenerationStore.ts"
import { renameGeneration } from "../domains/people/renameRecords.ts"
import { MemoryPeople, renameValues } from "./MemoryPeople.ts"
import { compareSessions, summarizeSessions } from "./summarizeSessions.ts"
import { toSessionPage } from "../engine/observability/generations/SessionSummary.ts"
import { RollupStore } from "../engine/observability/rollups/RollupStore.ts"

/**
 * Keeps `Settings.maxGenerations` truncated records. Beyond that, the account with the most records loses its oldest
 * one, so that a busy account does not evict the records of others.
 */
export const memoryGenerationStore: Layer.Layer<GenerationStore, never, RollupStore> = Layer.effect(
  GenerationStore,
  Effect.gen(function* () {
    const { maxGenerations } = yield* Settings
    const rollups = yield* RollupStore
    const byId = new Map<GenerationId, Generation>()
    /** Oldest first. */
    const idsByAccount = new Map<AccountId, MutableList.MutableList<GenerationId>>()
    const eviction = makeFairEviction(maxGenerations)

    const people = yield* MemoryPeople
    people.register((renaming) =>
      Effect.sync(() =>
        renameValues(byId, (generation) =>
          generation.account === renaming.account
            ? renameGeneration(generation, renaming)
            : generation
        )
      )
    )

    const evictOldest = (account: AccountId): void => {
      const ids = idsByAccount.get(account)
      if (ids === undefined) return
      const oldest = MutableList.take(ids)
      if (oldest !== MutableList.Empty) byId.delete(oldest)
      if (ids.length === 0) idsByAccount.delete(account)
    }

    /** Whether it is new. */
    const add = (generation: Generation): boolean => {
      const { account, id } = generation
      const before = byId.size
      byId.set(id, truncateGeneration(generation))
      if (byId.size === before) return false
      const ids = idsByAccount.get(account) ?? MutableList.make<GenerationId>()
      MutableList.append(ids, id)
      idsByAccount.set(account, ids)
      const evicted = eviction.take(account)
      if (evicted !== undefined) evictOldest(evicted)
      return true
    }

    const listMatching = (filter: GenerationFilter): ReadonlyArray<Generation> => {
      const ids = idsByAccount.get(filter.account)
      return (ids === undefined ? [] : MutableList.toArray(ids))
        .flatMap((id) => byId.get(id) ?? [])
        .filter((generation) => matchesFilter(generation, filter))
    }

    return {
      record: (generations) => rollups.add(generations.filter(add)),
      find: (account, id) =>
        Effect.sync(() => {
          const found = byId.get(id)
          return found?.account === account ? found : undefined
        }),
      list: (filter, page) =>
        Effect.sync(() => {
          const matching = listMatching(filter).filter(
            (generation) =>
              page.after === undefined || compare(page.after, toPosition(generation, page.sort)) < 0
          )
          const positions = new Map(
            matching.map((generation) => [generation, toPosition(generation, page.sort)] as const)
          )
          return toGenerationPage(
            matching.toSorted((one, that) => compare(positions.get(one)!, positions.get(that)!)),
            page
          )
        }),
      listSessions: (filter, page) =>
        Effect.sync(() => {
          const { after } = page
          const sessions = summarizeSessions(listMatching(filter))
          return toSessionPage(
            after === undefined
              ? sessions
              : sessions.filter((session) => compareSessions(after, session) < 0),
            page
          )
        }),
      scan: (from, page) =>
        Effect.sync(() => {
          const { after } = page
          const matching = Array.from(byId.values()).filter(
            (generation) =>
              generation.startedAt >= from &&
              (after === undefined || compareLatest(generation, after) < 0)
          )
          return toGenerationPage(
            matching.toSorted((one, that) => compareLatest(that, one)),
            page
          )
        })
    }
  })
)

const matchesFilter = (generation: Generation, filter: GenerationFilter): boolean => {
  const { endpoint, figures, from = -Infinity, outcome, provider, tag, to = Infinity } = filter
  const { startedAt } = generation
  const values = toFilterValues(generation)
  const names = [
    "workspace",
    "key",
    "user",
    "externalUser",
    "session",
    "request",
    "model",
    "operation",
    "preset"
  ] as const
  return (
    startedAt >= from &&
    startedAt < to &&
    names.every((name) => filter[name] === undefined || filter[name] === values[name]) &&
    (endpoint === undefined || hasTried(generation, endpoint)) &&
    (provider === undefined || concernsProvider(generation, provider)) &&
    (tag === undefined || hasTag(generation, tag)) &&
    (figures === undefined || hasFigures(generation, figures)) &&
    (outcome === undefined ||
      (outcome === "failed" ? values.outcome !== "answered" : values.outcome === outcome))
  )
}

/** The highest value first, those without one last; of equals the latest first. */
const compare = (one: GenerationPosition, that: GenerationPosition): number =>
  (that.value ?? -1) - (one.value ?? -1) || compareLatest(one, that)

/** The latest first. */
const compareLatest = (one: GenerationPosition, that: GenerationPosition): number =>
  that.startedAt - one.startedAt || (one.id === that.id ? 0 : one.id > that.id ? -1 : 1)
