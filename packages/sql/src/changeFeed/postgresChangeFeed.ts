/**
 * Receives changes by other processes with `LISTEN`, on a dedicated connection to Postgres. Triggers send the `NOTIFY`
 * (`migrations/steps/changes.ts`). Messages between processes take the same way.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import {
  ChangeFeed,
  type Invalidation,
  maxMessageBytes,
  ProcessChannel,
  type ProcessMessage
} from "@signalbox/core/stores"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { isTopic, makeInvalidationBus } from "./InvalidationBus.ts"

/**
 * Delivers every change within `stalenessMillis`. Twice in that time the connection sends itself a heartbeat
 * with `NOTIFY`, which arrives after all earlier notifications. While heartbeats fail, for example behind a
 * pooler without `LISTEN`, everything is invalidated just as often.
 */
export const layerPostgresChangeFeed = (
  stalenessMillis: number
): Layer.Layer<never, never, PgClient.PgClient> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const { invalidateUnconfirmed, remoteInvalidations, publish } = yield* makeInvalidationBus
      const period = stalenessMillis / 2
      const messages = yield* PubSub.sliding<ProcessMessage>(maxUnreadMessages)
      const processId = crypto.randomUUID()
      /** Sends to the channel; undefined while this process does not listen. */
      let notify: ((payload: string) => Effect.Effect<unknown>) | undefined
      let isListening = false
      let hasWarned = false

      const receivePayload = (payload: string): Effect.Effect<unknown> => {
        const received = parsePayload(payload)
        if (received === undefined) return Effect.void
        if ("topic" in received) return publish(received)
        return received.from === processId ? Effect.void : PubSub.publish(messages, received)
      }

      const listen = Effect.gen(function* () {
        const connection = yield* Effect.flatMap(PgConnection.make(config), ({ pin }) => pin)
        const [[channel] = []] = yield* connection.queryValues(
          "SELECT 'signalbox_' || md5(current_schema())"
        )
        const notifications = yield* connection.listen(String(channel))
        yield* Effect.addFinalizer(() => stopListening(connection))
        const heartbeatId = crypto.randomUUID()
        const heartbeatReceived = yield* Latch.make()
        const scope = yield* Effect.scope
        // Not awaited: on a dead connection the query never returns.
        const send = (payload: string) =>
          connection
            .query("SELECT pg_notify($1, $2)", [channel, payload])
            .pipe(Effect.ignore, Effect.forkIn(scope))

        const sendHeartbeat = (timeoutMillis: number) =>
          Effect.sync(() => heartbeatReceived.closeUnsafe()).pipe(
            Effect.andThen(send(heartbeatId)),
            Effect.andThen(heartbeatReceived.await),
            Effect.timeoutOrElse({
              duration: timeoutMillis,
              orElse: () =>
                Effect.fail(new Cause.TimeoutError(`no heartbeat arrived in ${timeoutMillis} ms`))
            })
          )
        const heartbeat = Effect.gen(function* () {
          // The database may still be busy with the start of this process.
          yield* sendHeartbeat(Math.max(period, firstHeartbeatMillis))
          isListening = true
          notify = send
          hasWarned = false
          // Covers changes before the connection listened.
          yield* invalidateUnconfirmed
          return yield* Effect.repeat(sendHeartbeat(period), Schedule.spaced(period))
        })
        const receive = Effect.forever(
          Effect.flatMap(Queue.take(notifications), ({ payload }) =>
            payload === heartbeatId ? heartbeatReceived.open : receivePayload(payload)
          )
        )
        return yield* Effect.ensuring(
          Effect.raceFirst(receive, heartbeat),
          Effect.suspend(() => {
            isListening = false
            notify = undefined
            return invalidateUnconfirmed
          })
        )
      })

      const warn = (cause: Cause.Cause<unknown>) => {
        if (hasWarned) return Effect.void
        hasWarned = true
        return Effect.logWarning(
          `cannot listen for changes by other processes (${describe(cause)}); invalidating the cache periodically`
        )
      }
      const keepListening = Effect.scoped(listen).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : warn(cause)
        ),
        Effect.repeat(reconnectSchedule)
      )
      yield* Effect.forkScoped(Effect.withTracerEnabled(keepListening, false))
      yield* Effect.suspend(() => (isListening ? Effect.void : invalidateUnconfirmed)).pipe(
        Effect.repeat(Schedule.spaced(period)),
        Effect.withTracerEnabled(false),
        Effect.forkScoped
      )
      return Context.make(ChangeFeed, { remoteInvalidations }).pipe(
        Context.add(ProcessChannel, {
          messages: Stream.fromPubSub(messages),
          publish: (text) =>
            Effect.suspend(() =>
              notify === undefined || Buffer.byteLength(text) > maxMessageBytes
                ? Effect.void
                : Effect.asVoid(
                    notify(JSON.stringify({ topic: messageTopic, from: processId, text }))
                  )
            )
        })
      )
    })
  )

const describe = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : "unknown"
}

/** Messages beyond that are old. */
const maxUnreadMessages = 256

const firstHeartbeatMillis = 5_000

/** Versions without messages ignore a topic that they do not know. */
const messageTopic = "processes"

/**
 * Without a timeout of its own, the driver's `UNLISTEN` hangs on a dead connection. A query that times out
 * breaks the connection, and the driver sends nothing on a broken one.
 */
const stopListening = ({ query }: Pick<PgConnection.PgConnection, "query">): Effect.Effect<void> =>
  query("UNLISTEN *").pipe(
    // Finalizers are uninterruptible by default.
    Effect.interruptible,
    Effect.timeout(stopListeningMillis),
    Effect.ignore
  )

const stopListeningMillis = 1_000

/** Jittered, so that all processes do not reconnect at once. */
const reconnectSchedule = Schedule.jittered(Schedule.spaced(1_000))

const Payload = Schema.fromJsonString(
  Schema.Struct({
    topic: Schema.String,
    account: Schema.optionalKey(Schema.NullOr(Schema.String)),
    id: Schema.optionalKey(Schema.NullOr(Schema.String)),
    from: Schema.optionalKey(Schema.String),
    text: Schema.optionalKey(Schema.String)
  })
)

/** Undefined for heartbeats of other processes and topics of later versions. */
const parsePayload = (payload: string): Invalidation | ProcessMessage | undefined => {
  const decoded = Schema.decodeUnknownOption(Payload)(payload)
  if (Option.isNone(decoded)) return undefined
  const { account, from, id, text, topic } = decoded.value
  if (topic === messageTopic && from !== undefined && text !== undefined) return { from, text }
  if (!isTopic(topic)) return undefined
  return {
    topic,
    // A backslash means that `toKeyText` escaped the id, so it is not the id the cache knows.
    ...(account == null || account.includes("\\") ? undefined : { account }),
    ...(id == null ? undefined : { id })
  }
}
