/**
 * Receives changes by other processes with `LISTEN`, on a dedicated connection to Postgres. Triggers send the `NOTIFY`
 * (`migrations/steps/changes.ts`).
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { type Invalidation, ChangeFeed } from "@signalbox/core/stores"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { isTopic, makeInvalidationBus } from "./InvalidationBus.ts"

/**
 * Delivers every change within `stalenessMillis`. Twice in that time the connection sends itself a heartbeat
 * with `NOTIFY`, which arrives after all earlier notifications. While heartbeats fail, for example behind a
 * pooler without `LISTEN`, everything is invalidated just as often.
 */
export const layerPostgresChangeFeed = (
  stalenessMillis: number
): Layer.Layer<never, never, PgClient.PgClient> =>
  Layer.effect(
    ChangeFeed,
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const { invalidateUnconfirmed, remoteInvalidations, publish } = yield* makeInvalidationBus
      const period = stalenessMillis / 2
      let isListening = false
      let hasWarned = false

      const listen = Effect.gen(function* () {
        const connection = yield* Effect.flatMap(PgConnection.make(config), ({ pin }) => pin)
        const [[channel] = []] = yield* connection.queryValues(
          "SELECT 'signalbox_' || md5(current_schema())"
        )
        const notifications = yield* connection.listen(String(channel))
        yield* Effect.addFinalizer(() => stopListening(connection))
        const heartbeatId = crypto.randomUUID()
        const heartbeatReceived = yield* Latch.make()

        const sendHeartbeat = Effect.sync(() => heartbeatReceived.closeUnsafe()).pipe(
          // Not awaited: on a dead connection the query never returns.
          Effect.andThen(
            Effect.forkScoped(connection.query("SELECT pg_notify($1, $2)", [channel, heartbeatId]))
          ),
          Effect.andThen(heartbeatReceived.await),
          Effect.timeout(period)
        )
        const heartbeat = Effect.gen(function* () {
          yield* sendHeartbeat
          isListening = true
          hasWarned = false
          // Covers changes before the connection listened.
          yield* invalidateUnconfirmed
          return yield* Effect.repeat(sendHeartbeat, Schedule.spaced(period))
        })
        const receive = Effect.forever(
          Effect.flatMap(Queue.take(notifications), ({ payload }) =>
            payload === heartbeatId
              ? heartbeatReceived.open
              : Option.match(parseInvalidation(payload), {
                  onNone: () => Effect.void,
                  onSome: publish
                })
          )
        )
        return yield* Effect.ensuring(
          Effect.raceFirst(receive, heartbeat),
          Effect.suspend(() => {
            isListening = false
            return invalidateUnconfirmed
          })
        )
      })

      const warn = (cause: Cause.Cause<unknown>) => {
        if (hasWarned) return Effect.void
        hasWarned = true
        return Effect.logWarning(
          "cannot listen for changes by other processes; invalidating the cache periodically",
          cause
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
      return { remoteInvalidations }
    })
  )

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
    id: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)

/** Ignores heartbeats of other processes and topics of later versions. */
const parseInvalidation = (payload: string): Option.Option<Invalidation> =>
  Option.flatMap(Schema.decodeUnknownOption(Payload)(payload), ({ account, id, topic }) =>
    isTopic(topic)
      ? Option.some({
          topic,
          // A backslash means that `toKeyText` escaped the id, so it is not the id the cache knows.
          ...(account == null || account.includes("\\") ? undefined : { account }),
          ...(id == null ? undefined : { id })
        })
      : Option.none()
  )
