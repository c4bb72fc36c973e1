/** A connection to Redis that reconnects by itself. Commands fail at once while it is down. */
import { RateLimitsUnavailable } from "@signalbox/core/stores"
import { createClient, RedisClient } from "@redis/client"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { putAnswerScript, removeAnswerScript } from "./answerScripts.ts"
import { renewSlotScript, takeSlotScript } from "./slotScripts.ts"
import { readWindowScript, takeScript } from "./takeScript.ts"
import { addTokensScript, takeTokensScript } from "./tokenScripts.ts"

/** How long connecting or a heartbeat may take before the connection is dropped. */
const responseTimeout = Duration.seconds(2)
const heartbeatInterval = Duration.seconds(1)
const reconnectInterval = Duration.millis(500)

const makeClient = (url: string) =>
  createClient({
    url,
    scripts: {
      putAnswer: putAnswerScript,
      removeAnswer: removeAnswerScript,
      take: takeScript,
      readWindow: readWindowScript,
      takeTokens: takeTokensScript,
      addTokens: addTokensScript,
      takeSlot: takeSlotScript,
      renewSlot: renewSlotScript
    },
    disableOfflineQueue: true,
    // The client's own reconnect waits for the socket to close, which a dead network never does. Here each
    // connection has a client of its own, and heartbeats detect a dead one.
    socket: { reconnectStrategy: false }
  })

/** Whether the client accepts `url`. */
export const isRedisUrl = (url: string): boolean => {
  try {
    RedisClient.parseURL(url)
    return true
  } catch {
    return false
  }
}

type Client = ReturnType<typeof makeClient>

/** Runs a command, or fails at once with the reason why there is no connection. */
export type RunCommand = <A>(
  command: (client: Client) => Promise<A>
) => Effect.Effect<A, RateLimitsUnavailable>

/** Returns once the first attempt to connect has succeeded or failed. */
export const connectRedis: (url: string) => Effect.Effect<RunCommand, never, Scope.Scope> =
  Effect.fnUntraced(function* (url) {
    let current: Client | undefined
    let problem = "not connected yet"
    const firstAttempt = yield* Deferred.make<void>()

    const session = Effect.gen(function* () {
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => makeClient(url)),
        (client) => Effect.sync(() => client.destroy())
      )
      // Without a listener, an error of the socket would crash the process.
      client.on("error", (cause: unknown) => {
        problem = describeProblem(cause)
      })
      yield* runCommandWithTimeout(() => client.connect())
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          current = client
        }),
        () =>
          Effect.sync(() => {
            current = undefined
          })
      )
      yield* Deferred.succeed(firstAttempt, undefined)
      return yield* Effect.repeat(
        runCommandWithTimeout(() => client.ping()),
        Schedule.spaced(heartbeatInterval)
      )
    }).pipe(
      Effect.scoped,
      Effect.catch((error) =>
        Effect.sync(() => {
          problem = error.problem
        })
      ),
      Effect.ensuring(Deferred.succeed(firstAttempt, undefined))
    )
    yield* Effect.forkScoped(Effect.repeat(session, Schedule.spaced(reconnectInterval)))
    yield* Deferred.await(firstAttempt)

    return (command) =>
      Effect.suspend(() => {
        const client = current
        return client === undefined
          ? Effect.fail(new RateLimitsUnavailable({ problem }))
          : runCommand(() => command(client))
      })
  })

const runCommand = <A>(command: () => Promise<A>): Effect.Effect<A, RateLimitsUnavailable> =>
  Effect.tryPromise({
    try: command,
    catch: (cause) => new RateLimitsUnavailable({ problem: describeProblem(cause) })
  })

const timedOut = new RateLimitsUnavailable({
  problem: `no answer in ${Duration.format(responseTimeout)}`
})

const runCommandWithTimeout = (command: () => Promise<unknown>) =>
  Effect.timeoutOrElse(runCommand(command), {
    duration: responseTimeout,
    orElse: () => Effect.fail(timedOut)
  })

/** The error for a hostname with several addresses has a code and an empty message. */
const describeProblem = (cause: unknown): string =>
  cause instanceof Error
    ? cause.message || ("code" in cause ? String(cause.code) : cause.name)
    : "unknown"
