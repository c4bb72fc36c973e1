/** The stores of a database as a process sees them: each call crosses the network. */
import {
  ChangeFeed,
  JobStore,
  type Stores,
  StoreUnavailable,
  Transaction
} from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import { CurrentSession, type Database } from "./Database.ts"
import { Link } from "./Link.ts"
import type { Machine } from "./Machine.ts"
import { makeRemoteQueue } from "./remoteQueue.ts"
import { makeRemoteTransaction } from "./remoteTransaction.ts"
import type { Weather } from "./Weather.ts"

/** The connection of a process to the database. A call whose message or answer is lost dies with `StoreUnavailable`. */
export const connect = (client: Machine, database: Database, weather: Weather): Link =>
  new Link(client, database.machine, weather, (name) =>
    Effect.die(new StoreUnavailable({ cause: new Error(`the connection broke: ${name}`) }))
  )

/** Every port, over `link`. */
export const makeRemoteStores = (
  stores: Context.Context<Stores>,
  database: Database,
  link: Link
): Context.Context<Stores> => {
  const { broadcast } = database
  const call = (
    name: string,
    begin: () => Effect.Effect<unknown, unknown>
  ): Effect.Effect<unknown, unknown> =>
    Effect.flatMap(CurrentSession, (session) =>
      link.call(name, {
        run: (onExit) => {
          const interrupt = database.run(session, Effect.suspend(begin), (exit) => {
            if (broadcast.isChange(name)) {
              if (session === undefined) broadcast.publish(link)
              else session.onEnd((isCommitted) => isCommitted && broadcast.publish(link))
            }
            onExit(exit)
          })
          if (session === undefined) return constVoid
          return () => {
            interrupt()
            session.end(false)
          }
        }
      })
    )

  const wrap = (name: string, service: object): object =>
    Object.fromEntries(
      Object.entries(service).map(([member, value]: [string, unknown]): [string, unknown] => {
        const path = `${name}.${member}`
        if (isStatement(value)) return [member, call(path, () => value)]
        if (typeof value === "function") {
          return [
            member,
            (...args: ReadonlyArray<unknown>) =>
              call(path, () => toStatement(path, Reflect.apply(value, service, args)))
          ]
        }
        return [member, isPlain(value) ? wrap(path, value) : value]
      })
    )

  const remote = Context.makeUnsafe<Stores>(
    new Map(
      [...stores.mapUnsafe].map(([key, service]: [string, unknown]): [string, unknown] => [
        key,
        isPlain(service) ? wrap(key.slice(key.lastIndexOf("/") + 1), service) : service
      ])
    )
  )
  return remote.pipe(
    Context.add(ChangeFeed, broadcast.subscribe(link)),
    Context.add(
      Transaction,
      makeRemoteTransaction(Context.get(stores, Transaction), database, link)
    ),
    Context.add(JobStore, {
      ...Context.get(remote, JobStore),
      queue: makeRemoteQueue(Context.get(stores, JobStore).queue, database, link)
    })
  )
}

/** Ports need no services. */
const isStatement = (value: unknown): value is Effect.Effect<unknown, unknown> =>
  Effect.isEffect(value)

const toStatement = (path: string, value: unknown): Effect.Effect<unknown, unknown> =>
  isStatement(value) ? value : Effect.die(new Error(`${path} returns no effect`))

const isPlain = (value: unknown): value is object => typeof value === "object" && value !== null
