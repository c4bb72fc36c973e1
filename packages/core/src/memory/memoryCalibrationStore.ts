/** CalibrationStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

import { type CalibrationSample, toGroupKey } from "../domains/calibration/CalibrationSample.ts"
import {
  CalibrationStore,
  type LabeledGroup,
  type SampleFilter,
  type StoredMaps
} from "../domains/calibration/CalibrationStore.ts"
import { renameMaps, renameSample } from "../domains/people/renameRecords.ts"
import { MemoryPeople, renameValues } from "./MemoryPeople.ts"
import { GenerationStore } from "../engine/observability/generations/GenerationStore.ts"
import type { AccountId } from "../values/ids/Ids.ts"

/** A label lasts as long as the record of its generation. Labels of evicted records go when labels are next read or added. */
export const memoryCalibrationStore: Layer.Layer<CalibrationStore, never, GenerationStore> =
  Layer.effect(
    CalibrationStore,
    Effect.gen(function* () {
      const generations = yield* GenerationStore
      const accounts = new Map<AccountId, AccountLabels>()

      const people = yield* MemoryPeople
      people.register((renaming) =>
        Effect.sync(() => {
          const account = accounts.get(renaming.account)
          if (account === undefined) return 0
          const samples = renameValues(account.samples, (sample) => renameSample(sample, renaming))
          const maps = renameValues(account.maps, (stored) => {
            const fitted = renameMaps(stored.fitted, renaming)
            return fitted === stored.fitted ? stored : { ...stored, fitted }
          })
          return samples + maps
        })
      )

      const getAccount = (id: AccountId): AccountLabels => {
        const known = accounts.get(id)
        if (known !== undefined) return known
        const made = { secret: undefined, epoch: 0, samples: new Map(), maps: new Map(), kept: 0 }
        accounts.set(id, made)
        return made
      }

      const purge = Effect.fnUntraced(function* (id: AccountId) {
        const account = getAccount(id)
        for (const [key, { generation }] of account.samples) {
          if ((yield* generations.find(id, generation)) === undefined) account.samples.delete(key)
        }
        account.kept = account.samples.size
        return account
      })

      /** The labels given last come first. */
      const select = (filter: SampleFilter): Effect.Effect<ReadonlyArray<CalibrationSample>> =>
        Effect.map(purge(filter.account), ({ samples }) =>
          Array.from(samples.values())
            .filter((sample) => matches(sample, filter))
            .toReversed()
            .toSorted((one, other) => other.labeledAt - one.labeledAt)
        )

      return {
        load: (id, newSecret) =>
          Effect.sync(() => {
            const account = getAccount(id)
            account.secret ??= newSecret
            const { epoch, maps, secret } = account
            return { secret, epoch, maps: Array.from(maps.values()) }
          }),
        label: Effect.fnUntraced(function* (samples) {
          for (const sample of samples) {
            const account = getAccount(sample.account)
            const key = toSampleKey(sample)
            // Deleted first, so that it moves to the end, where the latest are.
            account.samples.delete(key)
            account.samples.set(key, sample)
            if (account.samples.size > 2 * account.kept + 1_000) yield* purge(sample.account)
          }
        }),
        listSamples: (filter, limit) =>
          Effect.map(select(filter), (samples) => samples.slice(0, limit)),
        listGroups: (filter) =>
          Effect.map(select(filter), (samples) => {
            const groups = new Map<string, LabeledGroup>()
            for (const { kind, method, model } of samples) {
              const group = { kind, method, model }
              const key = toGroupKey(group)
              groups.set(key, { ...group, samples: (groups.get(key)?.samples ?? 0) + 1 })
            }
            return Array.from(groups.values())
          }),
        saveMaps: (id, maps, epoch) =>
          Effect.sync(() => {
            const account = getAccount(id)
            if (account.epoch === epoch) account.maps.set(toGroupKey(maps), maps)
          }),
        forget: (filter) =>
          Effect.map(select(filter), (samples) => {
            const account = getAccount(filter.account)
            account.epoch++
            for (const sample of samples) account.samples.delete(toSampleKey(sample))
            for (const [key, maps] of account.maps) {
              if (matchesGroup(maps, filter)) account.maps.delete(key)
            }
            return samples.length
          })
      }
    })
  )

interface AccountLabels {
  secret: string | undefined
  epoch: number
  /** The latest last. */
  readonly samples: Map<string, CalibrationSample>
  readonly maps: Map<string, StoredMaps>
  /** Labels after the last purge. */
  kept: number
}

const toSampleKey = ({ generation, model, name }: CalibrationSample): string =>
  JSON.stringify([generation, name, model])

const matchesGroup = (
  group: Pick<CalibrationSample, "kind" | "method" | "model">,
  { kind, method, model }: SampleFilter
): boolean =>
  (kind === undefined || group.kind === kind) &&
  (method === undefined || group.method === method) &&
  (model === undefined || group.model === model)

const matches = (sample: CalibrationSample, filter: SampleFilter): boolean =>
  matchesGroup(sample, filter) &&
  (filter.question === undefined || sample.question === filter.question) &&
  (filter.since === undefined || sample.labeledAt >= filter.since)
