/** An installed application with a database, and what it calls. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getProperty } from "../support/getProperty.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { readSnapshot, restoreSnapshot } from "../support/restoreSnapshot.ts"
import { send } from "../support/send.ts"
import { makeTestDatabase, type TestDatabase } from "../support/TestDatabase.ts"
import { type OutsideWorld, startOutsideWorld } from "./OutsideWorld.ts"
import { type RunningApplication, startApplication } from "./startApplication.ts"

interface MissionOptions {
  /** The folder of the installed application. */
  readonly directory: string
  /** Default: SQLite. */
  readonly postgresUrl?: string
  readonly isUpgraded: boolean
}

interface CallOptions {
  /** Default: `sk-ada`. */
  readonly key?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Default: GET, or POST if there is a body. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

const managementKey = "sk-operations"

export class Mission {
  readonly world: OutsideWorld
  /** Ids and secrets in the database of the first version. */
  readonly facts: Readonly<Record<string, string>>
  /** Contains the database, and the films. */
  readonly #folder: string
  readonly #start: () => Promise<RunningApplication>
  #application: RunningApplication

  static async start({ directory, isUpgraded, postgresUrl }: MissionOptions): Promise<Mission> {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-mission-"))
    const database = makeTestDatabase(folder, postgresUrl)
    const world = await startOutsideWorld(directory)
    const facts = isUpgraded ? await restoreFirstVersion(database, folder, world) : {}
    const start = () =>
      startApplication(directory, {
        ...world.environment,
        FOLDER: folder,
        ...(database.kind === "postgres"
          ? { DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema }
          : undefined)
      })
    return new Mission(world, facts, folder, start, await start())
  }

  private constructor(
    world: OutsideWorld,
    facts: Readonly<Record<string, string>>,
    folder: string,
    start: () => Promise<RunningApplication>,
    application: RunningApplication
  ) {
    this.world = world
    this.facts = facts
    this.#folder = folder
    this.#start = start
    this.#application = application
  }

  get origin(): string {
    return this.#application.origin
  }

  /** Kills the process, which ends nothing in order. */
  kill(): Promise<void> {
    return this.#application.kill()
  }

  async restart(): Promise<void> {
    this.#application = await this.#start()
  }

  /** Calls the API below `/ai/api`. */
  call(path: string, { body, headers, key = "sk-ada", method }: CallOptions = {}) {
    return send(`${this.origin}/ai/api${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? undefined : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? undefined : { body: JSON.stringify(body) })
    })
  }

  /** Calls a management operation, and returns the body of its answer. Throws if it fails. */
  async manage(path: string, { body, method }: Pick<CallOptions, "body" | "method"> = {}) {
    const options = { key: managementKey, body, ...(method === undefined ? undefined : { method }) }
    const answer = await this.call(path, options)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }

  /** The `data` of a management operation; undefined if it fails. */
  async look(path: string): Promise<unknown> {
    return getProperty((await this.call(path, { key: managementKey })).body, "data")
  }

  async readFilm(id: string): Promise<unknown> {
    return (await this.call(`/v1/videos/${id}`)).body
  }

  /** The path of the file of a film. */
  toFile(film: string): string {
    return join(this.#folder, "films", `${film}-0`)
  }

  async readIntern(id: string): Promise<unknown> {
    return (await this.call(`/v1/interns/${id}`)).body
  }

  talk(intern: string, content: string): Promise<HttpResponse> {
    return this.call(`/v1/interns/${intern}/chat/completions`, {
      body: { stream: true, messages: [{ role: "user", content }] }
    })
  }

  async close(): Promise<void> {
    await this.#application.kill()
    await this.world.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const restoreFirstVersion = async (
  database: TestDatabase,
  folder: string,
  world: OutsideWorld
): Promise<Readonly<Record<string, string>>> => {
  const file = join(import.meta.dirname, "firstVersion.json")
  const snapshot = readSnapshot(file, world.receiverUrl)
  await restoreSnapshot(database, snapshot, 8)
  const films = join(folder, "films")
  mkdirSync(films)
  writeFileSync(join(films, `${snapshot.facts["videoTold"]}-0`), "a film of the first version")
  world.finishFilm("film-of-the-first-version")
  return snapshot.facts
}
