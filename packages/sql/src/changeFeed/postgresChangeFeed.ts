/** Hears of changes on Postgres by `LISTEN`, on a connection that does nothing else. */
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
 * No change is older than `stalenessMillis` when it is told. The connection proves twice in that time
 * that it hears, by a `NOTIFY` to itself, which comes after everything that was told before. As long as it
 * does not, behind a pooler that cannot listen too, everything is told as changed just as often.
 */
export const layerPostgresChangeFeed = (
  stalenessMillis: number
): Layer.Layer<never, never, PgClient.PgClient> =>
  Layer.effect(
    ChangeFeed,
    Effect.gen(function* () {
      const { config } = yield* PgClient.PgClient
      const { invalidateAll, remoteInvalidations, publish } = yield* makeInvalidationBus
      const period = stalenessMillis / 2
      let isListening = false
      let isWarned = false

      const listen = Effect.gen(function* () {
        const connection = yield* Effect.flatMap(PgConnection.make(config), ({ pin }) => pin)
        const [[channel] = []] = yield* connection.queryValues(
          "SELECT 'signalbox_' || md5(current_schema())"
        )
        const notifications = yield* connection.listen(String(channel))
        yield* Effect.addFinalizer(() => stopListening(connection))
        const self = crypto.randomUUID()
        const heartbeatReceived = yield* Latch.make()

        const sendHeartbeat = Effect.sync(() => heartbeatReceived.closeUnsafe()).pipe(
          // Not waited for: a connection that has fallen silent does not even let go of a query.
          Effect.andThen(
            Effect.forkScoped(connection.query("SELECT pg_notify($1, $2)", [channel, self]))
          ),
          Effect.andThen(heartbeatReceived.await),
          Effect.timeout(period)
        )
        const heartbeat = Effect.gen(function* () {
          yield* sendHeartbeat
          isListening = true
          isWarned = false
          // Of what was changed before.
          yield* invalidateAll
          return yield* Effect.repeat(sendHeartbeat, Schedule.spaced(period))
        })
        const receive = Effect.forever(
          Effect.flatMap(Queue.take(notifications), ({ payload }) =>
            payload === self
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
            return invalidateAll
          })
        )
      })

      const warn = (cause: Cause.Cause<unknown>) => {
        if (isWarned) return Effect.void
        isWarned = true
        return Effect.logWarning("changes of other processes are not heard, but looked for", cause)
      }
      const keepListening = Effect.scoped(listen).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : warn(cause)
        ),
        Effect.repeat(reconnectSchedule)
      )
      yield* Effect.forkScoped(Effect.withTracerEnabled(keepListening, false))
      yield* Effect.suspend(() => (isListening ? Effect.void : invalidateAll)).pipe(
        Effect.repeat(Schedule.spaced(period)),
        Effect.withTracerEnabled(false),
        Effect.forkScoped
      )
      return { remoteInvalidations }
    })
  )

/**
 * What the driver asks when it stops to listen it waits for without an end. A query that is given up breaks a
 * connection that has fallen silent, and of a broken one nothing is asked.
 */
const stopListening = ({ query }: Pick<PgConnection.PgConnection, "query">): Effect.Effect<void> =>
  query("UNLISTEN *").pipe(
    // What closes things cannot be given up otherwise.
    Effect.interruptible,
    Effect.timeout(stopListeningMillis),
    Effect.ignore
  )

const stopListeningMillis = 1_000

/** Not all processes at the same moment. */
const reconnectSchedule = Schedule.jittered(Schedule.spaced(1_000))

const Payload = Schema.fromJsonString(
  Schema.Struct({
    topic: Schema.String,
    account: Schema.optionalKey(Schema.NullOr(Schema.String)),
    id: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)

/** None of what another process proves, or a later version remembers. */
const parseInvalidation = (payload: string): Option.Option<Invalidation> =>
  Option.flatMap(Schema.decodeUnknownOption(Payload)(payload), ({ account, id, topic }) =>
    isTopic(topic)
      ? Option.some({
          topic,
          // As a column spells what it cannot keep, no account is called.
          ...(account == null || account.includes("\\") ? undefined : { account }),
          ...(id == null ? undefined : { id })
        })
      : Option.none()
  )
