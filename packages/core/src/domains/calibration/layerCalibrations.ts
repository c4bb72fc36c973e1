/** Calibrates Decisions, takes labels, and fits maps to them. */
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { canManageAccount, toResourceOwner } from "../../tenants/auth/permissions.ts"
import { ChangeFeed } from "../../instance/ChangeFeed.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { type Question, type Questions, countOptions } from "../../questions/Question.ts"
import { AccountId } from "../../values/ids/Ids.ts"
import { makeUuid } from "../../values/ids/generateId.ts"
import { yieldToEventLoop } from "../../values/json/yieldToEventLoop.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"
import { type AccountMaps, makeAccountMaps, noMaps } from "./AccountMaps.ts"
import { type CalibrationFilter, Calibrations, NotLabelable } from "./Calibrations.ts"
import { type CalibrationGroup, toGroupKey } from "./CalibrationSample.ts"
import { CalibrationStore, type StoredMaps } from "./CalibrationStore.ts"
import type { QuestionHashes } from "./Calibrator.ts"
import { findLabelerProblem, toLabeler } from "./Labeler.ts"
import { fitGroupInSteps } from "./fitGroup.ts"
import { joinPairs } from "./joinPairs.ts"
import { type QuestionHasher, encodeIntegers, makeQuestionHasher } from "./QuestionHasher.ts"
import { makeCalibrator } from "./makeCalibrator.ts"
import { makeLabelAudit } from "./makeLabelAudit.ts"
import { toOppositeSample, toSamples } from "./toSamples.ts"

export const layerCalibrations = Layer.effect(
  Calibrations,
  Effect.gen(function* () {
    const audit = yield* Audit
    const auditLabels = yield* makeLabelAudit
    const digest = yield* Digest.Digest
    const generations = yield* Generations
    const scope = yield* Effect.scope
    const store = yield* CalibrationStore
    const clock = yield* Clock.Clock
    const { remoteInvalidations } = yield* ChangeFeed
    let version = 0
    /** The maps last read. They stay the same objects when another process has not changed them. */
    const latest = new Map<AccountId, LoadedAccount>()

    const loadAccount = (account: AccountId): Effect.Effect<LoadedAccount> =>
      Effect.map(
        Effect.suspend(() => store.load(account, makeSecret())),
        ({ epoch, maps, secret }) => {
          const now = clock.currentTimeMillisUnsafe()
          const fits = maps.map((map) => [toGroupKey(map), map.fitted.fittedAt])
          const stamp = JSON.stringify([epoch, fits])
          const known = latest.get(account)
          if (known?.stamp === stamp && now < known.expiresAt) return known
          const loaded: LoadedAccount = {
            stamp,
            expiresAt: now + cacheMillis,
            hasher: makeQuestionHasher(digest, secret),
            maps: makeAccountMaps(maps, ++version),
            stored: new Map(maps.map((stored) => [toGroupKey(stored), stored]))
          }
          setMostRecent(latest, account, loaded, maxCachedAccounts)
          return loaded
        }
      )
    const accounts = yield* Cache.makeWith(loadAccount, {
      capacity: maxCachedAccounts,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) ? exit.value.expiresAt - clock.currentTimeMillisUnsafe() : 0
    })
    /** Labels or maps changed in this process. */
    const invalidate = (account: AccountId): Effect.Effect<void> =>
      Effect.suspend(() => {
        latest.delete(account)
        return Cache.invalidate(accounts, account)
      })
    yield* remoteInvalidations.pipe(
      Stream.filter(({ topic }) => topic === "calibrations"),
      Stream.runForEach(({ account }) =>
        account === undefined
          ? Cache.invalidateAll(accounts)
          : Cache.invalidate(accounts, AccountId.make(account))
      ),
      Effect.forkScoped({ startImmediately: true })
    )

    /** Labels since the last fit, in this process, by account and group. */
    const added = new Map<AccountId, Map<string, AddedLabels>>()
    /** Groups to fit, in order. */
    const due = new Map<string, readonly [AccountId, CalibrationGroup]>()
    let isFitting = false

    const fit = Effect.fnUntraced(function* (account: AccountId, group: CalibrationGroup) {
      const counts = added.get(account)
      counts?.delete(toGroupKey(group))
      if (counts?.size === 0) added.delete(account)
      // The epoch of the store, read before the labels: those may be forgotten meanwhile.
      const { epoch } = yield* store.load(account, makeSecret())
      const now = yield* Clock.currentTimeMillis
      const samples = yield* store.listSamples(
        { account, ...group, since: now - maxAgeMillis },
        maxSamples
      )
      const steps = fitGroupInSteps(group, samples, now)
      let step = steps.next()
      while (step.done !== true) {
        yield* yieldToEventLoop
        step = steps.next()
      }
      yield* store.saveMaps(account, { ...group, fitted: step.value }, epoch)
      yield* invalidate(account)
    })

    const fitDue = Effect.gen(function* () {
      for (const [key, [account, group]] of due) {
        due.delete(key)
        yield* Effect.ignoreCause(fit(account, group), { log: "Error" })
        // Many labels at once do not keep a process busy with fitting.
        yield* Effect.sleep(pauseMillis)
      }
    }).pipe(Effect.ensuring(Effect.sync(() => (isFitting = false))))

    const fitSoon = (account: AccountId, group: CalibrationGroup): Effect.Effect<void> => {
      due.set(JSON.stringify([account, toGroupKey(group)]), [account, group])
      if (isFitting) return Effect.void
      isFitting = true
      return Effect.asVoid(Effect.forkIn(fitDue, scope))
    }

    const countLabels = Effect.fnUntraced(function* (
      account: AccountId,
      groups: ReadonlyArray<CalibrationGroup>
    ) {
      const { stored } = yield* Cache.get(accounts, account)
      const counts = added.get(account) ?? new Map<string, AddedLabels>()
      for (const group of groups) {
        const key = toGroupKey(group)
        const labels = (counts.get(key)?.labels ?? 0) + 1
        counts.set(key, { group, labels })
        // A fit of its last group meanwhile removes it.
        added.set(account, counts)
        if (isFitDue(labels, countFitted(stored.get(key)))) yield* fitSoon(account, group)
      }
    })

    const refit: Calibrations["Service"]["refit"] = Effect.fnUntraced(function* (account, filter) {
      const groups = new Map<string, CalibrationGroup>()
      const { maps } = yield* store.load(account, makeSecret())
      const labeled = yield* store.listGroups({ account, ...filter })
      // A group whose last label went with its record still has maps.
      const stored =
        filter.question === undefined ? maps.filter((group) => isSelected(group, filter)) : []
      for (const { kind, method, model } of [...stored, ...labeled]) {
        const group = { kind, method, model }
        groups.set(toGroupKey(group), group)
      }
      for (const group of groups.values()) yield* fit(account, group)
      yield* invalidate(account)
    })

    const loadLogged = (account: AccountId): Effect.Effect<LoadedAccount | undefined> =>
      Effect.catchCause(Cache.get(accounts, account), (cause) =>
        Effect.as(Effect.logError("Decisions are not calibrated", cause), undefined)
      )

    return {
      prepare: Effect.fnUntraced(function* (account, questions) {
        const loaded = yield* loadLogged(account)
        if (loaded === undefined) return nothingKnown
        return makeCalibrator(yield* hashQuestions(loaded.hasher, questions), loaded.maps)
      }),
      label: Effect.fnUntraced(function* (caller, { generation: id, labels, weight }) {
        const generation = yield* generations.get(toResourceOwner(caller), id)
        if (generation.labelable === undefined) return yield* new NotLabelable({ id })
        const problem = findLabelerProblem(caller, generation, weight)
        if (problem !== undefined) return yield* problem
        const { hasher } = yield* Cache.get(accounts, generation.account)
        const labeledAt = yield* Clock.currentTimeMillis
        const labeler = toLabeler(caller)
        const samples = yield* toSamples(hasher, generation, labels, { labeledAt, labeler, weight })
        const given = { labeled: samples.length, weight }
        yield* auditLabels(caller, generation.account, given, store.label(samples))
        yield* countLabels(generation.account, samples)
        return samples.length
      }),
      labelWrong: Effect.fnUntraced(function* (caller, generation) {
        const [answer, ...others] = generation.labelable ?? []
        if (answer === undefined || others.length > 0 || !canManageAccount(caller)) return 0
        const { account } = generation
        const { maps } = yield* Cache.get(accounts, account)
        const labeledAt = yield* Clock.currentTimeMillis
        const labeler = toLabeler(caller)
        const sample = toOppositeSample(generation, answer, maps, { labeledAt, labeler, weight: 1 })
        if (sample === undefined) return 0
        const given = { labeled: 1, weight: 1 }
        yield* auditLabels(caller, account, given, store.label([sample]))
        yield* countLabels(account, [sample])
        return 1
      }),
      report: (account, filter) =>
        Effect.map(store.load(account, makeSecret()), ({ maps }) =>
          maps.flatMap((stored) => {
            if (!isSelected(stored, filter)) return []
            const { fittedAt, maps } = stored.fitted
            const selected =
              filter.question === undefined
                ? maps
                : maps.filter(({ question }) => question === filter.question)
            return selected.length === 0
              ? []
              : [{ ...stored, fitted: { fittedAt, maps: selected } }]
          })
        ),
      listPairs: Effect.fnUntraced(function* (account, kind, selection) {
        const now = yield* Clock.currentTimeMillis
        const { maps } = yield* Cache.get(accounts, account)
        const since = now - maxAgeMillis
        // Each pair is two labels.
        const samples = yield* store.listSamples({ account, kind, since }, 2 * maxSamples)
        return joinPairs(samples, selection, maps)
      }),
      refit,
      forget: Effect.fnUntraced(function* (actor, filter) {
        const { account } = actor
        const forgotten = yield* audit.change(
          actor,
          "calibration.forget",
          Effect.map(store.forget({ account, ...filter }), (labels) => ({
            result: labels,
            target: account,
            before: { ...filter, labels }
          }))
        )
        added.delete(account)
        yield* invalidate(account)
        // A question is forgotten, and the other labels of its kind are not.
        if (filter.question !== undefined) {
          const { question: _, ...groups } = filter
          yield* refit(account, groups)
        }
        return forgotten
      })
    }
  })
)

interface LoadedAccount {
  /** Differs when the store has other maps, or labels were forgotten. */
  readonly stamp: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly hasher: QuestionHasher
  readonly maps: AccountMaps
  readonly stored: ReadonlyMap<string, StoredMaps>
}

interface AddedLabels {
  readonly group: CalibrationGroup
  readonly labels: number
}

const maxCachedAccounts = 1_000
/** Labels that change no map count for thresholds after this time, and so do maps of another process where nothing reports them. */
const cacheMillis = 60_000
const pauseMillis = 1_000
const maxSamples = 5_000
const maxAgeMillis = 90 * 86_400_000

/** A tenth more labels, or 25 where that is fewer. */
const isFitDue = (labels: number, fitted: number): boolean => labels >= 25 || labels >= fitted * 0.1

const isSelected = (group: CalibrationGroup, { kind, model }: CalibrationFilter): boolean =>
  (kind === undefined || group.kind === kind) && (model === undefined || group.model === model)

const countFitted = (stored: StoredMaps | undefined): number =>
  stored?.fitted.maps[0]?.all.samples ?? 0

/** More would make records large. */
const maxLabelableQuestions = 64
const maxLabelableOptions = 32

const nothingKnown = makeCalibrator(new Map(), noMaps)

/** 244 random bits in hex. */
const makeSecret = (): string => (makeUuid() + makeUuid()).replaceAll("-", "")

const hashQuestions = (
  hasher: QuestionHasher,
  questions: Questions
): Effect.Effect<ReadonlyMap<string, QuestionHashes>> =>
  Effect.map(
    Effect.forEach(
      Object.entries(questions)
        .filter(([, question]) => countOptions(question) <= maxLabelableOptions)
        .slice(0, maxLabelableQuestions),
      ([name, question]) =>
        Effect.map(hashQuestion(hasher, name, question), (hashes) => [name, hashes] as const)
    ),
    (entries) => new Map(entries)
  )

const hashQuestion = Effect.fnUntraced(function* (
  { hashLabel, hashName, hashQuestion }: QuestionHasher,
  name: string,
  question: Question
): Effect.fn.Return<QuestionHashes> {
  const hashes = { name: yield* hashName(name), key: yield* hashQuestion(question) }
  return question.type === "choice"
    ? {
        ...hashes,
        labels: encodeIntegers(yield* Effect.forEach(Object.keys(question.criteria), hashLabel))
      }
    : hashes
})
