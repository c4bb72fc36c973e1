/** A process of a simulated world: an instance on a machine of its own. */
import {
  layer,
  makeWebHandler,
  type Options,
  OutboundHttp,
  type Services,
  type WebHandler
} from "@signalbox/core/adapter"
import type { Stores } from "@signalbox/core/stores"
import { createHash, hash } from "node:crypto"
import * as Context from "effect/Context"
import { Digest } from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import type { Machine } from "./Machine.ts"

/** An instance that serves. */
export interface RunningProcess {
  readonly machine: Machine
  readonly fetch: WebHandler
  readonly context: Context.Context<Services>
}

/** Starts an instance. `onExit` is called when it serves, or could not be made. */
export const startProcess = (
  machine: Machine,
  stores: Context.Context<Stores>,
  outbound: HttpClient.HttpClient,
  options: Omit<Options, "stores">,
  onExit: (exit: Exit.Exit<RunningProcess, unknown>) => void
): void => {
  const services = Context.merge(machine.services, Context.make(References.MinimumLogLevel, "None"))
  const building = Effect.map(
    Layer.buildWithScope(
      Layer.provideMerge(
        layer({ ...options, stores }),
        Layer.merge(platform, Layer.succeed(OutboundHttp, outbound))
      ),
      Scope.makeUnsafe()
    ),
    (built) => {
      const context = Context.merge(services, built)
      return { machine, context, fetch: makeWebHandler(context) }
    }
  )
  Effect.runForkWith(services)(building).addObserver(onExit)
}

/** What needs no other thread, whose time nobody can foresee. */
const platform = Layer.mergeAll(
  Layer.succeed(Digest, {
    digest: ({ name }, data) =>
      Effect.sync(() => new Uint8Array(createHash(name).update(data).digest())),
    digestHex: ({ name }, data) => Effect.succeed(hash(name, data, "hex"))
  }),
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die(new Error("a simulated world has no HTTP")))
  )
)
