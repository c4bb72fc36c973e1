/** Runs a server until a signal stops it. */
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { consoleRoutes } from "@signalbox/console"
import { Catalog, Drain, IsTerminal, type Signalbox, toMountPrefix } from "@signalbox/core/adapter"
import { signalbox, type Listener } from "@signalbox/node"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type { ServerConfig } from "../config/Config.ts"
import { loadConfig } from "../config/loadConfig.ts"
import { makePaint } from "../output/paint.ts"
import { chooseStorage } from "../storage/chooseStorage.ts"
import { authorizeByKey } from "./authorizeByKey.ts"
import { type Address, chooseAddress } from "./chooseAddress.ts"
import { chooseKeys } from "./chooseKeys.ts"
import { describeServer, type ServerFacts } from "./describeServer.ts"
import { endWithParent } from "./endWithParent.ts"
import { listen, serveWith, stop } from "./listen.ts"
import { makeInstance } from "./makeInstance.ts"

export interface ServeFlags {
  readonly config: Option.Option<string>
  readonly database: Option.Option<string>
  readonly host: Option.Option<string>
  readonly port: Option.Option<number>
  readonly mount: Option.Option<string>
  readonly json: boolean
}

export const runServer = Effect.fnUntraced(function* (flags: ServeFlags) {
  const { json } = flags
  const config = yield* loadConfig(flags.config)
  const address = yield* chooseAddress(flags, config.server)
  const storage = yield* chooseStorage(flags.database, config)
  const { created, keys } = yield* chooseKeys(
    config.options,
    storage,
    process.stdout.isTTY && !json
  )
  const options = {
    log: true,
    ...config.options,
    keys,
    stores: storage.kind === "own" ? storage.stores : storage.layer
  }
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  const server = yield* listen(address)
  yield* endWithParent
  // New keys are stored once the instance is made, so nothing comes between that and showing them.
  yield* Effect.acquireRelease(
    Effect.tap(
      makeInstance(config.path, options, json ? Layer.succeed(IsTerminal, false) : undefined),
      (instance) => {
        const listener = makeListener(instance, address, config.server)
        serveWith(server, listener.handle)
        const { port } = server.address() as AddressInfo // A server on TCP has no path.
        const root = `http://${toShownHost(address.host)}:${port}`
        const facts: ServerFacts = {
          url: root + address.mount,
          storage: storage.description,
          console:
            listener.console === undefined
              ? undefined
              : { ...listener.console, url: `${root}${listener.console.mount}/` },
          model: findModel(instance),
          created,
          isPublic: !/^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(address.host)
        }
        return json
          ? logJson("listening", { url: facts.url, storage: facts.storage })
          : Console.log(describeServer(facts, makePaint(canColor)))
      }
    ),
    (instance) =>
      announceStop(instance, json).pipe(
        Effect.andThen(
          Effect.promise(() => stop(server, instance, config.server.drainNoticeMillis ?? 0))
        ),
        Effect.andThen(reportStop(json))
      )
  )
  return yield* Effect.never
}, Effect.scoped)

const makeListener = (
  instance: Signalbox<IncomingMessage>,
  { mount }: Address,
  { console = false }: ServerConfig
) => {
  const handleApi = signalbox(instance, { mount })
  if (console === false) return { handle: handleApi, console: undefined }
  const given = console === true ? {} : console
  const { authorize = authorizeByKey(instance), mount: _, ...allowed } = given
  const consoleMount = toMountPrefix(given.mount ?? `${mount}/console`)
  const handleConsole = signalbox(consoleRoutes(instance, { authorize, ...allowed }), {
    mount: consoleMount
  })
  const handle: Listener = (request, response) =>
    handleConsole(request, response, () => handleApi(request, response))
  return {
    handle,
    console: { mount: consoleMount, takesKey: given.authorize === undefined }
  }
}

/** The first one that a person may try. */
const findModel = ({ context }: Pick<Signalbox, "context">): ServerFacts["model"] => {
  for (const { card, endpoints, hidden, id } of Context.get(context, Catalog).current().models) {
    const { output_modalities: outputs } = card.architecture
    const chats = outputs.includes("text")
    if (!hidden && endpoints.length > 0 && (chats || outputs.includes("decisions"))) {
      return { id, chats }
    }
  }
  return undefined
}

/** A server on all networks is reached by the address of this machine. */
const toShownHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "localhost"
  return host.includes(":") ? `[${host}]` : host
}

/** Another signal ends the process at once. */
const announceStop = ({ context }: Pick<Signalbox, "context">, json: boolean) =>
  Effect.suspend(() => {
    process.once("SIGINT", endAtOnce)
    process.once("SIGTERM", endAtOnce)
    const running = Context.get(context, Drain).running()
    return json
      ? logJson("stopping", { running })
      : Console.error(
          running === 0
            ? "Stopping."
            : `Stopping when ${running} running ${running === 1 ? "request has" : "requests have"} ended; another signal ends it at once.`
        )
  })

const endAtOnce = (): void => process.exit(130)

const reportStop = (json: boolean) =>
  Effect.suspend(() => {
    // A signal is how a server is meant to end.
    process.exitCode = 0
    return json ? logJson("stopped", {}) : Console.error("Stopped.")
  })

/** In the form of the log of requests. */
const logJson = (message: string, facts: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(DateTime.now, (now) =>
    Console.log(
      JSON.stringify({ timestamp: DateTime.formatIso(now), level: "INFO", message, ...facts })
    )
  )
