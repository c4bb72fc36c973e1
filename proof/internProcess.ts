/** A process of its own with a box that runs interns on machines that outlive it. */
import { Atomically, InternStore, JobStore, type Stores, VaultStore } from "@signalbox/core/stores"
import { type HostedIntern, type InternHost, InternHostFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import type { InternCall } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Doom } from "./Doom.ts"
import { internKey, type InternMeeting, secretHost, type ToldMachine } from "./internMeeting.ts"
import { internMoments, type InternVerb } from "./internMoments.ts"
import { serveUntilDoom } from "./serveUntilDoom.ts"
import { storesOfMeeting } from "./storesOfMeeting.ts"

// Not left behind by a test that failed.
process.once("disconnect", () => process.exit())

const [, , , told = ""] = process.argv
const { database, machines, settings }: InternMeeting = JSON.parse(told)

const doom = new Doom<InternVerb>()

/** In place: what is made of the stores holds on to them. */
const watched = (context: Context.Context<Stores>): void => {
  const atomically = Context.get(context, Atomically)
  const interns = Context.get(context, InternStore)
  const { queue } = Context.get(context, JobStore)
  const vaults = Context.get(context, VaultStore)
  Object.assign(atomically, {
    atomically: doom.watch("Atomically.atomically", atomically.atomically)
  })
  Object.assign(interns, {
    add: doom.watch("InternStore.add", interns.add),
    remove: doom.watch("InternStore.remove", interns.remove),
    replace: doom.watch("InternStore.replace", interns.replace)
  })
  Object.assign(queue, { offer: doom.watch("JobStore.offer", queue.offer) })
  Object.assign(vaults, {
    close: doom.watch("VaultStore.close", vaults.close),
    open: doom.watch("VaultStore.open", vaults.open)
  })
}

const ask = Effect.fnUntraced(function* (call: InternCall, intern: HostedIntern) {
  const { hostname, id, name, release, run } = intern
  const released = yield* Effect.orDie(release(secretHost))
  const secrets = released.map(({ value }) => Redacted.value(value))
  const asked: ToldMachine = { call, id, name, run, hostname, secrets }
  const { ok } = yield* Effect.promise(() =>
    fetch(machines, { method: "POST", body: JSON.stringify(asked) })
  )
  if (!ok) return yield* new InternHostFailure({ problem: "the machine is on fire", isFinal: true })
})
const asking = (call: InternCall) =>
  doom.watch(`host.${call}`, (intern: HostedIntern) => ask(call, intern))

const host: InternHost = {
  slug: "machines",
  prepare: asking("prepare"),
  steps: [
    { label: "Creating", run: asking("step 0"), undo: asking("undo 0") },
    { label: "Booting", run: asking("step 1"), undo: asking("undo 1") }
  ],
  hostnameOf: ({ id, name }) => `${name}-${id.slice(-20)}.interns.example.com`,
  suspend: asking("suspend"),
  archive: asking("archive"),
  destroy: asking("destroy")
}

const stores = storesOfMeeting(database)
const box = await Signalbox.make({
  stores: Layer.tap(stores, (context) => Effect.sync(() => watched(context))),
  upstreams: [],
  models: [],
  sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
  keys: [{ key: internKey, kind: "member", user: "mem-1" }],
  interns: { host },
  settings
})
await serveUntilDoom(box, doom, internMoments)
