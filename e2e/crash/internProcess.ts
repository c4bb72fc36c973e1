/** A separate process with an instance whose interns run on machines that outlive it. */
import { Transaction, InternStore, JobStore, type Stores, VaultStore } from "@signalbox/core/stores"
import { type HostedIntern, type InternHost, InternHostFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import type { InternCall } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { CrashTrigger } from "./CrashTrigger.ts"
import {
  internKey,
  type InternProcessConfig,
  secretHost,
  type MachineCall
} from "./InternProcessConfig.ts"
import { internCrashPoints, type InternVerb } from "./internCrashPoints.ts"
import { serveUntilCrash } from "./serveUntilCrash.ts"
import { openStores } from "../support/openStores.ts"

// The process must not outlive a failed test.
process.once("disconnect", () => process.exit())

const [, , , config = ""] = process.argv
const { database, machines, settings }: InternProcessConfig = JSON.parse(config)

const crashTrigger = new CrashTrigger<InternVerb>()

/** Instruments the stores in place, as services already refer to them. */
const instrumentStores = (context: Context.Context<Stores>): void => {
  const transaction = Context.get(context, Transaction)
  const interns = Context.get(context, InternStore)
  const { queue } = Context.get(context, JobStore)
  const vaults = Context.get(context, VaultStore)
  Object.assign(transaction, {
    withTransaction: crashTrigger.wrap("Transaction.withTransaction", transaction.withTransaction)
  })
  Object.assign(interns, {
    add: crashTrigger.wrap("InternStore.add", interns.add),
    remove: crashTrigger.wrap("InternStore.remove", interns.remove),
    replace: crashTrigger.wrap("InternStore.replace", interns.replace)
  })
  Object.assign(queue, { offer: crashTrigger.wrap("JobStore.offer", queue.offer) })
  Object.assign(vaults, {
    close: crashTrigger.wrap("VaultStore.close", vaults.close),
    open: crashTrigger.wrap("VaultStore.open", vaults.open)
  })
}

const callMachine = Effect.fnUntraced(function* (call: InternCall, intern: HostedIntern) {
  const { hostname, id, name, releaseSecrets, run } = intern
  const released = yield* Effect.orDie(releaseSecrets(secretHost))
  const secrets = released.map(({ value }) => Redacted.value(value))
  const requested: MachineCall = { call, id, name, run, hostname, secrets }
  const { ok } = yield* Effect.promise(() =>
    fetch(machines, { method: "POST", body: JSON.stringify(requested) })
  )
  if (!ok) return yield* new InternHostFailure({ problem: "the machine is on fire", isFinal: true })
})
const makeCall = (call: InternCall) =>
  crashTrigger.wrap(`host.${call}`, (intern: HostedIntern) => callMachine(call, intern))

const host: InternHost = {
  slug: "machines",
  prepare: makeCall("prepare"),
  steps: [
    { label: "Creating", run: makeCall("step 0"), undo: makeCall("undo 0") },
    { label: "Booting", run: makeCall("step 1"), undo: makeCall("undo 1") }
  ],
  toHostname: ({ id, name }) => `${name}-${id.slice(-20)}.interns.example.com`,
  suspend: makeCall("suspend"),
  archive: makeCall("archive"),
  destroy: makeCall("destroy")
}

const stores = openStores(database)
const instance = await Signalbox.make({
  stores: Layer.tap(stores, (context) => Effect.sync(() => instrumentStores(context))),
  upstreams: [],
  models: [],
  sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
  keys: [{ key: internKey, kind: "member", user: "mem-1" }],
  interns: { host },
  settings
})
await serveUntilCrash(instance, crashTrigger, internCrashPoints)
